import { type AreaName, rulesFor } from "./areas";

/** Limits the length of an address, with room for the ids of a hundred rows. */
const MAX_LENGTH = 4_096;

/** Serves as the base for parsing: an address with another origin is not ours. */
const BASE = "https://site.invalid";

/**
 * Parses an untrusted value as an address of this site. Null: it is none. The origin of the result has no meaning.
 *
 * Parsing alone is not safe: `/\t/evil.com` and `/admin/..//evil.com` both become addresses of another site in a
 * browser. So the raw text is checked first, then the parsed path again.
 */
function parseOwnAddress(value: unknown): URL | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
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

/**
 * Returns an address of this site as the value of a `Location` header: its path, query and fragment in printable ASCII,
 * however it was put together. Throws for an address of another site: only a bug makes one.
 */
export function locationOf(path: string): string {
  const encoded = path.replace(/[\0-\x20\x7f]/g, (character) => encodeURIComponent(character));
  const url = new URL(encoded, BASE);
  if (!path.startsWith("/") || url.origin !== BASE || url.pathname.startsWith("//")) {
    throw new Error("A redirect led to another site");
  }
  return url.pathname + url.search + url.hash;
}

/** Returns an address of one of these areas from an untrusted value, or the fallback. */
export const safePath = (value: unknown, areas: readonly AreaName[], fallback: string): string =>
  pathWhere(value, ({ area }) => areas.includes(area)) ?? fallback;

/** Returns an address to which a person may be redirected after signing in, from an untrusted value, or null. */
export const safeReturnPath = (value: unknown, { isStaff }: { isStaff: boolean }): string | null =>
  pathWhere(value, ({ isReturnable, guard }) => isReturnable && (isStaff || guard !== "staff"));

function pathWhere(value: unknown, isAllowed: (rules: ReturnType<typeof rulesFor>) => boolean): string | null {
  const url = parseOwnAddress(value);
  return url && isAllowed(rulesFor(url.pathname)) ? url.pathname + url.search : null;
}

/**
 * Returns any page of this site, with its fragment, from an untrusted value, or Home: for forms that are on every page.
 * A script may have changed the query since the page was rendered; `referrer` then has the current one.
 */
export function ownPagePath(value: unknown, referrer: string | null): string {
  const url = parseOwnAddress(value);
  if (!url) return "/";
  const current = referrer !== null && URL.canParse(referrer) ? new URL(referrer) : url;
  return url.pathname + (current.pathname === url.pathname ? current : url).search + url.hash;
}
