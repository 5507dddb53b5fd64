import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { FoundSubject } from "~/platform/subjects.server";

export type StaffMember = { id: string; name: string };

export async function listStaff(db: Db): Promise<StaffMember[]> {
  return db.all<StaffMember>(sql`
    SELECT u.id, u.full_name AS name FROM user_roles r CROSS JOIN users u ON u.id = r.user_id
    WHERE r.role <> 'user' AND u.status = 'active' ORDER BY u.full_name LIMIT 200`);
}

export async function findUserSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string }>(sql`
    SELECT u.id, u.full_name AS label
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN users u ON u.id = requested.value`);
  return rows.map((row) => ({ ...row, reference: null, ownerId: row.id }));
}

export const userExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM users WHERE id = ${id})`;
