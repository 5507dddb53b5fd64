import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { type Db, expectChange, type Statement } from "~/db/client.server";
import { contactSubmissions, submissionAssignments, submissionEvents } from "~/db/schema/submissions";
import { recordAudit, recordAuditIf, recordAuditOfRows } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import type { Calendar } from "~/lib/calendar";
import { fail, ok, type Result } from "~/lib/errors";
import type { Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { SUBMISSION_STATUS_LABELS } from "./labels";
import type { SubmissionStatus } from "./model";
import type { SubmissionRecord } from "./queries.server";
import { findSubmissionName } from "./queries.server";
import { replyDueAt } from "./reply-target";
import { submissionSubject } from "./subject";

/**
 * History, audit, live event and last the row: all read the status at the moment of the commit, because a colleague may
 * have changed it since. If the row no longer meets the condition, none of them writes anything.
 */
export function statusChangeStatements(
  ctx: Ctx,
  actor: SignedIn,
  {
    submission,
    to,
    onlyIf,
    madeClient = false,
  }: { submission: { id: string; name: string }; to: SubmissionStatus; onlyIf: SQL; madeClient?: boolean },
): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const mayChange = and(eq(t.id, submission.id), onlyIf);
  const eventId = ctx.newId("sev");
  const label = `${submission.name}: ${SUBMISSION_STATUS_LABELS[to]}`;
  return [
    ctx.db
      .insert(submissionEvents)
      .select(
        sql`select ${eventId}, ${t.id}, ${t.status}, ${to}, ${actor.userId}, ${actor.fullName}, ${at}, ${madeClient} from ${t} where ${mayChange}`,
      ),
    recordAuditOfRows(ctx, "submission.status_changed", {
      subjectType: "submission",
      rows: sql`
        SELECT ${t.id} AS subject_id, json_object('from', ${t.status}, 'to', ${to}) AS meta_json,
          ${t.status} || ' to ' || ${to} AS details
        FROM ${t} WHERE ${mayChange}`,
      subjects: [submission],
    }),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      subject: submissionSubject(submission),
      label,
      onlyIf: sql`exists (select 1 from ${t} where ${mayChange})`,
    }),
    ...notifyOwners(ctx, actor, sql`SELECT ${t.owner_id} FROM ${t} WHERE ${mayChange}`, {
      subject: submissionSubject(submission),
      label: sql`${label}`,
      itemId: eventId,
      detail: to,
      mail: "submission-update",
    }),
    ctx.db
      .update(t)
      .set({ status: to, updated_at: at, version: sql`${t.version} + 1` })
      .where(mayChange),
  ];
}

/** They stand before the change. `owners`: a query for ids, as `owner_id`. */
export const notifyOwners = (
  ctx: Ctx,
  { userId, fullName }: SignedIn,
  owners: SQL,
  notification: Pick<Parameters<typeof notifyPeople>[1], "subject" | "label" | "itemId" | "detail" | "mail">,
): Statement[] =>
  notifyPeople(ctx, {
    ...notification,
    recipients: [
      { event: "submission_moved", people: sql`${activeStaff} AND r.user_id IN (SELECT owner_id FROM (${owners}))` },
    ],
    actor: { userId, fullName },
  });

/** The last write wins. Setting the status it already has changes nothing and leaves no trace. */
export async function changeSubmissionStatus(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, status, nonce }: { submissionId: string; status: SubmissionStatus; nonce: string },
): Promise<Result<{ changed: boolean }, "submission_not_found" | "changed_since">> {
  let changed = false;
  const form = { scope: "submission-status", key: `${nonce}:${submissionId}`, choice: status };
  const set = await runCommand(ctx, form, {
    read: () => findSubmissionName(ctx.db, submissionId),
    plan: (submission): Planned<"submission_not_found"> => {
      if (!submission) return fail("submission_not_found");
      const result = { resultId: submissionId };
      if (submission.status === status) return ok(result);
      changed = true;
      return ok({
        ...result,
        statements: [
          ...statusChangeStatements(ctx, actor, {
            submission: { id: submissionId, name: submission.name },
            to: status,
            onlyIf: ne(contactSubmissions.status, status),
          }),
          // Fails when a colleague has set the same status since the read: then there is nothing left to do.
          expectChange(ctx.db),
        ],
        after: () => ctx.after(ctx.live.notify("staff")),
      });
    },
  });
  return set.ok ? ok({ changed }) : set;
}

/** What is absent stays as it is at the moment of the commit. */
type AssignmentChange = {
  submission: Pick<SubmissionRecord, "id" | "name">;
  /** Null: nobody. */
  owner?: { id: string; name: string } | null;
  /** `YYYY-MM-DD`; null: none. */
  followUpOn?: string | null;
};

/** If a colleague was faster, none of them writes anything. */
export function takeStatements(ctx: Ctx, actor: SignedIn, submission: AssignmentChange["submission"]): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const { userId, fullName } = actor;
  const hasNoOwner = and(eq(t.id, submission.id), isNull(t.owner_id));
  return [
    ctx.db
      .insert(submissionAssignments)
      .select(
        sql`select ${ctx.newId("sas")}, ${t.id}, ${fullName}, ${t.follow_up_on}, ${userId}, ${fullName}, ${at} from ${t} where ${hasNoOwner}`,
      ),
    recordAuditIf(ctx, "submission.assigned", {
      subject: submissionSubject(submission),
      meta: { owner: fullName, people: { owner: userId } },
      onlyIf: sql`EXISTS (SELECT 1 FROM ${t} WHERE ${hasNoOwner})`,
    }),
    ctx.db
      .update(t)
      .set({ owner_id: userId, updated_at: at, version: sql`${t.version} + 1` })
      .where(hasNoOwner),
  ];
}

/** The history gets owner and day as they are after the change, the audit what was changed. */
export function assignmentStatements(
  ctx: Ctx,
  actor: SignedIn,
  { submission, owner, followUpOn }: AssignmentChange,
): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const isIt = eq(t.id, submission.id);
  const ownerName = sql`(select full_name from users where id = ${t.owner_id})`;
  return [
    ctx.db
      .update(t)
      .set({
        owner_id: owner === undefined ? undefined : (owner?.id ?? null),
        follow_up_on: followUpOn,
        updated_at: at,
        version: sql`${t.version} + 1`,
      })
      .where(isIt),
    ctx.db
      .insert(submissionAssignments)
      .select(
        sql`select ${ctx.newId("sas")}, ${t.id}, ${ownerName}, ${t.follow_up_on}, ${actor.userId}, ${actor.fullName}, ${at} from ${t} where ${isIt}`,
      ),
    recordAudit(ctx, "submission.assigned", {
      subject: submissionSubject(submission),
      meta: {
        ...(owner === undefined ? {} : { owner: owner?.name ?? null, people: { owner: owner?.id } }),
        ...(followUpOn === undefined ? {} : { follow_up_on: followUpOn }),
        // Events of former versions hold both whichever was changed.
        ...(owner === undefined || followUpOn === undefined ? {} : { both: true }),
      },
    }),
  ];
}

/** At a time. Each new one waits for a day or two only. */
const MOST = 1_000;

/** What is late already stays late. */
async function listThatMove(db: Db, calendar: Calendar, at: Instant): Promise<{ id: string; dueAt: Instant }[]> {
  const rows = await db.all<{ id: string; submittedAt: Instant; dueAt: Instant }>(sql`
    SELECT t.id, t.created_at AS submittedAt, t.reply_due_at AS dueAt
    FROM contact_submissions t INDEXED BY submissions_by_status
    WHERE t.held_reason IS NULL AND t.status_rank = 0 AND t.reply_due_at > ${at}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST}`);
  return rows.flatMap(({ id, submittedAt, dueAt }) => {
    const moved = replyDueAt(calendar, submittedAt);
    return moved === dueAt ? [] : [{ id, dueAt: moved }];
  });
}

export const countReplyTimesThatMove = async (db: Db, calendar: Calendar, at: Instant): Promise<number> =>
  (await listThatMove(db, calendar, at)).length;

export async function moveReplyTimes(db: Db, calendar: Calendar, at: Instant): Promise<number> {
  const moved = await listThatMove(db, calendar, at);
  if (moved.length === 0) return 0;
  await db.run(sql`
    UPDATE contact_submissions SET reply_due_at = m.value ->> 'dueAt'
    FROM json_each(${JSON.stringify(moved)}) m
    WHERE contact_submissions.id = m.value ->> 'id' AND held_reason IS NULL AND status = 'new'`);
  return moved.length;
}

export function afterChange(ctx: Ctx): void {
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
}
