import { and, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { expectRow } from "~/db/client.server";
import { mailAddressHolds, outbox } from "~/db/schema/outbox";
import { contactSubmissions, submissionReplies } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { UNDELIVERED } from "~/features/mail/model";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { changedValues, type FormerValues, type Planned, runCommand } from "~/platform/run-command.server";
import { afterChange, assignmentStatements, statusChangeStatements, takeStatements } from "../changes.server";
import type { SubmissionStatus } from "../model";
import type { SubmissionRecord } from "../queries.server";
import { findSubmission } from "../queries.server";
import { submissionSubject } from "../subject";
import { findReply, IS_ADDRESS_HELD } from "./read-record.server";

/** What its sender has not changed stays as it is at the moment of the commit. */
type PropertiesChange = {
  submissionId: string;
  status?: SubmissionStatus;
  /** Null: nobody. */
  ownerId?: string | null;
  /** `YYYY-MM-DD`; null: none. */
  followUpOn?: string | null;
  /** Tells whether nothing is changed where the owner is another one by now. */
  takes?: boolean;
  had?: FormerValues;
  nonce: string;
};

type Saved = { status: boolean; assignment: boolean };

/** One batch; for each of the three the last write wins. What is as it was leaves no trace. */
export async function saveSubmissionProperties(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce, takes, had = {}, ...values }: PropertiesChange,
): Promise<Result<Saved, "submission_not_found" | "owner_not_staff" | "taken" | "changed_since">> {
  const posted = { values, had };
  const form = { scope: "submission-handling", key: `${nonce}:${submissionId}`, choice: JSON.stringify(posted) };
  let saved: Saved = { status: false, assignment: false };
  const written = await runCommand(ctx, form, {
    read: () => Promise.all([findSubmission(ctx.db, submissionId), listStaff(ctx.db)]),
    plan: ([submission, staff], { last }): Planned<"submission_not_found" | "owner_not_staff" | "taken"> => {
      if (!submission) return fail("submission_not_found");
      const { status, ownerId, followUpOn } = newValues(submission, changedValues(posted, last));
      const owner = ownerId ? staff.find(({ id }) => id === ownerId) : null;
      if (owner === undefined) return fail("owner_not_staff");
      const before = ownerIdOf(submission);
      if (takes && before !== had.ownerId) return fail("taken");
      const isAssigned = ownerId !== undefined || followUpOn !== undefined;
      saved = { status: status !== undefined, assignment: isAssigned };
      if (!saved.status && !isAssigned) return ok({ resultId: submissionId });
      const t = contactSubmissions;
      return ok({
        resultId: submissionId,
        expects: [
          { that: isThere(submissionId), otherwise: "submission_not_found" },
          { that: takes ? isOwnedBy(submissionId, before) : sql`TRUE`, otherwise: "taken" },
        ],
        statements: [
          ...(status
            ? statusChangeStatements(ctx, actor, { submission, to: status, onlyIf: ne(t.status, status) })
            : []),
          ...(isAssigned
            ? assignmentStatements(ctx, actor, {
                submission,
                owner: ownerId === undefined ? undefined : owner,
                followUpOn,
              })
            : []),
        ],
        after: () => ctx.after(ctx.live.notify("staff")),
      });
    },
  });
  return written.ok ? ok(saved) : written;
}

const isThere = (submissionId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM contact_submissions WHERE id = ${submissionId})`;

/** Leaves out what is so already. */
function newValues(
  submission: SubmissionRecord,
  { status, ownerId, followUpOn }: Pick<PropertiesChange, "status" | "ownerId" | "followUpOn">,
) {
  return {
    status: status === submission.status ? undefined : status,
    ownerId: ownerId === ownerIdOf(submission) ? undefined : ownerId,
    followUpOn: followUpOn === submission.followUpOn ? undefined : followUpOn,
  };
}

const ownerIdOf = ({ owner }: SubmissionRecord): string | null => owner?.id ?? null;

const isOwnedBy = (submissionId: string, ownerId: string | null): SQL =>
  sql`EXISTS (SELECT 1 FROM contact_submissions WHERE id = ${submissionId} AND owner_id IS ${ownerId})`;

/**
 * One batch. If a colleague was faster, the reply is sent, and status or owner stay theirs. A form that arrives twice
 * gets the same id.
 */
export function replyToSubmission(
  ctx: Ctx,
  actor: SignedIn,
  {
    submissionId,
    message,
    contacted,
    assignToMe,
    nonce,
  }: { submissionId: string; message: string; contacted: boolean; assignToMe?: boolean; nonce: string },
): Promise<Result<string, "submission_not_found">> {
  const data = { author: actor.fullName, message };
  const mailId = ctx.newId("mail");
  const id = ctx.newId("srp");
  // A page that could not be read again has the same token for what is written next.
  const form = { scope: "submission-reply", key: `${nonce}:${fingerprintOf(message)}` };
  return runCommand(ctx, form, {
    read: () => findSubmission(ctx.db, submissionId),
    plan: (submission): Planned<"submission_not_found"> => {
      if (!submission) return fail("submission_not_found");
      const subject = submissionSubject(submission);
      const isNew = eq(contactSubmissions.status, "new");
      return ok({
        resultId: id,
        expects: [{ that: isThere(submissionId), otherwise: "submission_not_found" }],
        statements: [
          ctx.db.insert(submissionReplies).values({
            id,
            submission_id: submissionId,
            actor_id: actor.userId,
            actor_name: actor.fullName,
            message,
            at: ctx.now(),
            mail_id: mailId,
          }),
          enqueueMail(ctx, "submission-reply", { id: mailId, to: submission.email, about: subject, data }),
          recordAudit(ctx, "submission.replied", { subject }),
          ...(assignToMe ? takeStatements(ctx, actor, submission) : []),
          ...(contacted ? statusChangeStatements(ctx, actor, { submission, to: "contacted", onlyIf: isNew }) : []),
        ],
        after: () => afterChange(ctx),
      });
    },
  });
}

/**
 * Whether it may arrive twice, a person decides. If a colleague was faster, or the mail has arrived meanwhile, nothing
 * is sent.
 */
export async function resendReply(
  ctx: Ctx,
  { submissionId, replyId, nonce }: { submissionId: string; replyId: string; nonce: string },
): Promise<Result<{ isSent: boolean }, "submission_not_found">> {
  const t = submissionReplies;
  const mailId = ctx.newId("mail");
  let isSent = false;
  // The mail is the choice: a page that could not be read again has the same token when it does not arrive either.
  const form = { scope: "submission-resend", key: nonce, choice: mailId };
  const sent = await runCommand(ctx, form, {
    read: () => Promise.all([findSubmission(ctx.db, submissionId), findReply(ctx.db, { submissionId, replyId })]),
    plan: ([submission, reply], { last }): Planned<"submission_not_found"> => {
      if (!submission || !reply) return fail("submission_not_found");
      const isWaiting = reply.isUndelivered || reply.isAddressHeld;
      isSent = isWaiting || last !== null;
      if (!reply.mailId || !isWaiting) return ok({ resultId: replyId });
      const isFormer = eq(outbox.id, reply.mailId);
      const subject = submissionSubject(submission);
      const isUnchanged = and(eq(t.id, replyId), eq(t.mail_id, reply.mailId));
      return ok({
        resultId: replyId,
        statements: [
          expectRow(ctx.db, t, isUnchanged),
          expectRow(ctx.db, outbox, and(isFormer, or(inArray(outbox.status, UNDELIVERED), IS_ADDRESS_HELD))),
          // Whoever sends it again lifts what holds its address, and it goes once.
          ctx.db.delete(mailAddressHolds).where(sql`to_hash = (SELECT to_hash FROM outbox WHERE id = ${reply.mailId})`),
          ctx.db.delete(outbox).where(and(isFormer, IS_ADDRESS_HELD)),
          ctx.db.update(t).set({ mail_id: mailId }).where(isUnchanged),
          enqueueMail(ctx, "submission-reply", {
            id: mailId,
            to: submission.email,
            about: subject,
            data: { author: reply.author, message: reply.message },
          }),
          recordAudit(ctx, "submission.reply_resent", { subject }),
        ],
        after: () => afterChange(ctx),
      });
    },
  });
  return sent.ok ? ok({ isSent }) : fail("submission_not_found");
}
