import { type AreaName, rulesFor } from "./areas";

const MAX_LENGTH = 4_096;

const BASE = "https://site.invalid";

/**
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

/** Throws for an address of another site: only a bug makes one. */
export function locationOf(path: string): string {
  const encoded = path.replace(/[\0-\x20\x7f]/g, (character) => encodeURIComponent(character));
  const url = new URL(encoded, BASE);
  if (!path.startsWith("/") || url.origin !== BASE || url.pathname.startsWith("//")) {
    throw new Error("A redirect led to another site");
  }
  return url.pathname + url.search + url.hash;
}

export const safePath = (value: unknown, areas: readonly AreaName[], fallback: string): string =>
  pathWhere(value, ({ area }) => areas.includes(area)) ?? fallback;

export const safeReturnPath = (value: unknown, { isStaff }: { isStaff: boolean }): string | null =>
  pathWhere(value, ({ isReturnable, guard }) => isReturnable && (isStaff || guard !== "staff"));

function pathWhere(value: unknown, isAllowed: (rules: ReturnType<typeof rulesFor>) => boolean): string | null {
  const url = parseOwnAddress(value);
  return url && isAllowed(rulesFor(url.pathname)) ? url.pathname + url.search : null;
}

/** A script may have changed the query since the page was rendered; `referrer` then has the current one. */
export function ownPagePath(value: unknown, referrer: string | null): string {
  const url = parseOwnAddress(value);
  if (!url) return "/";
  const current = referrer !== null && URL.canParse(referrer) ? new URL(referrer) : url;
  return url.pathname + (current.pathname === url.pathname ? current : url).search + url.hash;
}
