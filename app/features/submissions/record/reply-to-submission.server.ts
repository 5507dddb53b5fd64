import { eq } from "drizzle-orm";
import { claimKey, commit, expectRow, findClaim } from "~/db/client.server";
import { contactSubmissions, submissionReplies } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { takeStatements } from "../assignment-change.server";
import { findSubmission, findSubmissionName } from "../queries.server";
import { statusChangeStatements } from "../status-change.server";
import { submissionSubject } from "../subject";

const SCOPE = "submission-reply";

type Reply = {
  submissionId: string;
  message: string;
  /** Tells whether a submission nobody had answered yet counts as contacted from now on. */
  contacted: boolean;
  /** Tells whether a submission that nobody has becomes its author's. */
  assignToMe?: boolean;
  nonce: string;
};

/**
 * Answers a submission by mail and stores the answer with it, both in one batch. `contacted` moves a submission that is
 * still new at the moment of the commit, and `assignToMe` gives its author one that nobody has; if a colleague was
 * faster, the reply is sent, and status or owner stay theirs. Returns the id of the reply, also to a form that arrives
 * twice.
 */
export async function replyToSubmission(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, message, contacted, assignToMe, nonce }: Reply,
): Promise<Result<string, "submission_not_found">> {
  const submission = await findSubmission(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  const at = ctx.now();
  const subject = submissionSubject(submission);
  const isNew = eq(contactSubmissions.status, "new");
  const data = { author: actor.fullName, message };
  const mailId = ctx.newId("mail");
  const id = ctx.newId("srp");
  // A page that could not be read again has the same token for what is written next.
  const key = `${nonce}:${fingerprintOf(message)}`;
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: SCOPE, resultLocation: id, at }),
    expectRow(ctx.db, contactSubmissions, eq(contactSubmissions.id, submissionId)),
    ctx.db.insert(submissionReplies).values({
      id,
      submission_id: submissionId,
      actor_id: actor.userId,
      actor_name: actor.fullName,
      message,
      at,
      mail_id: mailId,
    }),
    enqueueMail(ctx, "submission-reply", { id: mailId, to: submission.email, about: subject, data }),
    recordAudit(ctx, "submission.replied", { subject }),
    ...(assignToMe ? takeStatements(ctx, actor, submission) : []),
    ...(contacted ? statusChangeStatements(ctx, actor, { submission, to: "contacted", onlyIf: isNew }) : []),
  ]);
  if (!written) {
    // Either the first post of this form has sent the reply, or a colleague has deleted the submission since the read.
    const first = await findClaim(ctx.db, key, SCOPE);
    return first && (await findSubmissionName(ctx.db, submissionId)) ? ok(first) : fail("submission_not_found");
  }
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok(id);
}
