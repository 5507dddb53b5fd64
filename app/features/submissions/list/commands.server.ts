import { and, eq, isNotNull, sql } from "drizzle-orm";
import { expectRow, expectThat } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { deleteOrphans, listKeysOf } from "~/features/attachments/queries.server";
import { MODERATION_DETAILS, recordAudit, recordAuditOfRows } from "~/features/audit/record-audit.server";
import { getSettings } from "~/features/settings/queries.server";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import { isSubmissionOnHold } from "~/features/subjects/legal-hold.server";
import { fail, ok, type Result } from "~/lib/errors";
import { plural } from "~/lib/text";
import { narrowTo, type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { afterChange, notifyOwners } from "../changes.server";
import { SUBMISSION_STATUS_LABELS } from "../labels";
import { notifyOfSubmission, notifyOfSubmissions } from "../mails.server";
import type { SubmissionStatus } from "../model";
import { findSubmission, RELEASED_FROM } from "../queries.server";
import { submissionSubject } from "../subject";
import { findInModeration } from "./read-list.server";

/** Unknown ids count as neither. */
type BulkOutcome = { changed: number; skipped: number };

/** `unchanged`: those that had the status already. */
type StatusOutcome = BulkOutcome & { unchanged: number };

/**
 * Skips rows that changed since the list was read. One live event announces all, and owners are told once, in the
 * product. The same rows posted again with one form return the same counts.
 */
export async function bulkChangeStatus(
  ctx: Ctx,
  actor: SignedIn,
  { selection, status, nonce }: { selection: Selection; status: SubmissionStatus; nonce: string },
): Promise<StatusOutcome> {
  const at = ctx.now();
  const selected = selectionTable(selection);
  // A page that could not be read again has the same token for another status, and for other rows.
  const asked = fingerprintOf(JSON.stringify([status, selection.rows])).slice(0, 16);
  const key = `${nonce.replace(/[^A-Za-z0-9_-]/g, "")}_${asked}`;
  const eventId = (id: string) => sql.raw(`'sev_${key}_' || ${id}`);
  const moves = sql`t.version = s.version AND t.status <> ${status} AND t.held_reason IS NULL`;
  const moved = sql`SELECT t.id, t.status FROM ${selected} s JOIN contact_submissions t ON t.id = s.id WHERE ${moves}`;
  const form = { scope: "submission-statuses", key };
  await runCommand(ctx, form, {
    read: () =>
      ctx.db.all<{ id: string; name: string; owner: string | null }>(sql`
        SELECT t.id, t.first_name || ' ' || t.last_name AS name, t.owner_id AS owner
        FROM ${selected} s JOIN contact_submissions t ON t.id = s.id WHERE ${moves}`),
    plan: (subjects): Planned<never> => {
      // Nobody is told of what does not happen.
      if (subjects.length === 0) return ok({ resultId: status });
      const owners = [...new Set(subjects.flatMap(({ owner }) => owner ?? []))];
      const label = `${plural(subjects.length, "submission")}: ${SUBMISSION_STATUS_LABELS[status]}`;
      return ok({
        resultId: status,
        statements: [
          ctx.db.insert(submissionEvents).select(sql`
            SELECT ${eventId("m.id")}, m.id, m.status, ${status}, ${actor.userId}, ${actor.fullName}, ${at}, 0
            FROM (${moved}) m`),
          recordAuditOfRows(ctx, "submission.status_changed", {
            subjectType: "submission",
            rows: sql`SELECT m.id AS subject_id, json_object('from', m.status, 'to', ${status}) AS meta_json,
                m.status || ' to ' || ${status} AS details
              FROM (${moved}) m`,
            subjects,
          }),
          ...notifyOwners(ctx, actor, sql`SELECT value AS owner_id FROM json_each(${JSON.stringify(owners)})`, {
            subject: { type: "submission", id: "" },
            itemId: "",
            mail: null,
            label: sql`${label}`,
          }),
          ctx.db
            .update(contactSubmissions)
            .set({ status, updated_at: at, version: sql`${contactSubmissions.version} + 1` })
            .where(sql`${contactSubmissions.id} IN (SELECT m.id FROM (${moved}) m)`),
          recordLiveEvent(ctx, {
            audience: "staff",
            type: "status_update",
            subject: { type: "submission", id: null },
            label,
          }),
        ],
        after: () => ctx.after(ctx.live.notify("staff")),
      });
    },
  });
  const isDone = sql`EXISTS (SELECT 1 FROM submission_events e WHERE e.id = ${eventId("t.id")})`;
  const [row] = await ctx.db.all<{ known: number; changed: number; unchanged: number }>(sql`
    SELECT count(*) AS known, coalesce(sum(${isDone}), 0) AS changed,
      coalesce(sum(t.version = s.version AND t.status = ${status} AND NOT ${isDone}), 0) AS unchanged
    FROM ${selected} s JOIN contact_submissions t ON t.id = s.id`);
  const { known, changed, unchanged } = row ?? { known: 0, changed: 0, unchanged: 0 };
  return { changed, unchanged, skipped: known - changed - unchanged };
}

/**
 * With notes, history, files, live events and unsent mails. Rows on hold, or changed since, are skipped. One audit
 * event with the ids remains: the same form posted again reads its result from there.
 */
export async function deleteSubmissions(
  ctx: Ctx,
  { selection, nonce }: { selection: Selection; nonce: string },
): Promise<BulkOutcome & { onHold: number }> {
  const selected = selectionTable(selection);
  const toDelete = sql`SELECT t.id FROM ${selected} s JOIN contact_submissions t ON t.id = s.id AND t.version = s.version
    WHERE NOT ${isSubmissionOnHold(sql`t.id`, sql`t.email`)}`;
  // As the event says: who may have selected a row cannot be told once it is gone.
  const deleted = sql`SELECT id.value FROM audit_events e JOIN json_each(e.meta_json, '$.ids') id
    WHERE e.subject_type = 'submission' AND e.subject_id = ${nonce}`;
  const form = { scope: "submissions-delete", key: nonce };
  await runCommand(ctx, form, {
    read: () => listKeysOf(ctx.db, "submission", sql`SELECT s.id FROM ${selected} s`),
    plan: (keys): Planned<never> =>
      ok({
        resultId: "",
        statements: [
          recordAuditOfRows(ctx, "submission.deleted", {
            subjectType: "submission",
            rows: sql`SELECT ${nonce} AS subject_id,
                json_object('count', count(*), 'ids', json_group_array(d.id)) AS meta_json,
                printf('%,d', count(*)) || iif(count(*) = 1, ' submission', ' submissions') AS details
              FROM (${toDelete}) d`,
            subjects: [],
          }),
          ctx.db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${toDelete})`),
          // After the submissions, which point at their files.
          ...eraseSubjects(ctx.db, "submission", deleted),
        ],
        // A file that stays behind because R2 is away is deleted by the job `sweep-orphans`.
        after: () => ctx.after(deleteOrphans(ctx, keys)),
      }),
  });
  const [[event], [left]] = await Promise.all([
    ctx.db
      .select({ meta: auditEvents.meta_json })
      .from(auditEvents)
      .where(and(eq(auditEvents.subject_type, "submission"), eq(auditEvents.subject_id, nonce)))
      .limit(1),
    ctx.db.all<{ count: number; onHold: number }>(
      sql`SELECT count(*) AS count, coalesce(sum(${isSubmissionOnHold(sql`t.id`, sql`t.email`)}), 0) AS onHold
        FROM ${selected} s JOIN contact_submissions t ON t.id = s.id`,
    ),
  ]);
  const { count } = JSON.parse(event?.meta ?? '{"count":0}') as { count: number };
  const { count: all, onHold } = left ?? { count: 0, onHold: 0 };
  return { changed: count, skipped: all - onHold, onHold };
}

/** "Not spam": it gets the status it has, is counted, and its mails are sent now. */
export async function releaseSubmission(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce }: { submissionId: string; nonce: string },
): Promise<Result<null, "submission_not_found">> {
  const t = contactSubmissions;
  const isInModeration = and(eq(t.id, submissionId), isNotNull(t.held_reason));
  const form = { scope: "submission-release", key: nonce };
  const released = await runCommand(ctx, form, {
    read: () => Promise.all([findSubmission(ctx.db, submissionId), getSettings(ctx.db)]),
    plan: ([submission, settings]): Planned<"submission_not_found"> => {
      if (!submission) return fail("submission_not_found");
      if (!submission.moderationReason) return ok({ resultId: submissionId });
      const at = ctx.now();
      return ok({
        resultId: submissionId,
        statements: [
          expectRow(ctx.db, t, isInModeration),
          ctx.db
            .update(t)
            .set({ held_reason: null, updated_at: at, version: sql`${t.version} + 1` })
            .where(isInModeration),
          ctx.db.insert(submissionEvents).values({
            id: ctx.newId("sev"),
            submission_id: submissionId,
            from_status: RELEASED_FROM,
            to_status: submission.status,
            actor_id: actor.userId,
            actor_name: actor.fullName,
            at,
          }),
          recordAudit(ctx, "submission.released", {
            subject: submissionSubject(submission),
            meta: { held: submission.moderationReason },
          }),
          ...notifyOfSubmission(ctx, settings, submission),
        ],
        after: () => afterChange(ctx),
      });
    },
  });
  return released.ok ? ok(null) : released;
}

/**
 * In one batch, with one live event. Rows that changed, or are not held any more, are skipped. The same form posted
 * again returns the same counts.
 */
export async function releaseSubmissions(
  ctx: Ctx,
  actor: SignedIn,
  { selection, nonce }: { selection: Selection; nonce: string },
): Promise<BulkOutcome> {
  const at = ctx.now();
  // A page that could not be read again has the same token for other rows.
  const key = `${nonce.replace(/[^A-Za-z0-9_-]/g, "")}_${fingerprintOf(JSON.stringify(selection.rows)).slice(0, 16)}`;
  const eventId = (id: string) => sql.raw(`'sev_${key}_' || ${id}`);
  const form = { scope: "submissions-release", key };
  await runCommand(ctx, form, {
    read: () => Promise.all([getSettings(ctx.db), findInModeration(ctx.db, selection)]),
    plan: ([settings, inModeration]): Planned<never> => {
      if (inModeration.length === 0) return ok({ resultId: "" });
      const idsInModeration = inModeration.map(({ id }) => id);
      const stillInModeration = sql`SELECT t.id, t.status, t.held_reason FROM ${selectionTable(narrowTo(selection, idsInModeration))} s
        JOIN contact_submissions t ON t.id = s.id AND t.version = s.version WHERE t.held_reason IS NOT NULL`;
      return ok({
        resultId: "",
        statements: [
          // The mails are for exactly those that were read.
          expectThat(ctx.db, sql`(SELECT count(*) FROM (${stillInModeration})) = ${inModeration.length}`),
          ctx.db.insert(submissionEvents).select(sql`
            SELECT ${eventId("m.id")}, m.id, ${RELEASED_FROM}, m.status, ${actor.userId}, ${actor.fullName}, ${at}, 0
            FROM (${stillInModeration}) m`),
          recordAuditOfRows(ctx, "submission.released", {
            subjectType: "submission",
            rows: sql`SELECT m.id AS subject_id, json_object('held', m.held_reason) AS meta_json,
                ${MODERATION_DETAILS} ->> m.held_reason AS details
              FROM (${stillInModeration}) m`,
            subjects: inModeration,
          }),
          ctx.db
            .update(contactSubmissions)
            .set({ held_reason: null, updated_at: at, version: sql`${contactSubmissions.version} + 1` })
            .where(sql`${contactSubmissions.id} IN (SELECT m.id FROM (${stillInModeration}) m)`),
          ...notifyOfSubmissions(ctx, settings, inModeration),
        ],
        after: () => afterChange(ctx),
      });
    },
  });
  const [row] = await ctx.db.all<{ known: number; done: number }>(sql`
    SELECT count(*) AS known,
      coalesce(sum(EXISTS (SELECT 1 FROM submission_events e WHERE e.id = ${eventId("t.id")})), 0) AS done
    FROM ${selectionTable(selection)} s JOIN contact_submissions t ON t.id = s.id`);
  const { known, done } = row ?? { known: 0, done: 0 };
  return { changed: done, skipped: known - done };
}
