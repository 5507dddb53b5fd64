import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { FoundSubject } from "~/platform/subjects.server";

/** Reads accounts as subjects. An account is its own owner. */
export async function findUserSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string }>(sql`
    SELECT u.id, u.full_name AS label
    FROM json_each(${JSON.stringify(ids)}) wanted CROSS JOIN users u ON u.id = wanted.value`);
  return rows.map((row) => ({ ...row, reference: null, ownerId: row.id }));
}
