/** What addresses of ours are made of: no organization may be called by one of these. */
const RESERVED: readonly string[] = ["admin", "api", "client", "new", "support", "www"];

const FALLBACK = "org";

/**
 * The name of an organization as part of an address: lower case, everything but letters and digits a hyphen, repeated
 * hyphens one, none at the ends. A name without any such letter is `org`.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  return slug || FALLBACK;
}

/** The slug, or the first of `slug-2`, `slug-3`… that is neither taken nor reserved. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug) && !RESERVED.includes(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const candidate = `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
