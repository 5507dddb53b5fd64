import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { enqueueMail, enqueueMails } from "~/features/mail/enqueue-mail.server";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import type { Estimate } from "~/features/pricing/estimate";
import { estimateFacts } from "~/features/pricing/estimate-facts";
import type { SiteSettings } from "~/features/settings/model";
import { plural } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { promisedTime } from "./reply-target";
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

/** Says who is told, whether by mail, and in which zone a time is said. */
type Settings = Pick<SiteSettings, "adminEmail" | "enableNotifications" | "timeZone">;

/**
 * Returns the statements that make a submission known: the visitor's acknowledgement, the notice to the provider's own
 * address, what staff are told as each has chosen, and the live event. They belong in the batch in which it is stored,
 * or released from review.
 */
export function announceSubmission(ctx: Ctx, settings: Settings, submission: AnnouncedSubmission): Statement[] {
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

/** Returns the same statements for many that are released at once: both mails of each, and one notification for all. */
export function announceSubmissions(
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

/** Returns the statements that tell staff of what is new, but not whoever has released it. */
const notifyStaff = (
  ctx: Ctx,
  notification: Pick<Parameters<typeof notifyPeople>[1], "subject" | "label" | "itemId" | "mail">,
): Statement[] =>
  notifyPeople(ctx, {
    ...notification,
    recipients: [{ event: "new_submission", people: activeStaff }],
    actor: { userId: ctx.signedIn?.userId ?? null, fullName: "" },
  });

/**
 * Returns both mails about a submission. A promise that has passed while the submission was under review is told to
 * staff, who must answer now, and not to the visitor.
 */
function mailsFor({ now }: Pick<Ctx, "now">, settings: Settings, submission: AnnouncedSubmission) {
  const { adminEmail, timeZone } = settings;
  const { firstName, name, email, phone, company, message, file, replyDueAt: dueAt } = submission;
  const about = submissionSubject(submission);
  const replyBy = promisedTime(timeZone, dueAt);
  const estimate = submission.estimate ? estimateFacts(submission.estimate) : [];
  const repeated = { message, estimate, replyBy: now() < dueAt ? replyBy : null };
  return {
    acknowledgement: { to: email, about, data: { firstName, ...repeated } },
    notice: { to: adminEmail, about, data: { name, email, phone, company, message, estimate, file, replyBy } },
  };
}
