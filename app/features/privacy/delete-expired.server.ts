import { type SQL, sql } from "drizzle-orm";
import { commit, type Statement } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { listKeysOf } from "~/features/attachments/queries.server";
import { type AuditAction, SYSTEM } from "~/features/audit/model";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { expiredSubmissions } from "./expired-submissions.server";

/** Limits the submissions that are deleted at a time, and how often that is done in one run. */
const DELETED_AT_ONCE = 100;
const MAX_ROUNDS = 5;

export type DeletionContext = Pick<Ctx, "budget" | "db" | "now" | "files" | "request" | "signedIn">;

/** Says how many were deleted. `more`: perhaps there are more, for the next run. */
export type Deleted = { count: number; more: boolean };

type Deletion = {
  /** Holds the time since which nothing has happened with them. */
  before: Instant;
  action: Extract<AuditAction, `submission.${string}`>;
  /** Returns the statement that adds up what was deleted. It precedes the deletion in its batch. */
  log: (numbers: { submissions: SQL; files: SQL; notes: SQL }) => Statement;
};

/**
 * Deletes submissions that are resolved or held for review and have been quiet since a time, with notes, history, files
 * and unsent mails, a part at a time. What is on hold stays.
 */
export async function deleteSome(ctx: DeletionContext, deletion: Deletion): Promise<Deleted> {
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const expired = await ctx.db.all<{ id: string }>(
      sql`SELECT id FROM (${expiredSubmissions(deletion.before)}) WHERE NOT onHold LIMIT ${DELETED_AT_ONCE}`,
    );
    if (expired.length === 0) return { count, more: false };
    await deletePart(ctx, { ...deletion, ids: JSON.stringify(expired.map(({ id }) => id)) });
    count += expired.length;
    if (expired.length < DELETED_AT_ONCE) return { count, more: false };
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

/** Deletes those of some submissions that are still old enough at the moment of the commit. */
async function deletePart(
  ctx: DeletionContext,
  { ids, before, action, log }: Deletion & { ids: string },
): Promise<void> {
  const { db } = ctx;
  const expired = sql`SELECT id FROM (${expiredSubmissions(before, ids)}) WHERE NOT onHold`;
  const among = sql`SELECT value FROM json_each(${ids})`;
  const gone = sql`SELECT value FROM json_each(${ids})
    WHERE NOT EXISTS (SELECT 1 FROM contact_submissions s WHERE s.id = value)`;
  const numberOf = (table: string): SQL =>
    sql`(SELECT count(*) FROM ${sql.raw(table)} x WHERE x.subject_type = 'submission' AND x.subject_id IN (${expired}))`;
  const keys = await listKeysOf(db, "submission", among);
  await commit(db, [
    log({
      submissions: sql`(SELECT count(*) FROM (${expired}))`,
      files: numberOf("attachments"),
      notes: numberOf("admin_notes"),
    }),
    recordAuditOfRows(ctx, action, {
      actor: SYSTEM,
      subjectType: "submission",
      rows: sql`SELECT NULL AS subject_id, json_object('count', count(*), 'ids', json_group_array(d.id)) AS meta_json,
        printf('%,d', count(*)) || iif(count(*) = 1, ' submission', ' submissions') AS details
        FROM (${expired}) d HAVING count(*) > 0`,
      subjects: [],
    }),
    db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${expired})`),
    ...eraseSubjects(db, "submission", gone),
  ]);
  // A file that stays behind because R2 is away is deleted by the job `sweep-orphans`.
  await deleteOrphans(ctx, keys);
}
