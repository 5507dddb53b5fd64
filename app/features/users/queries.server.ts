import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";

export type StaffMember = { id: string; name: string };

/** Lists active admins and technicians by name, to whom work can be assigned. */
export async function listStaff(db: Db): Promise<StaffMember[]> {
  return db.all<StaffMember>(sql`
    SELECT u.id, u.full_name AS name FROM user_roles r CROSS JOIN users u ON u.id = r.user_id
    WHERE r.role <> 'user' AND u.status = 'active' ORDER BY u.full_name LIMIT 200`);
}
