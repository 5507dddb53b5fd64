import { ne } from "drizzle-orm";
import { claimKey, commit, expectChange } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import type { SubmissionStatus } from "./model";
import { findSubmissionName } from "./queries.server";
import { statusChangeStatements } from "./status-change.server";
import { submissionPath } from "./subject";

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
): Promise<Result<{ changed: boolean }, "submission_not_found">> {
  const submission = await findSubmissionName(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  if (submission.status === status) return ok({ changed: false });

  const at = ctx.now();
  const here = submissionPath(submissionId);
  const written = await commit(ctx.db, [
    // With the token it has, a page that Back has restored, or that could not be read again, may ask for another
    // status, and for the former again.
    ...claimKey(ctx.db, {
      key: `${nonce}:${submission.version}:${status}`,
      scope: "submission-status",
      resultLocation: here,
      at,
    }),
    ...statusChangeStatements(ctx, actor, {
      submission: { id: submissionId, name: submission.name },
      to: status,
      onlyIf: ne(contactSubmissions.status, status),
    }),
    // Fails when a colleague has set the same status since the read: then there is nothing left to do.
    expectChange(ctx.db),
  ]);
  if (written) ctx.after(ctx.live.notify("staff"));
  return ok({ changed: true });
}
