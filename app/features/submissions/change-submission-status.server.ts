import { ne } from "drizzle-orm";
import { claimChoice, commit, expectChange } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import type { SubmissionStatus } from "./model";
import { findSubmissionName } from "./queries.server";
import { statusChangeStatements } from "./status-change.server";

type Change = { submissionId: string; status: SubmissionStatus; nonce: string };

/**
 * Moves a submission to a status; any may follow any other. The last write wins; history and audit tell the status it
 * really had before. Setting the status it already has changes nothing and leaves no trace,
 * and the result says so.
 */
export async function changeSubmissionStatus(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, status, nonce }: Change,
): Promise<Result<{ changed: boolean }, "submission_not_found" | "changed_since">> {
  const submission = await findSubmissionName(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  if (submission.status === status) return ok({ changed: false });

  const at = ctx.now();
  const written = await commit(ctx.db, [
    ...claimChoice(ctx.db, { key: `${nonce}:${submissionId}`, scope: "submission-status", choice: status, at }),
    ...statusChangeStatements(ctx, actor, {
      submission: { id: submissionId, name: submission.name },
      to: status,
      onlyIf: ne(contactSubmissions.status, status),
    }),
    // Fails when a colleague has set the same status since the read: then there is nothing left to do.
    expectChange(ctx.db),
  ]);
  if (written) {
    ctx.after(ctx.live.notify("staff"));
    return ok({ changed: true });
  }
  const current = await findSubmissionName(ctx.db, submissionId);
  if (!current) return fail("submission_not_found");
  return current.status === status ? ok({ changed: true }) : fail("changed_since");
}
