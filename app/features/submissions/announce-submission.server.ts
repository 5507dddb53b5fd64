import type { Statement } from "~/db/client.server";
import { enqueueMail, enqueueMails } from "~/features/mail/enqueue-mail.server";
import { plural } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { submissionSubject } from "./subject";

export type Announced = {
  id: string;
  firstName: string;
  name: string;
  email: string;
  company: string | null;
  message: string | null;
};

/**
 * Returns the statements that make a submission known: the visitor's acknowledgement, the notice to the provider's own
 * address and the live event. They belong in the batch in which it is stored, or released from review.
 */
export function announceSubmission(ctx: Ctx, adminEmail: string, submission: Announced): Statement[] {
  const { name } = submission;
  return [
    enqueueMail(ctx, "submission-received", acknowledgement(submission)),
    enqueueMail(ctx, "submission-notice", notice(adminEmail, submission)),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "new_submission",
      subject: submissionSubject(submission),
      label: name,
    }),
  ];
}

/** Returns the same statements for many that are released at once: both mails of each, and one live event for all. */
export function announceSubmissions(ctx: Ctx, adminEmail: string, submissions: readonly Announced[]): Statement[] {
  return [
    ...enqueueMails(ctx, "submission-received", submissions.map(acknowledgement)),
    ...enqueueMails(
      ctx,
      "submission-notice",
      submissions.map((submission) => notice(adminEmail, submission)),
    ),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      subject: { type: "submission", id: null },
      label: `${plural(submissions.length, "submission")}: Released from review`,
    }),
  ];
}

const acknowledgement = (submission: Announced) => ({
  to: submission.email,
  about: submissionSubject(submission),
  data: { firstName: submission.firstName },
});

function notice(adminEmail: string, submission: Announced) {
  const { name, email, company, message } = submission;
  return { to: adminEmail, about: submissionSubject(submission), data: { name, email, company, message } };
}
