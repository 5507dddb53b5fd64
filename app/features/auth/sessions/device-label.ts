const BROWSERS = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
] as const;

/**
 * A browser in words a person recognizes, such as "Firefox on Windows". Deliberately coarse: the list of sessions
 * needs no more, and the text the browser sent is never shown to anyone.
 */
export function deviceLabel(userAgent: string): string {
  const named = (table: readonly (readonly [RegExp, string])[]) => table.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = named(BROWSERS) ?? "A browser";
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
