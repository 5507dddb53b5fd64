import { eq, ne } from "drizzle-orm";
import { claimKey, commit, expectRow } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { assignmentStatements } from "../assignment-change.server";
import type { SubmissionStatus } from "../model";
import { findSubmission, findSubmissionName } from "../queries.server";
import { statusChangeStatements } from "../status-change.server";

/** Holds what a person has changed; what is absent stays as it is at the moment of the commit. */
type HandlingChange = {
  submissionId: string;
  status?: SubmissionStatus;
  /** Holds the id of the new owner; null: nobody. */
  ownerId?: string | null;
  /** Names the day of the follow-up, `YYYY-MM-DD`; null: none. */
  followUpOn?: string | null;
  nonce: string;
};

/** Tells what was different from what was stored. */
type Saved = { status: boolean; assignment: boolean };

/**
 * Saves who looks after a submission, its status and the day of the follow-up, all in one batch. The last write wins,
 * for each of the three by itself; all of them stay in the history. What is as it was leaves no trace.
 */
export async function saveHandling(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, nonce, ...change }: HandlingChange,
): Promise<Result<Saved, "submission_not_found" | "owner_not_staff">> {
  const [submission, staff] = await Promise.all([findSubmission(ctx.db, submissionId), listStaff(ctx.db)]);
  if (!submission) return fail("submission_not_found");
  const { status, ownerId, followUpOn } = change;
  const owner = ownerId ? staff.find(({ id }) => id === ownerId) : null;
  if (owner === undefined) return fail("owner_not_staff");
  const isOwnerNew = ownerId !== undefined && ownerId !== (submission.owner?.id ?? null);
  const isFollowUpNew = followUpOn !== undefined && followUpOn !== submission.followUpOn;
  const saved = {
    status: status !== undefined && status !== submission.status,
    assignment: isOwnerNew || isFollowUpNew,
  };
  if (!saved.status && !saved.assignment) return ok(saved);

  const t = contactSubmissions;
  const isIt = eq(t.id, submissionId);
  // What was asked for is part of the key, and what it was asked of: with the token it has, a page that Back has
  // restored, or that could not be read again, may ask for something else, and for the former again.
  const key = [nonce, submission.version, status, ownerId, followUpOn].join(":");
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: "submission-handling", resultLocation: submissionId, at: ctx.now() }),
    expectRow(ctx.db, t, isIt),
    ...(status && saved.status
      ? statusChangeStatements(ctx, actor, { submission, to: status, onlyIf: ne(t.status, status) })
      : []),
    ...(saved.assignment
      ? assignmentStatements(ctx, actor, {
          submission,
          owner: isOwnerNew ? owner : undefined,
          followUpOn: isFollowUpNew ? followUpOn : undefined,
        })
      : []),
  ]);
  if (written) ctx.after(ctx.live.notify("staff"));
  // Otherwise the first post of this form was saved, or a colleague has deleted the submission since the read.
  return written || (await findSubmissionName(ctx.db, submissionId)) ? ok(saved) : fail("submission_not_found");
}
