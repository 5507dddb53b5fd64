import type { Statement } from "~/db/client.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";

type Announced = {
  id: string;
  firstName: string;
  name: string;
  email: string;
  company: string | null;
  message: string | null;
};

/**
 * The statements by which a request becomes known: the visitor's acknowledgement, the notice to the provider's own
 * address and the live note. They belong into the batch in which it is stored, or released from review.
 */
export function announceSubmission(ctx: Ctx, adminEmail: string, submission: Announced): Statement[] {
  const { id, firstName, name, email, company, message } = submission;
  return [
    enqueueMail(ctx, "submission-received", { to: email, data: { submissionId: id, firstName } }),
    enqueueMail(ctx, "submission-notice", {
      to: adminEmail,
      data: { submissionId: id, name, email, company, message },
    }),
    recordLiveEvent(ctx, { audience: "staff", type: "new_submission", objectId: id, label: name }),
  ];
}
