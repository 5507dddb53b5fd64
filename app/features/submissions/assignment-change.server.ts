import { and, eq, isNull, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { contactSubmissions, submissionAssignments } from "~/db/schema/submissions";
import { recordAudit, recordAuditIf } from "~/features/audit/record-audit.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import type { SubmissionRecord } from "./model";
import { submissionSubject } from "./subject";

/** Holds what a person has changed; what is absent stays as it is at the moment of the commit. */
type AssignmentChange = {
  submission: Pick<SubmissionRecord, "id" | "name">;
  /** Names the new owner; null: nobody. */
  owner?: { id: string; name: string } | null;
  /** Names the day of the follow-up, `YYYY-MM-DD`; null: none. */
  followUpOn?: string | null;
};

/**
 * Returns the statements that give a submission which nobody has to whoever acts, for the batch of a command: if a
 * colleague was faster, none of them writes anything.
 */
export function takeStatements(ctx: Ctx, actor: SignedIn, submission: AssignmentChange["submission"]): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const { userId, fullName } = actor;
  const hasNoOwner = and(eq(t.id, submission.id), isNull(t.owner_id));
  return [
    ctx.db
      .insert(submissionAssignments)
      .select(
        sql`select ${ctx.newId("sas")}, ${t.id}, ${fullName}, ${t.follow_up_on}, ${userId}, ${fullName}, ${at} from ${t} where ${hasNoOwner}`,
      ),
    recordAuditIf(ctx, "submission.assigned", {
      subject: submissionSubject(submission),
      meta: { owner: fullName, people: { owner: userId } },
      onlyIf: sql`EXISTS (SELECT 1 FROM ${t} WHERE ${hasNoOwner})`,
    }),
    ctx.db
      .update(t)
      .set({ owner_id: userId, updated_at: at, version: sql`${t.version} + 1` })
      .where(hasNoOwner),
  ];
}

/**
 * Returns the statements that change owner or day of the follow-up, for the batch of a command: the row, history and
 * audit. The history gets both as they are after the change, the audit what was changed.
 */
export function assignmentStatements(
  ctx: Ctx,
  actor: SignedIn,
  { submission, owner, followUpOn }: AssignmentChange,
): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const isIt = eq(t.id, submission.id);
  const ownerName = sql`(select full_name from users where id = ${t.owner_id})`;
  return [
    ctx.db
      .update(t)
      .set({
        owner_id: owner === undefined ? undefined : (owner?.id ?? null),
        follow_up_on: followUpOn,
        updated_at: at,
        version: sql`${t.version} + 1`,
      })
      .where(isIt),
    ctx.db
      .insert(submissionAssignments)
      .select(
        sql`select ${ctx.newId("sas")}, ${t.id}, ${ownerName}, ${t.follow_up_on}, ${actor.userId}, ${actor.fullName}, ${at} from ${t} where ${isIt}`,
      ),
    recordAudit(ctx, "submission.assigned", {
      subject: submissionSubject(submission),
      meta: {
        ...(owner === undefined ? {} : { owner: owner?.name ?? null, people: { owner: owner?.id } }),
        ...(followUpOn === undefined ? {} : { follow_up_on: followUpOn }),
        // Events of former versions hold both whichever was changed.
        ...(owner === undefined || followUpOn === undefined ? {} : { both: true }),
      },
    }),
  ];
}
