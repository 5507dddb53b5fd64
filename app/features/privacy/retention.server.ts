import { eq, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "~/db/client.server";
import { retentionRuns } from "~/db/schema/privacy";
import { contactSubmissions } from "~/db/schema/submissions";
import { deleteOrphans, listKeysOf } from "~/features/attachments/queries.server";
import { type AuditAction, SYSTEM } from "~/features/audit/model";
import { recordAuditOfRows } from "~/features/audit/record-audit.server";
import { ruleInForce } from "~/features/settings/model";
import { findRetention } from "~/features/settings/queries.server";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import { isSubmissionOnHold } from "~/features/subjects/legal-hold.server";
import { dayIn, days, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** Each with the index in whose order they are looked at, the oldest first. */
const RESOLVED = {
  // What became of a client's first request is theirs.
  is: sql`t.held_reason IS NULL AND t.status = 'resolved' AND t.organization_id IS NULL`,
  source: sql`contact_submissions t INDEXED BY submissions_by_last_change`,
};
const HELD_FOR_REVIEW = {
  is: sql`t.held_reason IS NOT NULL`,
  source: sql`contact_submissions t INDEXED BY submissions_held`,
};

/**
 * With which nothing has happened since: no change, note, reply or assignment. What the retention or a purge deletes
 * and what its preview counts are both this query. `among`: ids to look at, as JSON; without them all are.
 */
function expiredSubmissions(before: Instant, among?: string | SQL): SQL {
  const since = (table: string) =>
    sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} x WHERE x.submission_id = t.id AND x.at >= ${before})`;
  const select = ({ is, source }: { is: SQL; source: SQL }) => sql`
    SELECT t.id AS id, ${isSubmissionOnHold(sql`t.id`, sql`t.email`)} AS onHold FROM ${source}
    WHERE ${is} AND t.updated_at < ${before}
      AND NOT ${since("submission_events")} AND NOT ${since("submission_assignments")}
      AND NOT ${since("submission_replies")}
      AND NOT EXISTS (SELECT 1 FROM admin_notes n WHERE n.subject_type = 'submission' AND n.subject_id = t.id
        AND n.updated_at >= ${before})`;
  if (!among) {
    // No change is older than the row itself, so that the index ends the search.
    const held = { ...HELD_FOR_REVIEW, is: sql`${HELD_FOR_REVIEW.is} AND t.created_at < ${before}` };
    return sql`${select(RESOLVED)} UNION ALL ${select(held)}`;
  }
  return select({
    is: sql`((${RESOLVED.is}) OR ${HELD_FOR_REVIEW.is})`,
    source: sql`json_each(${among}) asked CROSS JOIN contact_submissions t ON t.id = asked.value`,
  });
}

/** As JSON: those on hold are few, those old enough may be many. */
const HELD_IDS = sql`(SELECT json_group_array(id) FROM (
  SELECT h.subject_id AS id FROM legal_holds h WHERE h.subject_type = 'submission' AND h.lifted_at IS NULL
  UNION SELECT s.id FROM legal_holds h CROSS JOIN users u ON u.id = h.subject_id
    CROSS JOIN contact_submissions s ON s.email = u.email WHERE h.subject_type = 'user' AND h.lifted_at IS NULL))`;

/** They are old enough and stay. */
export const countOnHold = (before: Instant): SQL =>
  sql`(SELECT count(*) FROM (${expiredSubmissions(before, HELD_IDS)}) WHERE onHold)`;

const PREVIEW_LIMIT = 1_000;

/** `isMore`: more would go than were counted. All on hold are counted: they are few. */
type DeletionPreview = { count: number; onHold: number; isMore: boolean };

export async function previewDeletion(db: Db, before: Instant): Promise<DeletionPreview> {
  const [row] = await db.all<{ counted: number; onHold: number }>(sql`
    SELECT ${countOnHold(before)} AS onHold, count(*) AS counted
    FROM (SELECT 1 FROM (${expiredSubmissions(before)}) WHERE NOT onHold LIMIT ${PREVIEW_LIMIT + 1})`);
  const { counted, onHold } = row ?? { counted: 0, onHold: 0 };
  return { count: Math.min(counted, PREVIEW_LIMIT), onHold, isMore: counted > PREVIEW_LIMIT };
}

export async function previewRemains(db: Db, before: Instant): Promise<{ files: number; notes: number }> {
  const numberOf = (table: string) => sql`(SELECT count(*) FROM gone CROSS JOIN ${sql.raw(table)} x
    ON x.subject_type = 'submission' AND x.subject_id = gone.id)`;
  const [row] = await db.all<{ files: number; notes: number }>(sql`
    WITH gone AS (SELECT id FROM (${expiredSubmissions(before)}) WHERE NOT onHold LIMIT ${PREVIEW_LIMIT})
    SELECT ${numberOf("attachments")} AS files, ${numberOf("admin_notes")} AS notes`);
  return row ?? { files: 0, notes: 0 };
}

const DELETED_AT_ONCE = 100;
const MAX_ROUNDS = 5;

export type DeletionContext = Pick<Ctx, "budget" | "db" | "now" | "files" | "request" | "signedIn">;

/** `more`: perhaps there are more, for the next run. */
export type Deleted = { count: number; more: boolean };

type Deletion = {
  before: Instant;
  action: Extract<AuditAction, `submission.${string}`>;
  /** It precedes the deletion in its batch. */
  log: (numbers: { submissions: SQL; files: SQL; notes: SQL }) => Statement;
};

/** With notes, history, files and unsent mails, a part at a time. What is on hold stays. */
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

/**
 * With notes, history, files and unsent mails. What is on hold stays. Each run is logged, also if there was nothing to
 * do.
 */
export async function applyRetention(ctx: DeletionContext): Promise<Deleted> {
  const now = ctx.now();
  const { days: retentionDays, never } = ruleInForce((await findRetention(ctx.db)).retention, now);
  if (never) return { count: 0, more: false };
  const before = now - days(retentionDays);
  await logRun(ctx, { retentionDays, before });
  return deleteSome(ctx, {
    before,
    action: "submission.expired",
    log: ({ submissions, files, notes }) =>
      ctx.db
        .update(retentionRuns)
        .set({
          submissions: sql`${retentionRuns.submissions} + ${submissions}`,
          files: sql`${retentionRuns.files} + ${files}`,
          notes: sql`${retentionRuns.notes} + ${notes}`,
        })
        .where(eq(retentionRuns.day, dayIn("UTC", now))),
  });
}

type Run = { retentionDays: number; before: Instant };

async function logRun({ db, now }: DeletionContext, { retentionDays, before }: Run): Promise<void> {
  const held = countOnHold(before);
  await db
    .insert(retentionRuns)
    .values({ day: dayIn("UTC", now()), started_at: now(), retention_days: retentionDays, on_hold: held })
    .onConflictDoUpdate({ target: retentionRuns.day, set: { retention_days: retentionDays, on_hold: held } });
}
