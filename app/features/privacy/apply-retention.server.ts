import { type SQL, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { retentionRuns } from "~/db/schema/privacy";
import { contactSubmissions } from "~/db/schema/submissions";
import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { listKeysOf } from "~/features/attachments/queries.server";
import { SYSTEM } from "~/features/audit/model";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { findRetention } from "~/features/settings/find-submission-retention.server";
import { ruleInForce } from "~/features/settings/submission-retention";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { expiredSubmissions } from "./expired-submissions.server";

/** Limits the submissions that are deleted at a time, and how often that is done in one run. */
const DELETED_AT_ONCE = 100;
const MAX_ROUNDS = 5;

type RetentionContext = Pick<Ctx, "db" | "now" | "files" | "request" | "signedIn">;

/**
 * Deletes the submissions, resolved or held for review, with which nothing has happened for as long as the settings say,
 * with notes, history, files and unsent mails. What is on hold stays. The run is logged with its numbers, also if there was nothing to do.
 */
export async function applyRetention(ctx: RetentionContext): Promise<{ count: number; more: boolean }> {
  const now = ctx.now();
  const { days: retentionDays, never } = ruleInForce((await findRetention(ctx.db)).retention, now);
  if (never) return { count: 0, more: false };
  await logRun(ctx, retentionDays, now);
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const expired = await ctx.db.all<{ id: string }>(
      sql`SELECT id FROM (${expiredSubmissions(retentionDays, now)}) WHERE NOT onHold LIMIT ${DELETED_AT_ONCE}`,
    );
    if (expired.length === 0) break;
    await deleteExpired(ctx, { ids: JSON.stringify(expired.map(({ id }) => id)), retentionDays, now });
    count += expired.length;
    if (expired.length < DELETED_AT_ONCE) return { count, more: false };
  }
  return { count, more: count > 0 };
}

/** Selects the submissions that a hold protects, as JSON: those on hold are few, those old enough may be many. */
const HELD_IDS = sql`(SELECT json_group_array(id) FROM (
  SELECT h.subject_id AS id FROM legal_holds h WHERE h.subject_type = 'submission' AND h.lifted_at IS NULL
  UNION SELECT s.id FROM legal_holds h CROSS JOIN users u ON u.id = h.subject_id
    CROSS JOIN contact_submissions s ON s.email = u.email WHERE h.subject_type = 'user' AND h.lifted_at IS NULL))`;

/** Makes the row of the day, with how many were old enough and are on hold. */
async function logRun({ db }: RetentionContext, retentionDays: number, now: Instant): Promise<void> {
  const held = sql`(SELECT count(*) FROM (${expiredSubmissions(retentionDays, now, HELD_IDS)}) WHERE onHold)`;
  await db
    .insert(retentionRuns)
    .values({ day: dayIn("UTC", now), started_at: now, retention_days: retentionDays, on_hold: held })
    .onConflictDoUpdate({ target: retentionRuns.day, set: { retention_days: retentionDays, on_hold: held } });
}

type Part = { ids: string; retentionDays: number; now: Instant };

/** Deletes those of some submissions that are still old enough at the moment of the commit. */
async function deleteExpired(ctx: RetentionContext, { ids, retentionDays, now }: Part): Promise<void> {
  const { db } = ctx;
  const expired = sql`SELECT id FROM (${expiredSubmissions(retentionDays, now, ids)}) WHERE NOT onHold`;
  const among = sql`SELECT value FROM json_each(${ids})`;
  const gone = sql`SELECT value FROM json_each(${ids})
    WHERE NOT EXISTS (SELECT 1 FROM contact_submissions s WHERE s.id = value)`;
  const numberOf = (table: string): SQL =>
    sql`(SELECT count(*) FROM ${sql.raw(table)} x WHERE x.subject_type = 'submission' AND x.subject_id IN (${expired}))`;
  const keys = await listKeysOf(db, "submission", among);
  await commit(db, [
    db
      .update(retentionRuns)
      .set({
        submissions: sql`${retentionRuns.submissions} + (SELECT count(*) FROM (${expired}))`,
        files: sql`${retentionRuns.files} + ${numberOf("attachments")}`,
        notes: sql`${retentionRuns.notes} + ${numberOf("admin_notes")}`,
      })
      .where(sql`${retentionRuns.day} = ${dayIn("UTC", now)}`),
    recordAuditOfRows(ctx, "submission.expired", {
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
