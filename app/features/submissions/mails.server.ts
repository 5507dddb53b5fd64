import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { enqueueMail, enqueueMails } from "~/features/mail/enqueue-mail.server";
import type { MailData } from "~/features/mail/kinds";
import type { MailedEvent } from "~/features/mail/mail-kind";
import { notificationEvent } from "~/features/notifications/model";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import { estimateFacts } from "~/features/pricing/current-prices";
import type { Estimate } from "~/features/pricing/estimate";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { getSettings, planNamesIn } from "~/features/settings/queries.server";
import type { ShortSettings } from "~/features/settings/settings.server";
import { normalizeEmail } from "~/lib/email";
import { excerpt, fileSize, plural } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import type { ComposedMails, MailComposer } from "~/platform/subjects.server";
import { SUBMISSION_STATUS_LABELS } from "./labels";
import { SUBMISSION_STATUSES } from "./model";
import { targetTime } from "./reply-target";
import { submissionSubject } from "./subject";

export type AnnouncedSubmission = {
  id: string;
  firstName: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  message: string | null;
  estimate: Estimate | null;
  file: { name: string; bytes: number } | null;
  replyDueAt: Instant;
};

type Settings = ShortSettings;

/** These belong in the batch in which it is stored, or released from review. */
export function notifyOfSubmission(ctx: Ctx, settings: Settings, submission: AnnouncedSubmission): Statement[] {
  const { name } = submission;
  const { acknowledgement, notice } = mailsFor(ctx, settings, submission);
  return [
    enqueueMail(ctx, "submission-received", acknowledgement),
    ...(settings.enableNotifications ? [enqueueMail(ctx, "submission-notice", notice)] : []),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "new_submission",
      subject: submissionSubject(submission),
      label: name,
    }),
    ...notifyStaff(ctx, {
      subject: submissionSubject(submission),
      label: sql`${name}`,
      itemId: submission.id,
      mail: "submission-update",
    }),
  ];
}

export function notifyOfSubmissions(
  ctx: Ctx,
  settings: Settings,
  submissions: readonly AnnouncedSubmission[],
): Statement[] {
  const mails = submissions.map((submission) => mailsFor(ctx, settings, submission));
  return [
    ...enqueueMails(
      ctx,
      "submission-received",
      mails.map(({ acknowledgement }) => acknowledgement),
    ),
    ...enqueueMails(ctx, "submission-notice", settings.enableNotifications ? mails.map(({ notice }) => notice) : []),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      subject: { type: "submission", id: null },
      label: `${plural(submissions.length, "submission")}: Released from review`,
    }),
    ...notifyStaff(ctx, {
      subject: { type: "submission", id: "" },
      label: sql`${`${submissions.length.toLocaleString("en-US")}, released from review`}`,
      itemId: "",
      mail: null,
    }),
  ];
}

const notifyStaff = (
  ctx: Ctx,
  notification: Pick<Parameters<typeof notifyPeople>[1], "subject" | "label" | "itemId" | "mail">,
): Statement[] =>
  notifyPeople(ctx, {
    ...notification,
    recipients: [{ event: "new_submission", people: activeStaff }],
    actor: { userId: ctx.signedIn?.userId ?? null, fullName: "" },
  });

/** A promise that passed while it was under review is told to staff, who must answer now, and not to the visitor. */
function mailsFor({ now }: Pick<Ctx, "now">, settings: Settings, submission: AnnouncedSubmission) {
  const { adminEmail, timeZone } = settings;
  const { firstName, name, email, phone, company, message, file, replyDueAt: dueAt } = submission;
  const about = submissionSubject(submission);
  const replyBy = targetTime(timeZone, dueAt);
  const estimate = submission.estimate ? estimateFacts(submission.estimate, planNamesIn(settings)) : [];
  const repeated = { message, estimate, replyBy: now() < dueAt ? replyBy : null };
  return {
    acknowledgement: { to: email, about, data: { firstName, ...repeated } },
    notice: { to: adminEmail, about, data: { name, email, phone, company, message, estimate, file, replyBy } },
  };
}

const MESSAGE_EXCERPT = 500;

type Row = {
  id: string;
  email: string;
  name: string;
  company: string | null;
  message: string | null;
  address: string;
  phone: string | null;
  replyDueAt: number;
  estimateJson: string | null;
  fileName: string | null;
  fileSize: number | null;
  event: string;
  detail: string;
  actorName: string;
};

/** The recipient is active staff. */
const withReader = (mailIds: readonly string[]): SQL => sql`json_each(${JSON.stringify(mailIds)}) wanted
  CROSS JOIN outbox o ON o.id = wanted.value CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active'
  CROSS JOIN user_roles r ON r.user_id = u.id AND r.role IN ('admin', 'moderator')
  CROSS JOIN contact_submissions s ON s.id = o.subject_id`;

export async function listSendableSubmissionMails(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ id: string }>(sql`SELECT o.id FROM ${withReader(mailIds)}`);
  return new Set(rows.map(({ id }) => id));
}

/** The provider's own address has heard of a new one at once. */
export async function composeSubmissionMails(ctx: MailComposer, mailIds: readonly string[]): Promise<ComposedMails> {
  const [rows, settings] = await Promise.all([
    ctx.db.all<Row>(sql`
      SELECT o.id, u.email, s.first_name || ' ' || s.last_name AS name, s.company, s.message, s.email AS address, s.phone,
        s.reply_due_at AS replyDueAt, s.estimate_json AS estimateJson, a.name AS fileName, a.size AS fileSize,
        e.event, e.detail, e.actor_name AS actorName
      FROM ${withReader(mailIds)} CROSS JOIN mail_events e ON e.outbox_id = o.id
      LEFT JOIN attachments a ON a.id = s.attachment_id ORDER BY e.at, e.item_id`),
    getSettings(ctx.db),
  ]);
  const mails = new Map<string, { to: string; data: MailData["submission-update"] }>();
  for (const row of rows) {
    const { id, email: to, name, company } = row;
    const event =
      to === normalizeEmail(settings.adminEmail) && row.event === "new_submission" ? null : mailedEvent(row);
    if (!event) continue;
    const { events = [], ...known } = mails.get(id)?.data ?? { facts: [], estimate: [] };
    const fresh = row.event === "new_submission" ? factsOf(row, settings) : known;
    mails.set(id, { to, data: { name, company, ...fresh, events: [...events, event] } });
  }
  return mails;
}

function factsOf(
  { address, phone, fileName, fileSize: bytes, replyDueAt, estimateJson }: Row,
  settings: ShortSettings,
): Pick<MailData["submission-update"], "facts" | "estimate"> {
  const estimate = readStoredEstimate(estimateJson);
  return {
    facts: [
      { term: "Reply by", detail: targetTime(settings.timeZone, replyDueAt) },
      { term: "Email", detail: address },
      ...(phone ? [{ term: "Phone", detail: phone }] : []),
      ...(fileName ? [{ term: "File", detail: `${fileName} (${fileSize(bytes ?? 0)}, not virus-scanned)` }] : []),
    ],
    estimate: estimate ? estimateFacts(estimate, planNamesIn(settings)) : [],
  };
}

function mailedEvent({ event, detail, actorName, message }: Row): MailedEvent | null {
  const known = notificationEvent(event);
  if (known === "new_submission")
    return { sentence: "New request from the website.", text: message && excerpt(message, MESSAGE_EXCERPT) };
  const status = SUBMISSION_STATUSES.find((one) => one === detail);
  return known === "submission_moved" && status
    ? { sentence: `${actorName || "We"} set your submission to ${SUBMISSION_STATUS_LABELS[status]}.`, text: null }
    : null;
}
