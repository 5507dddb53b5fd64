import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { contactSubmissions } from "~/db/schema/submissions";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { eraseMail } from "~/features/mail/erase-mail.server";
import { type Picked, pickedTable } from "~/lists/picked.server";
import type { Ctx } from "~/platform/context.server";
import type { BulkOutcome } from "./change-submission-statuses.server";

type Deletion = { picked: readonly Picked[]; nonce: string };

/**
 * Deletes requests with their notes, their history, their files, the live notes that name them and the mails about them
 * that have not left, for good. Those that have changed since the list was drawn are skipped. What is left is one audit
 * event with their ids; the same form posted again reads its answer there.
 */
export async function deleteSubmissions(ctx: Ctx, { picked, nonce }: Deletion): Promise<BulkOutcome> {
  const chosen = pickedTable(picked);
  const doomed = sql`SELECT t.id FROM ${chosen} p JOIN contact_submissions t ON t.id = p.id AND t.version = p.version`;
  const files = await ctx.db.all<{ id: string; key: string }>(sql`
    SELECT a.id, a.r2_key AS key FROM ${chosen} p
    JOIN contact_submissions t ON t.id = p.id JOIN attachments a ON a.id = t.attachment_id`);
  const fileIds = sql`SELECT value FROM json_each(${JSON.stringify(files.map(({ id }) => id))})`;
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submissions-delete", resultLocation: "", at: ctx.now() }),
    recordAuditOfRows(ctx, "submission.deleted", {
      objectType: "submission",
      rows: sql`SELECT ${nonce} AS object_id,
        json_object('count', count(*), 'ids', json_group_array(d.id)) AS meta_json FROM (${doomed}) d`,
    }),
    eraseMail(ctx, doomed),
    // Their labels name the person.
    ctx.db.delete(liveEvents).where(sql`${liveEvents.object_id} IN (${doomed})`),
    ctx.db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${doomed})`),
    ctx.db.delete(attachments).where(
      sql`${attachments.id} IN (${fileIds}) AND ${attachments.id} NOT IN (SELECT t.attachment_id FROM ${chosen} p
        JOIN contact_submissions t ON t.id = p.id WHERE t.attachment_id IS NOT NULL)`,
    ),
  ]);
  const [[event], [left], kept] = await Promise.all([
    ctx.db
      .select({ meta: auditEvents.meta_json })
      .from(auditEvents)
      .where(and(eq(auditEvents.object_type, "submission"), eq(auditEvents.object_id, nonce)))
      .limit(1),
    ctx.db.all<{ count: number }>(
      sql`SELECT count(*) AS count FROM ${chosen} p JOIN contact_submissions t ON t.id = p.id`,
    ),
    ctx.db.all<{ key: string }>(sql`SELECT r2_key AS key FROM attachments WHERE id IN (${fileIds})`),
  ]);
  const keptKeys = kept.map(({ key }) => key);
  const gone = files.map(({ key }) => key).filter((key) => !keptKeys.includes(key));
  // A file that stays behind because R2 is away is found by the sweep of orphans.
  if (written && gone.length > 0) ctx.after(ctx.files.delete(gone));
  const { count } = JSON.parse(event?.meta ?? '{"count":0}') as { count: number };
  return { changed: count, skipped: left?.count ?? 0 };
}
