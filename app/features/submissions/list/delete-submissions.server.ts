import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions } from "~/db/schema/submissions";
import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { listKeysOf } from "~/features/attachments/queries.server";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import { isSubmissionHeld } from "~/features/subjects/legal-hold.server";
import { type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import type { BulkOutcome } from "./bulk-change-status.server";

type Deletion = { selection: Selection; nonce: string };

/**
 * Deletes the selected submissions with their notes, history and files, the live events that name them and the unsent
 * mails about them. Those that have changed since the list was read, or are on hold, are skipped. One audit event with
 * the deleted ids remains, and the same form posted again reads its result from there.
 */
export async function deleteSubmissions(
  ctx: Ctx,
  { selection, nonce }: Deletion,
): Promise<BulkOutcome & { onHold: number }> {
  const selected = selectionTable(selection);
  const toDelete = sql`SELECT t.id FROM ${selected} s JOIN contact_submissions t ON t.id = s.id AND t.version = s.version
    WHERE NOT ${isSubmissionHeld(sql`t.id`, sql`t.email`)}`;
  // As the event says: who may have selected a row cannot be told once it is gone.
  const deleted = sql`SELECT id.value FROM audit_events e JOIN json_each(e.meta_json, '$.ids') id
    WHERE e.subject_type = 'submission' AND e.subject_id = ${nonce}`;
  const keys = await listKeysOf(ctx.db, "submission", sql`SELECT s.id FROM ${selected} s`);
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submissions-delete", resultLocation: "", at: ctx.now() }),
    recordAuditOfRows(ctx, "submission.deleted", {
      subjectType: "submission",
      rows: sql`SELECT ${nonce} AS subject_id, json_object('count', count(*), 'ids', json_group_array(d.id)) AS meta_json,
        printf('%,d', count(*)) || iif(count(*) = 1, ' submission', ' submissions') AS details FROM (${toDelete}) d`,
      subjects: [],
    }),
    ctx.db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${toDelete})`),
    // After the submissions, which point at their files.
    ...eraseSubjects(ctx.db, "submission", deleted),
  ]);
  // A file that stays behind because R2 is away is deleted by the job `sweep-orphans`.
  if (written) ctx.after(deleteOrphans(ctx, keys));
  const [[event], [left]] = await Promise.all([
    ctx.db
      .select({ meta: auditEvents.meta_json })
      .from(auditEvents)
      .where(and(eq(auditEvents.subject_type, "submission"), eq(auditEvents.subject_id, nonce)))
      .limit(1),
    ctx.db.all<{ count: number; onHold: number }>(
      sql`SELECT count(*) AS count, coalesce(sum(${isSubmissionHeld(sql`t.id`, sql`t.email`)}), 0) AS onHold
        FROM ${selected} s JOIN contact_submissions t ON t.id = s.id`,
    ),
  ]);
  const { count } = JSON.parse(event?.meta ?? '{"count":0}') as { count: number };
  const { count: all, onHold } = left ?? { count: 0, onHold: 0 };
  return { changed: count, skipped: all - onHold, onHold };
}
