import { sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import type { SignedIn } from "~/platform/context.server";

/**
 * Returns the slug and its numbered variants, as far as they are taken. A slug contains no special characters of GLOB.
 */
export async function slugsLike(db: Db, slug: string): Promise<Set<string>> {
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(sql`${organizations.slug} = ${slug} or ${organizations.slug} glob ${`${slug}-[0-9]*`}`)
    .limit(1_000);
  return new Set(rows.map((row) => row.slug));
}

export type CurrentOrganization = { id: string; name: string; role: OrganizationRole };

/**
 * Returns the organization a person works in: the one used last in this session, else the first by name. Read at each
 * request, and only from active memberships.
 */
export async function findCurrentOrganization(
  db: Db,
  { userId, sessionHash }: Pick<SignedIn, "userId" | "sessionHash">,
): Promise<CurrentOrganization | null> {
  const row = await db.get<CurrentOrganization | undefined>(sql`
    SELECT o.id, o.name, m.role FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} AND m.status = 'active'
    ORDER BY (o.id = (SELECT current_org_id FROM sessions WHERE id_hash = ${sessionHash})) DESC, o.name, o.id LIMIT 1`);
  return row ?? null;
}
