import { eq, sql } from "drizzle-orm";
import { claimKey, commit, expectChange } from "~/db/client.server";
import { contactSubmissions, submissionAssignments } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { findSubmission, findSubmissionName } from "../queries.server";
import { submissionSubject } from "../subject";

type Assignment = {
  submissionId: string;
  /** Null: nobody. */
  ownerId: string | null;
  /** `YYYY-MM-DD`, or null for no date. */
  followUpOn: string | null;
  nonce: string;
};

/** Records who looks after a submission and the day of the follow-up. The last write wins; both stay in the history. */
export async function assignSubmission(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, ownerId, followUpOn, nonce }: Assignment,
): Promise<Result<null, "submission_not_found" | "owner_not_staff">> {
  const [submission, staff] = await Promise.all([findSubmission(ctx.db, submissionId), listStaff(ctx.db)]);
  if (!submission) return fail("submission_not_found");
  const owner = ownerId === null ? null : staff.find(({ id }) => id === ownerId);
  if (owner === undefined) return fail("owner_not_staff");
  if ((submission.owner?.id ?? null) === ownerId && submission.followUpOn === followUpOn) return ok(null);

  const at = ctx.now();
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submission-assign", resultLocation: submissionId, at }),
    ctx.db
      .update(contactSubmissions)
      .set({
        owner_id: ownerId,
        follow_up_on: followUpOn,
        updated_at: at,
        version: sql`${contactSubmissions.version} + 1`,
      })
      .where(eq(contactSubmissions.id, submissionId)),
    expectChange(ctx.db),
    ctx.db.insert(submissionAssignments).values({
      id: ctx.newId("sas"),
      submission_id: submissionId,
      owner_name: owner?.name ?? null,
      follow_up_on: followUpOn,
      actor_id: actor.userId,
      actor_name: actor.fullName,
      at,
    }),
    recordAudit(ctx, "submission.assigned", {
      subject: submissionSubject(submission),
      meta: { owner: owner?.name ?? null, follow_up_on: followUpOn },
    }),
  ]);
  // Otherwise the first post of this form was saved, or a colleague has deleted the submission since the read.
  if (written || (await findSubmissionName(ctx.db, submissionId))) return ok(null);
  return fail("submission_not_found");
}
