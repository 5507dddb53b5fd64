import { and, eq, ne, sql } from "drizzle-orm";
import { claimKey, commit, expectChange } from "~/db/client.server";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { STATUS_LABELS } from "./copy";
import type { SubmissionStatus } from "./model";
import { findSubmissionName } from "./queries.server";
import { submissionPath, submissionSubject } from "./subject";

type Change = { submissionId: string; status: SubmissionStatus; nonce: string };

/**
 * Moves a submission to a status; any may follow any other. The last write wins, and the event records what it was
 * moved from at that very moment. Setting the status it already has changes nothing and leaves no trace.
 */
export async function changeSubmissionStatus(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, status, nonce }: Change,
): Promise<Result<null, "submission_not_found">> {
  const submission = await findSubmissionName(ctx.db, submissionId);
  if (!submission) return fail("submission_not_found");
  if (submission.status === status) return ok(null);

  const subject = submissionSubject({ id: submissionId, name: submission.name });
  const at = ctx.now();
  const here = submissionPath(submissionId);
  const isElsewhere = and(eq(contactSubmissions.id, submissionId), ne(contactSubmissions.status, status));
  const written = await commit(ctx.db, [
    // The status is part of the key: a page restored by Back may ask for another one with the token it has.
    ...claimKey(ctx.db, { key: `${nonce}:${status}`, scope: "submission-status", resultLocation: here, at }),
    ctx.db
      .insert(submissionEvents)
      .select(
        sql`select ${ctx.newId("sev")}, ${contactSubmissions.id}, ${contactSubmissions.status}, ${status}, ${actor.userId}, ${actor.fullName}, ${at} from ${contactSubmissions} where ${isElsewhere}`,
      ),
    ctx.db
      .update(contactSubmissions)
      .set({ status, updated_at: at, version: sql`${contactSubmissions.version} + 1` })
      .where(isElsewhere),
    // Someone who set the same status a moment earlier has told everyone already.
    expectChange(ctx.db),
    recordAudit(ctx, "submission.status_changed", {
      subject,
      meta: { from: submission.status, to: status },
    }),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      subject,
      label: `${submission.name}: ${STATUS_LABELS[status]}`,
    }),
  ]);
  if (written) ctx.after(ctx.live.notify("staff"));
  return ok(null);
}
