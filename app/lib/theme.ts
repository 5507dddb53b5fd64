/** `system` follows the operating system. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const parseTheme = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? "system";

export function rootTheme(matches: readonly { id: string; data?: unknown }[]): Theme {
  const root = matches.find(({ id }) => id === "root")?.data as { theme?: Theme } | undefined;
  return root?.theme ?? "system";
}

/** Holds the background colours of the page, for the browser's toolbars. The same as the token `--color-page`. */
export const PAGE_COLORS = { light: "#f1f6f7", dark: "#091518" } as const;
