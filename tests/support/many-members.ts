import { sql } from "drizzle-orm";
import type { Ctx } from "~/platform/context.server";

/** Adds many active members to an organization, by one statement for each table. */
export async function makeManyMembers({ db, now }: Ctx, organizationId: string, count: number): Promise<void> {
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const id = sql`'usr_' || substr(${organizationId}, 5) || i`;
  const at = now();
  await db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, status)
    ${numbers} SELECT ${id}, ${at}, ${at}, ${id} || '@clinic.example', 'Member ' || i, 'active' FROM n`);
  await db.run(sql`
    INSERT INTO organization_memberships(id, created_at, updated_at, organization_id, user_id, role, status, joined_at)
    ${numbers} SELECT 'mem_' || substr(${organizationId}, 5) || i, ${at}, ${at}, ${organizationId}, ${id}, 'member',
      'active', ${at} FROM n`);
}
