import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import type { SubjectType } from "~/lib/subject";

/**
 * Returns the statement that clears the names of subjects in their audit events; the events stay. The table's trigger
 * lets it through. It belongs in the batch that deletes the subjects. `ids`: a query for ids.
 */
export function eraseAuditLabels(db: Db, type: SubjectType, ids: SQL): Statement {
  const { subject_type, subject_id, subject_label, search_text } = auditEvents;
  return db
    .update(auditEvents)
    .set({ subject_label: null, search_text: sql`substr(${search_text}, instr(${search_text}, char(10)))` })
    .where(sql`${subject_type} = ${type} AND ${subject_id} IN (${ids}) AND ${subject_label} IS NOT NULL`);
}
