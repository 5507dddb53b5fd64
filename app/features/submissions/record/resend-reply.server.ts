import { and, eq, inArray } from "drizzle-orm";
import { claimChoice, commit, expectRow, findChoice } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { submissionReplies } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { UNDELIVERED } from "~/features/mail/model";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { findSubmission } from "../queries.server";
import { submissionSubject } from "../subject";
import { findReply } from "./queries.server";

const SCOPE = "submission-resend";

type Resend = { submissionId: string; replyId: string; nonce: string };

/**
 * Sends a reply again whose mail was not delivered, or perhaps not: whether it may arrive twice, a person decides. If a
 * colleague was faster, or the mail has arrived meanwhile, nothing is sent: `isSent` is false.
 */
export async function resendReply(
  ctx: Ctx,
  { submissionId, replyId, nonce }: Resend,
): Promise<Result<{ isSent: boolean }, "submission_not_found">> {
  const [submission, reply] = await Promise.all([
    findSubmission(ctx.db, submissionId),
    findReply(ctx.db, { submissionId, replyId }),
  ]);
  if (!submission || !reply) return fail("submission_not_found");
  if (!reply.mailId) return ok({ isSent: false });
  const subject = submissionSubject(submission);
  const mailId = ctx.newId("mail");
  const isUnchanged = and(eq(submissionReplies.id, replyId), eq(submissionReplies.mail_id, reply.mailId));
  const isUndelivered = and(eq(outbox.id, reply.mailId), inArray(outbox.status, UNDELIVERED));
  const written = await commit(ctx.db, [
    // A page that could not be read again has the same token when the new mail does not arrive either.
    ...claimChoice(ctx.db, { key: nonce, scope: SCOPE, choice: reply.mailId, at: ctx.now() }),
    expectRow(ctx.db, submissionReplies, isUnchanged),
    expectRow(ctx.db, outbox, isUndelivered),
    ctx.db.update(submissionReplies).set({ mail_id: mailId }).where(isUnchanged),
    enqueueMail(ctx, "submission-reply", {
      id: mailId,
      to: submission.email,
      about: subject,
      data: { author: reply.author, message: reply.message },
    }),
    recordAudit(ctx, "submission.reply_resent", { subject }),
  ]);
  // The first post of the same form has sent it.
  if (!written) return ok({ isSent: (await findChoice(ctx.db, nonce, SCOPE)) !== null });
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok({ isSent: true });
}
