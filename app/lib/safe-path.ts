import { type AreaName, rulesFor } from "./areas";

/** Room for an address that names a hundred rows one by one. */
const LONGEST = 4_096;

/** The base only serves to parse; any origin would do, and its own is compared away. */
const BASE = "https://site.invalid";

/**
 * The address of a page of this site from an untrusted value, or null. Its origin means nothing.
 *
 * Parsing alone is a trap: `/\t/evil.com` and `/admin/..//evil.com` both become addresses of another site in a
 * browser. So the raw text is checked first, then the parsed path again.
 */
function ownAddress(value: unknown): URL | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes("\\")) return null;
  let url: URL;
  try {
    url = new URL(value, BASE);
  } catch {
    return null;
  }
  if (url.origin !== BASE) return null;
  return url.pathname.includes("//") || /%2f|%5c|%00/i.test(url.pathname) ? null : url;
}

/** Returns an address of one of these areas from an untrusted value, or the fallback. */
export function safePath(value: unknown, areas: readonly AreaName[], fallback: string): string {
  const url = ownAddress(value);
  return url && areas.includes(rulesFor(url.pathname).area) ? url.pathname + url.search : fallback;
}

/**
 * Any page of this site with the place in it, from an untrusted value, or Home: for forms that stand on every page.
 * A script may have changed the query since the page was made; `referrer` then knows the one the reader sees.
 */
export function samePage(value: unknown, referrer: string | null): string {
  const url = ownAddress(value);
  if (!url) return "/";
  const seen = referrer !== null && URL.canParse(referrer) ? new URL(referrer) : url;
  return url.pathname + (seen.pathname === url.pathname ? seen : url).search + url.hash;
}
