import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { STATUS_LABELS } from "./copy";
import type { SubmissionStatus } from "./model";
import { submissionSubject } from "./subject";

type Move = {
  submission: { id: string; name: string };
  to: SubmissionStatus;
  /** Holds the condition that the row must still meet, for example that it has another status. */
  onlyIf: SQL;
};

/**
 * Returns the statements that move a submission to a status, for the batch of a command: history, audit, live event and
 * last the row itself. All of them read the status at the moment of the commit, because a colleague may have changed it
 * since the command read it. If the row no longer meets the condition, none of them writes anything.
 */
export function statusChangeStatements(ctx: Ctx, actor: SignedIn, { submission, to, onlyIf }: Move): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const mayChange = and(eq(t.id, submission.id), onlyIf);
  const eventId = ctx.newId("sev");
  const label = `${submission.name}: ${STATUS_LABELS[to]}`;
  return [
    ctx.db
      .insert(submissionEvents)
      .select(
        sql`select ${eventId}, ${t.id}, ${t.status}, ${to}, ${actor.userId}, ${actor.fullName}, ${at} from ${t} where ${mayChange}`,
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

type OwnerNotification = Pick<Parameters<typeof notifyPeople>[1], "subject" | "label" | "itemId" | "detail" | "mail">;

/**
 * Returns the statements that tell the owners of submissions that a colleague moves them. They stand before the change.
 * `owners`: a query for their ids, as `owner_id`.
 */
export const notifyOwners = (
  ctx: Ctx,
  { userId, fullName }: SignedIn,
  owners: SQL,
  notification: OwnerNotification,
): Statement[] =>
  notifyPeople(ctx, {
    ...notification,
    recipients: [
      { event: "submission_moved", people: sql`${activeStaff} AND r.user_id IN (SELECT owner_id FROM (${owners}))` },
    ],
    actor: { userId, fullName },
  });
