import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit, type Statement } from "~/db/client.server";
import { contactSubmissions, submissionEvents, submissionReplies } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { STATUS_LABELS } from "../copy";
import { findSubmission } from "../queries.server";
import { submissionSubject } from "../subject";

type Reply = {
  submissionId: string;
  message: string;
  /** A submission nobody had answered yet counts as contacted from now on. */
  contacted: boolean;
  nonce: string;
};

/**
 * Answers a submission by mail and keeps the answer with it. The mail is queued with the record of it, or neither is.
 */
export async function replyToSubmission(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, message, contacted, nonce }: Reply,
): Promise<Result<null, "submission_not_found">> {
  const submission = await findSubmission(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  const at = ctx.now();
  const subject = submissionSubject(submission);
  const data = { author: actor.fullName, message };
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submission-reply", resultLocation: submissionId, at }),
    ctx.db.insert(submissionReplies).values({
      id: ctx.newId("srp"),
      submission_id: submissionId,
      actor_id: actor.userId,
      actor_name: actor.fullName,
      message,
      at,
    }),
    enqueueMail(ctx, "submission-reply", { to: submission.email, about: subject, data }),
    recordAudit(ctx, "submission.replied", { subject }),
    ...(contacted && submission.status === "new" ? becomesContacted(ctx, actor, submission) : []),
  ]);
  if (!written) return ok(null);
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok(null);
}

function becomesContacted(ctx: Ctx, actor: SignedIn, submission: { id: string; name: string }): Statement[] {
  const { id: submissionId, name } = submission;
  const at = ctx.now();
  const isNew = and(eq(contactSubmissions.id, submissionId), eq(contactSubmissions.status, "new"));
  return [
    ctx.db
      .insert(submissionEvents)
      .select(
        sql`select ${ctx.newId("sev")}, ${contactSubmissions.id}, ${contactSubmissions.status}, 'contacted', ${actor.userId}, ${actor.fullName}, ${at} from ${contactSubmissions} where ${isNew}`,
      ),
    ctx.db
      .update(contactSubmissions)
      .set({ status: "contacted", updated_at: at, version: sql`${contactSubmissions.version} + 1` })
      .where(isNew),
    recordAudit(ctx, "submission.status_changed", {
      subject: submissionSubject(submission),
      meta: { from: "new", to: "contacted" },
    }),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      subject: submissionSubject(submission),
      label: `${name}: ${STATUS_LABELS.contacted}`,
    }),
  ];
}
