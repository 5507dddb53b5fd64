import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions } from "~/db/schema/submissions";
import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { listKeysOf } from "~/features/attachments/queries.server";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import { type Picked, pickedTable } from "~/lists/picked.server";
import type { Ctx } from "~/platform/context.server";
import type { BulkOutcome } from "./bulk-change-status.server";

type Deletion = { picked: readonly Picked[]; nonce: string };

/**
 * Deletes submissions for good, with their notes, their history, their files, the live events that name them and the
 * unsent mails about them. Those that have changed since the list was drawn are skipped. One audit event with their ids
 * remains; the same form posted again reads its answer there.
 */
export async function deleteSubmissions(ctx: Ctx, { picked, nonce }: Deletion): Promise<BulkOutcome> {
  const chosen = pickedTable(picked);
  const toDelete = sql`SELECT t.id FROM ${chosen} p JOIN contact_submissions t ON t.id = p.id AND t.version = p.version`;
  const deleted = sql`SELECT p.id FROM ${chosen} p WHERE NOT EXISTS (SELECT 1 FROM contact_submissions t WHERE t.id = p.id)`;
  const keys = await listKeysOf(ctx.db, "submission", sql`SELECT p.id FROM ${chosen} p`);
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submissions-delete", resultLocation: "", at: ctx.now() }),
    recordAuditOfRows(ctx, "submission.deleted", {
      subjectType: "submission",
      rows: sql`SELECT ${nonce} AS subject_id, NULL AS subject_label, NULL AS folded_label,
        json_object('count', count(*), 'ids', json_group_array(d.id)) AS meta_json,
        printf('%,d', count(*)) || ' of them' AS details FROM (${toDelete}) d`,
    }),
    ctx.db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${toDelete})`),
    // After the submissions, which point at their files.
    ...eraseSubjects(ctx.db, "submission", deleted),
  ]);
  // A file that stays behind because R2 is away is found by the sweep of orphans.
  if (written) ctx.after(deleteOrphans(ctx, keys));
  const [[event], [left]] = await Promise.all([
    ctx.db
      .select({ meta: auditEvents.meta_json })
      .from(auditEvents)
      .where(and(eq(auditEvents.subject_type, "submission"), eq(auditEvents.subject_id, nonce)))
      .limit(1),
    ctx.db.all<{ count: number }>(
      sql`SELECT count(*) AS count FROM ${chosen} p JOIN contact_submissions t ON t.id = p.id`,
    ),
  ]);
  const { count } = JSON.parse(event?.meta ?? '{"count":0}') as { count: number };
  return { changed: count, skipped: left?.count ?? 0 };
}
