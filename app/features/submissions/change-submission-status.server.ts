import { and, eq, ne, sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { STATUS_LABELS } from "./copy";
import type { SubmissionStatus } from "./model";
import { findSubmissionName } from "./queries.server";

type Change = { submissionId: string; status: SubmissionStatus; nonce: string };

/**
 * Moves a request to a status; any may follow any other. The last write wins, and the event records what it was moved
 * from at that very moment. Setting the status it already has changes nothing and leaves no trace.
 */
export async function changeSubmissionStatus(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, status, nonce }: Change,
): Promise<Result<null, "submission_not_found">> {
  const submission = await findSubmissionName(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  if (submission.status === status) return ok(null);

  const at = ctx.now();
  const isElsewhere = and(eq(contactSubmissions.id, submissionId), ne(contactSubmissions.status, status));
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "submission-status", resultLocation: submissionId, at }),
    ctx.db
      .insert(submissionEvents)
      .select(
        sql`select ${ctx.newId("sev")}, ${contactSubmissions.id}, ${contactSubmissions.status}, ${status}, ${actor.userId}, ${actor.fullName}, ${at} from ${contactSubmissions} where ${isElsewhere}`,
      ),
    ctx.db.update(contactSubmissions).set({ status, updated_at: at }).where(isElsewhere),
    recordAudit(ctx, "submission.status_changed", {
      objectType: "submission",
      objectId: submissionId,
      meta: { from: submission.status, to: status },
    }),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      objectId: submissionId,
      label: `${submission.name}: ${STATUS_LABELS[status]}`,
    }),
  ]);
  if (written) ctx.after(ctx.live.nudge("staff"));
  return ok(null);
}
