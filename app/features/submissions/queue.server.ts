import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { countRows, type Db, expectRow } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import type { StaffActor } from "~/features/auth/guards.server";
import { siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { FormAnswer } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import { MODERATION_LABELS, type ModerationReason } from "~/lib/moderation";
import { type CappedCount, capped, cappedText } from "~/lib/numbers";
import { snippetOf } from "~/lib/text";
import { clockIn, dayIn, type Instant } from "~/lib/time";
import { type Due, dueOf, shortDay } from "~/lib/time-labels";
import {
  type QueueOwner,
  queueOwner,
  queuePath,
  WAITING_COUNTED,
  type WaitingItem,
  type WaitingQueue,
} from "~/lib/waiting";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { done, invalid } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { assignmentStatements } from "./changes.server";
import { HAS_OWNER, NOT_TAKEN, NOT_WAITING, takenMessage } from "./labels";
import type { FollowUp } from "./model";
import { countSubmissions, findSubmission } from "./queries.server";
import { replyDueAt } from "./reply-target";
import { submissionPath } from "./subject";

export const QUEUE_LENGTH = 10;

/** In characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 120;

type Source = { index: string; where: SQL };

function sourceOf(owner: QueueOwner, userId: string): Source {
  if (owner === "all") {
    return { index: "submissions_by_status", where: sql`t.held_reason IS NULL AND t.status_rank = 0` };
  }
  const whose = owner === "me" ? sql`t.owner_id = ${userId}` : sql`t.owner_id IS NULL`;
  return { index: "submissions_waiting", where: sql`t.held_reason IS NULL AND t.status = 'new' AND ${whose}` };
}

const from = ({ index, where }: Source): SQL =>
  sql`FROM contact_submissions t INDEXED BY ${sql.raw(index)} WHERE ${where}`;

/** The oldest promises are those of the oldest submissions, unless the hours have changed. */
export async function readQueue(
  { db, now }: Pick<Ctx, "db" | "now">,
  { userId }: Pick<Actor, "userId">,
  owner: QueueOwner,
): Promise<WaitingQueue> {
  const at = now();
  const [settings, counts, oldest, mine, unowned, rows] = await Promise.all([
    getSettings(db),
    countSubmissions(db),
    listOldest(db),
    countRows(db, sql`SELECT 1 ${from(sourceOf("me", userId))}`, WAITING_COUNTED),
    countRows(db, sql`SELECT 1 ${from(sourceOf("none", userId))}`, WAITING_COUNTED),
    listWaiting(db, sourceOf(owner, userId)),
  ]);
  const calendar = siteCalendar(settings);
  const clock = { zone: calendar.zone, now: at };
  return {
    items: rows
      .map(({ dueAt, ...row }) => toItem(row, dueOf({ ...clock, dueAt, answeredAt: null }), clock))
      .sort((one, other) => one.due.dueAt - other.due.dueAt),
    counts: { all: { count: counts.new, isMore: false }, me: mine, none: unowned },
    late: capped(oldest.filter((dueAt) => dueAt < at).length, WAITING_COUNTED),
    next: dueOf({
      ...clock,
      dueAt: oldest.length > 0 ? Math.min(...oldest) : replyDueAt(calendar, at),
      answeredAt: null,
    }),
  };
}

async function listOldest(db: Db): Promise<Instant[]> {
  const rows = await db.all<{ at: Instant }>(sql`
    SELECT t.reply_due_at AS at ${from(sourceOf("all", ""))} ORDER BY t.created_at, t.id LIMIT ${WAITING_COUNTED + 1}`);
  return rows.map(({ at }) => at);
}

type WaitingRow = {
  id: string;
  number: number;
  name: string;
  company: string | null;
  snippet: string | null;
  dueAt: Instant;
  owner: string | null;
};

const listWaiting = (db: Db, source: Source) =>
  db.all<WaitingRow>(sql`
    SELECT t.id, t.number, t.first_name || ' ' || t.last_name AS name, t.company,
      substr(t.message, 1, ${SNIPPET_LENGTH + 1}) AS snippet, t.reply_due_at AS dueAt,
      (SELECT u.full_name FROM users u WHERE u.id = t.owner_id) AS owner
    ${from(source)} ORDER BY t.created_at, t.id LIMIT ${QUEUE_LENGTH}`);

function toItem(
  { number, company, snippet, ...row }: Omit<WaitingRow, "dueAt">,
  due: Due,
  clock: { zone: string; now: Instant },
): WaitingItem {
  return {
    ...row,
    number: referenceNumber("submission", number),
    to: submissionPath(row.id),
    organization: company,
    snippet: snippetOf(snippet, SNIPPET_LENGTH),
    due,
    mark: null,
    sla: targetInWords(due, clock),
    take: "take",
  };
}

/** "promised by Nov 18, 10:13", "by 14:26", or how long an answer may take. */
function targetInWords({ state, dueAt }: Due, { zone, now }: { zone: string; now: Instant }): string {
  if (state === "later") return "1 business day";
  const [day, time] = [dayIn(zone, dueAt), clockIn(zone, dueAt)];
  const moment = day === dayIn(zone, now) ? time : `${shortDay(day)}, ${time}`;
  return state === "late" ? `promised by ${moment}` : `by ${moment}`;
}

const FOLLOW_UPS_SHOWN = 5;

/** The longest overdue first. The first days are read with the zone, which decides which of them have come. */
export async function listDueFollowUps({
  db,
  now,
}: Pick<Ctx, "db" | "now">): Promise<{ items: FollowUp[]; hasMore: boolean }> {
  const [{ timeZone }, rows] = await Promise.all([
    getSettings(db),
    db.all<Omit<FollowUp, "number" | "to" | "since"> & { id: string; number: number; day: string }>(sql`
      SELECT t.id, t.number, t.first_name || ' ' || t.last_name AS name, t.company AS organization,
        t.follow_up_on AS day, (SELECT u.full_name FROM users u WHERE u.id = t.owner_id) AS owner
      FROM contact_submissions t INDEXED BY submissions_follow_up_by_day
      WHERE t.held_reason IS NULL AND t.follow_up_on IS NOT NULL AND t.status <> 'resolved'
      ORDER BY t.follow_up_on, t.id LIMIT ${FOLLOW_UPS_SHOWN + 1}`),
  ]);
  const today = dayIn(timeZone, now());
  const due = rows.filter(({ day }) => day <= today);
  const items = due.slice(0, FOLLOW_UPS_SHOWN).map(({ id, number, day, ...row }) => ({
    ...row,
    number: referenceNumber("submission", number),
    to: submissionPath(id),
    since: day < today ? shortDay(day) : null,
  }));
  return { items, hasMore: due.length > FOLLOW_UPS_SHOWN };
}

/** Of many held ones the newest are read; then each number ends in "+": older ones may have the same reason. */
export async function listInModeration(db: Db): Promise<string[]> {
  const rows = await db.all<{ reason: ModerationReason; count: number; read: number }>(sql`
    SELECT held_reason AS reason, count(*) AS count, sum(count(*)) OVER () AS read
    FROM (SELECT t.held_reason FROM contact_submissions t INDEXED BY submissions_held
      WHERE t.held_reason IS NOT NULL AND t.created_at > 0 ORDER BY t.created_at DESC, t.id DESC LIMIT ${WAITING_COUNTED + 1})
    GROUP BY held_reason ORDER BY count(*) DESC, held_reason`);
  return rows.map(({ reason, count, read }) => {
    const shown: CappedCount = { count, isMore: read > WAITING_COUNTED };
    return count === 1 && !shown.isMore
      ? MODERATION_LABELS[reason]
      : `${MODERATION_LABELS[reason]} (${cappedText(shown)})`;
  });
}

type NotTaken = "submission_not_found" | "has_owner" | "not_waiting";

/** The first one gets it. */
async function takeSubmission(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce }: { submissionId: string; nonce: string },
): Promise<Result<{ name: string }, NotTaken>> {
  const t = contactSubmissions;
  // A choice: who has given it away since has not taken it by a late post.
  const form = { scope: "submission-take", key: nonce, choice: actor.userId };
  const taken = await runCommand(ctx, form, {
    read: () => findSubmission(ctx.db, submissionId),
    plan: (submission): Planned<NotTaken> => {
      if (!submission) return fail("submission_not_found");
      const { name: resultId, owner, status, moderationReason } = submission;
      if (owner) return owner.id === actor.userId ? ok({ resultId }) : fail("has_owner");
      if (status !== "new" || moderationReason) return fail("not_waiting");
      const isWaiting = and(eq(t.id, submissionId), isNull(t.owner_id), eq(t.status, "new"), isNull(t.held_reason));
      return ok({
        resultId,
        statements: [
          expectRow(ctx.db, t, isWaiting),
          ...assignmentStatements(ctx, actor, { submission, owner: { id: actor.userId, name: actor.fullName } }),
        ],
      });
    },
  });
  if (taken.ok) return ok({ name: taken.value });
  return fail(taken.code === "changed_since" ? "not_waiting" : taken.code);
}

const TakeForm = z.object({
  id: z.string().regex(/^sub_[a-z0-9_]{1,60}$/i),
  own: z
    .string()
    .optional()
    .transform((text) => queueOwner(text ?? null)),
});

const NOT_TAKEN_BECAUSE = { has_owner: HAS_OWNER, not_waiting: NOT_WAITING, submission_not_found: NOT_TAKEN };

export const queueActions = formActions<StaffActor, null, FormAnswer>()({
  take: {
    ability: "submission.assign",
    purpose: "queue-take",
    failed: NOT_TAKEN,
    form: TakeForm,
    invalid: (problem) => invalid({ rejection: reasonOf(problem, NOT_TAKEN) }),
    run: async (ctx, actor, { input: { id, own }, nonce }) => {
      // All rows of a page share a token: without the id, taking a second one would count as the first form posted
      // again.
      const result = await takeSubmission(ctx, actor, { submissionId: id, nonce: `${nonce}:${id}` });
      if (result.ok)
        return done({ to: `${queuePath(own)}#${id}`, flash: { kind: "success", ...takenMessage(result.value.name) } });
      return invalid({ rejection: NOT_TAKEN_BECAUSE[result.code] });
    },
  },
});
