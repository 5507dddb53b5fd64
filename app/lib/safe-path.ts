/** Where a person may be sent after signing in, by what they are allowed to open. */
export type ReturnArea = "/admin" | "/client" | "/profile" | "/create-ticket";

/** Room for an address that names a hundred rows one by one. */
const LONGEST = 4_096;

/**
 * A same-site return path from an untrusted value, or the fallback.
 *
 * Parsing alone is a trap: `/\t/evil.com` and `/admin/..//evil.com` both become addresses of another site in a
 * browser. So the raw text is checked first, then the parsed path again.
 */
export function safePath(value: unknown, areas: readonly ReturnArea[], fallback: string): string {
  if (typeof value !== "string" || value.length > LONGEST) return fallback;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes("\\")) return fallback;
  // The base only serves to parse; any origin would do, and its own is compared away.
  const base = "https://site.invalid";
  let url: URL;
  try {
    url = new URL(value, base);
  } catch {
    return fallback;
  }
  if (url.origin !== base) return fallback;
  const path = url.pathname;
  if (path.includes("//") || /%2f|%5c|%00/i.test(path)) return fallback;
  const allowed = areas.some((area) => path === area || path.startsWith(`${area}/`));
  return allowed ? path + url.search : fallback;
}
