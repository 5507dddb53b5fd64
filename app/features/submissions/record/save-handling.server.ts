import { eq, ne } from "drizzle-orm";
import { claimChoice, commit, expectRow, findChoice } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { listStaff } from "~/features/users/queries.server";
import { changedValues, type FormerValues } from "~/lib/changed-values";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { assignmentStatements } from "../assignment-change.server";
import type { SubmissionStatus } from "../model";
import { findSubmission } from "../queries.server";
import { statusChangeStatements } from "../status-change.server";

/** Holds what a form says. What its sender has not changed stays as it is at the moment of the commit. */
type HandlingChange = {
  submissionId: string;
  status?: SubmissionStatus;
  /** Holds the id of the new owner; null: nobody. */
  ownerId?: string | null;
  /** Names the day of the follow-up, `YYYY-MM-DD`; null: none. */
  followUpOn?: string | null;
  had?: FormerValues;
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

/** Tells what of a change is different from what is stored. */
const newIn = (
  { status, ownerId, followUpOn }: Pick<HandlingChange, "status" | "ownerId" | "followUpOn">,
  stored: Pick<Handled, "status" | "owner" | "followUpOn">,
) => ({
  status: status !== undefined && status !== stored.status,
  owner: ownerId !== undefined && ownerId !== (stored.owner?.id ?? null),
  followUp: followUpOn !== undefined && followUpOn !== stored.followUpOn,
});
