import { and, eq, isNull } from "drizzle-orm";
import { claimKey, commit, expectRow } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { assignmentStatements } from "../assignment-change.server";
import { findSubmission } from "../queries.server";

/** Tells why nothing was taken: it is gone, a colleague has it already, or it has been answered or held meanwhile. */
type NotTaken = "submission_not_found" | "has_owner" | "not_waiting";

/**
 * Makes a person the owner of a submission that waits and has none, and keeps its day of the follow-up. The first one
 * gets it.
 */
export async function takeSubmission(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce }: { submissionId: string; nonce: string },
): Promise<Result<{ name: string }, NotTaken>> {
  const submission = await findSubmission(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  if (submission.owner) return submission.owner.id === actor.userId ? ok({ name: submission.name }) : fail("has_owner");
  const t = contactSubmissions;
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submission-take", resultLocation: submissionId, at: ctx.now() }),
    expectRow(ctx.db, t, and(eq(t.id, submissionId), isNull(t.owner_id), eq(t.status, "new"), isNull(t.held_reason))),
    ...assignmentStatements(ctx, actor, { submission, owner: { id: actor.userId, name: actor.fullName } }),
  ]);
  if (written) return ok({ name: submission.name });
  // The same form was posted before, a colleague was faster, or the submission is gone or answered.
  const current = await findSubmission(ctx.db, submissionId);
  if (!current) return fail("submission_not_found");
  if (!current.owner) return fail("not_waiting");
  return current.owner.id === actor.userId ? ok({ name: current.name }) : fail("has_owner");
}
