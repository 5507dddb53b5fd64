import { type SQL, sql } from "drizzle-orm";
import { type Db, isDuplicate, type Statement } from "~/db/client.server";
import { organizationDomains } from "~/db/schema/organizations";
import type { Instant } from "~/lib/time";

type Domains = { organizationId: string; domains: readonly string[]; at: Instant };

const listOf = (domains: readonly string[]): SQL => sql`SELECT value FROM json_each(${JSON.stringify(domains)})`;

/**
 * Returns the statements that give an organization exactly these domains. The batch fails with a duplicate when one of
 * them belongs to another: see `takenDomain`.
 */
export const setDomains = (db: Db, { organizationId, domains, at }: Domains): Statement[] => [
  db.delete(organizationDomains).where(sql`${organizationDomains.organization_id} = ${organizationId}
      AND ${organizationDomains.domain} NOT IN (${listOf(domains)})`),
  db.insert(organizationDomains).select(sql`
    SELECT typed.value, ${organizationId}, ${at} FROM json_each(${JSON.stringify(domains)}) typed
    WHERE NOT EXISTS (SELECT 1 FROM organization_domains d
      WHERE d.domain = typed.value AND d.organization_id = ${organizationId})`),
];

/** Returns the domain for which a batch failed, because another organization has it; null if it failed otherwise. */
export async function takenDomain(
  db: Db,
  error: unknown,
  { organizationId, domains }: Omit<Domains, "at">,
): Promise<string | null> {
  if (!isDuplicate(error, "organization_domains.domain")) return null;
  const [row] = await db.all<{ domain: string }>(sql`
    SELECT domain FROM organization_domains
    WHERE domain IN (${listOf(domains)}) AND organization_id <> ${organizationId} LIMIT 1`);
  // It may have been given up in the meantime; then the form simply works the next time.
  return row?.domain ?? domains[0] ?? null;
}
