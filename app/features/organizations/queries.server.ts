import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { fold } from "~/lib/text";
import { isShort } from "~/lists/criteria";
import { CHOICES_LIMIT, type OrganizationChoice, type OrganizationChoices, RESERVED_SLUGS } from "./model";

/** Limits how many organizations may share a name. */
const MAX_NUMBER = 100_000;

/**
 * Selects the slug, or the first of `slug-2`, `slug-3`… that is free, when it is taken or reserved. Part of the
 * statement that inserts it, so that two organizations created at the same time get two slugs.
 */
export const freeSlug = (slug: string): SQL<string> => sql`(
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_NUMBER})
  SELECT candidate FROM (SELECT iif(i = 1, ${slug}, ${slug} || '-' || i) AS candidate FROM n)
  WHERE candidate NOT IN (SELECT value FROM json_each(${JSON.stringify(RESERVED_SLUGS)}))
    AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.slug = candidate)
  LIMIT 1)`;

/** Limits the characters of a search for an organization. */
const SEARCH_MAX = 200;

/**
 * Finds the organizations whose name begins with a text, and then others that have it in their name, slug or
 * description; beside them the one that is chosen already. Without a text the first by name.
 */
export async function findOrganizationChoices(
  db: Db,
  { search: text, chosen }: { search: string; chosen: string | null },
): Promise<OrganizationChoices> {
  const search = fold(text).slice(0, SEARCH_MAX);
  if (search === "") return listOrganizationChoices(db, chosen);
  const limit = CHOICES_LIMIT + 1;
  const phrase = `search_text : "${search.replaceAll('"', '""')}"`;
  const [beginning, containing, found] = await Promise.all([
    db.all<OrganizationChoice>(sql`SELECT id, name FROM organizations
      WHERE name_key >= ${search} AND name_key < ${search} || char(1114111) ORDER BY name_key, id LIMIT ${limit}`),
    isShort(search)
      ? []
      : db.all<OrganizationChoice>(sql`SELECT t.id, t.name FROM organization_search f
          CROSS JOIN organizations t ON t.number = f.rowid
          WHERE f.organization_search MATCH ${phrase} ORDER BY f.rowid DESC LIMIT ${limit}`),
    chosen === null ? [] : db.all<OrganizationChoice>(sql`SELECT id, name FROM organizations WHERE id = ${chosen}`),
  ]);
  const matches = [...new Map([...beginning, ...containing].map((one) => [one.id, one])).values()];
  const offered = matches.slice(0, CHOICES_LIMIT);
  const others = found.filter(({ id }) => offered.every((one) => one.id !== id));
  return { choices: [...others, ...offered], isMore: matches.length > CHOICES_LIMIT };
}

/** Lists the first organizations by name, for a filter, and the one that is chosen already. */
export async function listOrganizationChoices(db: Db, chosen: string | null): Promise<OrganizationChoices> {
  const limit = CHOICES_LIMIT + 1;
  const [first, found] = await Promise.all([
    db.all<OrganizationChoice>(sql`SELECT id, name FROM organizations ORDER BY name_key, id LIMIT ${limit}`),
    chosen === null ? [] : db.all<OrganizationChoice>(sql`SELECT id, name FROM organizations WHERE id = ${chosen}`),
  ]);
  const offered = first.slice(0, CHOICES_LIMIT);
  const others = found.filter(({ id }) => offered.every((one) => one.id !== id));
  return { choices: [...others, ...offered], isMore: first.length > CHOICES_LIMIT };
}
