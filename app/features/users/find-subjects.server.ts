import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { FoundSubject } from "~/platform/subjects.server";

/** Returns accounts as subjects; the owner of an account is the account itself. */
export async function findUserSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string }>(sql`
    SELECT u.id, u.full_name AS label
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN users u ON u.id = requested.value`);
  return rows.map((row) => ({ ...row, reference: null, ownerId: row.id }));
}

/** Returns the condition that the account still exists. */
export const userExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM users WHERE id = ${id})`;
