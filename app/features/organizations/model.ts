import { fold } from "~/lib/text";

/** Returns the columns that hold the texts of an organization: as shown, and as they are found and sorted by. */
export const organizationTexts = ({ name, description }: { name: string; description: string }) => ({
  name,
  description,
  search_name: fold(name),
  search_description: fold(description),
});

/** Lists slugs that no organization may have because they are parts of our URLs. */
const RESERVED: readonly string[] = ["admin", "api", "client", "new", "support", "www"];

const FALLBACK = "org";

/**
 * Converts the name of an organization to a slug: lower-case ASCII letters and digits, everything else one hyphen, none
 * at the ends. A name without any such character becomes `org`.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  return slug || FALLBACK;
}

/** Returns the slug, or the first of `slug-2`, `slug-3`… that is free, when it is taken or reserved. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug) && !RESERVED.includes(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const candidate = `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
