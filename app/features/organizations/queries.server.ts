import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";

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

type OwnOrganization = { id: string; name: string; plan: "none" | "basic" | "core" | "premium" };

/** Lists the organizations in which a person has an active membership, by name, up to a hundred. */
export const listOwnOrganizations = (db: Db, userId: string): Promise<OwnOrganization[]> =>
  db.all<OwnOrganization>(sql`
    SELECT o.id, o.name, o.plan FROM organization_memberships m CROSS JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} AND m.status = 'active' ORDER BY o.name_key, o.id LIMIT 100`);
