import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { FoundSubject } from "~/platform/subjects.server";

/** Returns organizations as subjects; an organization belongs to its own members. */
export async function findOrganizationSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string }>(sql`
    SELECT o.id, o.name AS label
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN organizations o ON o.id = requested.value`);
  return rows.map((row) => ({ ...row, reference: null, organizationId: row.id }));
}

/** Returns the condition that the organization still exists. */
export const organizationExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${id})`;
