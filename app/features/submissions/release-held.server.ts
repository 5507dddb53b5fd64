import { and, eq, isNotNull, sql } from "drizzle-orm";
import { claimKey, commit, expectRow } from "~/db/client.server";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { announceSubmission } from "./announce-submission.server";
import { findSubmission, findSubmissionName, RELEASED_FROM } from "./queries.server";
import { submissionSubject } from "./subject";

/**
 * Releases a held submission ("Not spam"): it becomes an ordinary one with the status it has, is counted, and its mails
 * are sent now. One that is not held any more stays as it is.
 */
export async function releaseHeld(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce }: { submissionId: string; nonce: string },
): Promise<Result<null, "submission_not_found">> {
  const [submission, settings] = await Promise.all([findSubmission(ctx.db, submissionId), getSettings(ctx.db)]);
  if (!submission) return fail("submission_not_found");
  if (!submission.heldReason) return ok(null);
  const at = ctx.now();
  const isHeld = and(eq(contactSubmissions.id, submissionId), isNotNull(contactSubmissions.held_reason));
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submission-release", resultLocation: submissionId, at }),
    expectRow(ctx.db, contactSubmissions, isHeld),
    ctx.db
      .update(contactSubmissions)
      .set({ held_reason: null, updated_at: at, version: sql`${contactSubmissions.version} + 1` })
      .where(isHeld),
    ctx.db.insert(submissionEvents).values({
      id: ctx.newId("sev"),
      submission_id: submissionId,
      from_status: RELEASED_FROM,
      to_status: submission.status,
      actor_id: actor.userId,
      actor_name: actor.fullName,
      at,
    }),
    recordAudit(ctx, "submission.released", {
      subject: submissionSubject(submission),
      meta: { held: submission.heldReason },
    }),
    ...announceSubmission(ctx, settings, submission),
  ]);
  // A colleague was faster: has released it too, or has deleted it.
  if (!written) return (await findSubmissionName(ctx.db, submissionId)) ? ok(null) : fail("submission_not_found");
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok(null);
}
