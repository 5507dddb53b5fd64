import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { CHOICES_LIMIT, type OrganizationChoice, type OrganizationChoices, RESERVED_SLUGS } from "./model";

/** Limits how many organizations may share a name. */
const MAX_NUMBER = 100_000;

/**
 * Selects the slug, or the first of `slug-2`, `slug-3`… that is free, when it is taken or reserved. Part of the statement
 * that inserts it, so that two organizations created at the same time get two slugs.
 */
export const freeSlug = (slug: string): SQL<string> => sql`(
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_NUMBER})
  SELECT candidate FROM (SELECT iif(i = 1, ${slug}, ${slug} || '-' || i) AS candidate FROM n)
  WHERE candidate NOT IN (SELECT value FROM json_each(${JSON.stringify(RESERVED_SLUGS)}))
    AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.slug = candidate)
  LIMIT 1)`;

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
