import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { referenceNumber } from "~/lib/reference-number";
import type { FoundSubject } from "~/platform/subjects.server";

/** Finds submissions as subjects, with the sender's name and the number. */
export async function findSubmissionSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string; number: number }>(sql`
    SELECT t.id, t.first_name || ' ' || t.last_name AS label, t.number
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN contact_submissions t ON t.id = requested.value`);
  return rows.map(({ number, ...row }) => ({ ...row, reference: referenceNumber("submission", number) }));
}

/** Returns the condition that the submission still exists. */
export const submissionExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM contact_submissions WHERE id = ${id})`;
