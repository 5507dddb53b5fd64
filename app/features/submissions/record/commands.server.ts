import { and, eq, inArray, ne } from "drizzle-orm";
import { claimChoice, claimKey, commit, expectRow, findChoice, findClaim } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { contactSubmissions, submissionReplies } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { UNDELIVERED } from "~/features/mail/model";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { changedValues, type FormerValues } from "~/platform/run-command.server";
import { assignmentStatements, statusChangeStatements, takeStatements } from "../changes.server";
import type { SubmissionStatus } from "../model";
import { findSubmission, findSubmissionName } from "../queries.server";
import { submissionSubject } from "../subject";
import { findReply } from "./read-record.server";

/** What its sender has not changed stays as it is at the moment of the commit. */
type HandlingChange = {
  submissionId: string;
  status?: SubmissionStatus;
  /** Null: nobody. */
  ownerId?: string | null;
  /** `YYYY-MM-DD`; null: none. */
  followUpOn?: string | null;
  had?: FormerValues;
  nonce: string;
};

type Saved = { status: boolean; assignment: boolean };

/** One batch; for each of the three the last write wins. What is as it was leaves no trace. */
export async function saveHandling(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce, had = {}, ...values }: HandlingChange,
): Promise<Result<Saved, "submission_not_found" | "owner_not_staff" | "changed_since">> {
  const posted = { values, had };
  const claim = { key: `${nonce}:${submissionId}`, scope: "submission-handling" };
  const [submission, staff, last] = await Promise.all([
    findSubmission(ctx.db, submissionId),
    listStaff(ctx.db),
    findChoice(ctx.db, claim.key, claim.scope),
  ]);
  if (!submission) return fail("submission_not_found");
  const change = changedValues(posted, last);
  const { status, ownerId, followUpOn } = change;
  const owner = ownerId ? staff.find(({ id }) => id === ownerId) : null;
  if (owner === undefined) return fail("owner_not_staff");
  const isNew = newIn(change, submission);
  const saved = { status: isNew.status, assignment: isNew.owner || isNew.followUp };
  if (!saved.status && !saved.assignment) return ok(saved);

  const t = contactSubmissions;
  const isIt = eq(t.id, submissionId);
  const written = await commit(ctx.db, [
    ...claimChoice(ctx.db, { ...claim, choice: JSON.stringify(posted), at: ctx.now() }),
    expectRow(ctx.db, t, isIt),
    ...(status && saved.status
      ? statusChangeStatements(ctx, actor, { submission, to: status, onlyIf: ne(t.status, status) })
      : []),
    ...(saved.assignment
      ? assignmentStatements(ctx, actor, {
          submission,
          owner: isNew.owner ? owner : undefined,
          followUpOn: isNew.followUp ? followUpOn : undefined,
        })
      : []),
  ]);
  if (written) {
    ctx.after(ctx.live.notify("staff"));
    return ok(saved);
  }
  // The first post of this form was saved, or a colleague has deleted the submission since the read.
  const current = await findSubmission(ctx.db, submissionId);
  if (!current) return fail("submission_not_found");
  return Object.values(newIn(change, current)).includes(true) ? fail("changed_since") : ok(saved);
}

type Handled = NonNullable<Awaited<ReturnType<typeof findSubmission>>>;

const newIn = (
  { status, ownerId, followUpOn }: Pick<HandlingChange, "status" | "ownerId" | "followUpOn">,
  stored: Pick<Handled, "status" | "owner" | "followUpOn">,
) => ({
  status: status !== undefined && status !== stored.status,
  owner: ownerId !== undefined && ownerId !== (stored.owner?.id ?? null),
  followUp: followUpOn !== undefined && followUpOn !== stored.followUpOn,
});

const REPLY_SCOPE = "submission-reply";

type Reply = {
  submissionId: string;
  message: string;
  contacted: boolean;
  assignToMe?: boolean;
  nonce: string;
};

/**
 * One batch. If a colleague was faster, the reply is sent, and status or owner stay theirs. A form that arrives twice
 * gets the same id.
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
    ...claimKey(ctx.db, { key, scope: REPLY_SCOPE, resultLocation: id, at }),
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
    const first = await findClaim(ctx.db, key, REPLY_SCOPE);
    return first && (await findSubmissionName(ctx.db, submissionId)) ? ok(first) : fail("submission_not_found");
  }
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok(id);
}

const RESEND_SCOPE = "submission-resend";

type Resend = { submissionId: string; replyId: string; nonce: string };

/**
 * Whether it may arrive twice, a person decides. If a colleague was faster, or the mail has arrived meanwhile, nothing
 * is sent.
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
    ...claimChoice(ctx.db, { key: nonce, scope: RESEND_SCOPE, choice: reply.mailId, at: ctx.now() }),
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
  if (!written) return ok({ isSent: (await findChoice(ctx.db, nonce, RESEND_SCOPE)) !== null });
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok({ isSent: true });
}
