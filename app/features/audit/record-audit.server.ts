import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Db, Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { mfaAuditLog } from "~/db/schema/security";
import { userSubject } from "~/features/users/model";
import { MODERATION_LABELS } from "~/lib/moderation";
import type { SubjectType } from "~/lib/subject";
import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { auditActionLabel, detailLabel, REASON_MAX, REASON_REQUIRED } from "./labels";
import {
  type AuditAction,
  type AuditActor,
  type AuditSubject,
  type MfaAction,
  type MfaFailure,
  type MfaMethod,
  toAuditActor,
  VISITOR,
} from "./model";

type Searchable = {
  action: string;
  label: string | null;
  meta: Record<string, unknown>;
  actor: Pick<AuditActor, "name" | "email">;
};

/** The name stands alone in a line, so that it can be cut off when the subject is deleted. */
export function auditSearchText({ action, label, meta, actor }: Searchable): string {
  const words = auditActionLabel({ action, meta, actorName: actor.name });
  return [label ?? "", `${actor.name ?? ""} ${words}`, `${detailLabel({ action, meta })} ${actor.email ?? ""}`]
    .map(fold)
    .join("\n");
}

/** Folded, as JSON: for events that a query writes. */
export const MODERATION_DETAILS = JSON.stringify(
  Object.fromEntries(
    Object.keys(MODERATION_LABELS).map((held) => [
      held,
      fold(detailLabel({ action: "submission.released", meta: { held } })),
    ]),
  ),
);

type AuditEvent = {
  at: Instant;
  actor: AuditActor;
  action: AuditAction;
  subject: AuditSubject;
  meta?: Record<string, unknown>;
};

export const auditColumns = ({ at, actor, action, subject, meta }: AuditEvent) => ({
  at,
  actor_id: actor.id,
  actor_role: actor.role,
  actor_name: actor.name,
  actor_email: actor.email,
  action,
  subject_type: subject.type,
  subject_id: subject.id,
  subject_label: subject.label,
  meta_json: meta ? JSON.stringify(meta) : null,
  search_text: auditSearchText({ action, label: subject.label, meta: meta ?? {}, actor }),
});

type AuditDetails = {
  subject: AuditSubject;
  orgId?: string | null;
  /**
   * Never a secret, a message or anything typed into a password field. `people`: whose name stands in which value, by
   * their id, or by `recipientHash` of who has no account, so that it is not shown once they were erased.
   */
  meta?: Record<string, unknown>;
  actor?: AuditActor;
};

type AuditContext = Pick<Ctx, "db" | "now" | "request" | "signedIn">;

/** It belongs in the batch of the change it describes. */
export function recordAudit(
  ctx: AuditContext,
  action: AuditAction,
  { subject, orgId = null, meta, actor = actorOf(ctx) }: AuditDetails,
): Statement {
  return ctx.db.insert(auditEvents).values({
    ...auditColumns({ at: ctx.now(), actor, action, subject, meta }),
    org_id: orgId,
    ip: ctx.request.ip || null,
    request_id: ctx.request.id,
  });
}

export function recordAuditIf(
  ctx: AuditContext,
  action: AuditAction,
  { subject, meta, actor = actorOf(ctx), onlyIf }: AuditDetails & { onlyIf: SQL },
): Statement {
  const event = auditColumns({ at: ctx.now(), actor, action, subject, meta });
  // Every column in its order, as an insert from a query has them; the id is given by the table.
  return ctx.db.insert(auditEvents).select(sql`
    SELECT NULL, ${event.at}, ${event.actor_id}, ${event.actor_role}, ${event.actor_name}, ${event.actor_email}, NULL,
      ${event.action}, ${event.subject_type}, ${event.subject_id}, ${event.subject_label}, NULL,
      ${ctx.request.ip || null}, ${ctx.request.id}, ${event.meta_json}, ${event.search_text}
    WHERE ${onlyIf}`);
}

const actorOf = ({ signedIn }: Pick<Ctx, "signedIn">): AuditActor => (signedIn ? toAuditActor(signedIn) : VISITOR);

type Rows = {
  subjectType: SubjectType;
  /** The columns `subject_id`, `meta_json`, and for the search `details`: the folded `detailLabel` of the meta. */
  rows: SQL;
  /** Of a missing one the event keeps no name. SQL cannot fold names for the search. */
  subjects: readonly { id: string; name: string }[];
  actor?: AuditActor;
};

/** One event for each row of a query. It stands in the batch before the change it describes. */
export function recordAuditOfRows(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  action: AuditAction,
  { subjectType, rows, subjects, actor = actorOf(ctx) }: Rows,
): Statement {
  const [, whoDidWhat = "", email = ""] = auditSearchText({ action, label: null, meta: {}, actor }).split("\n");
  const labels = JSON.stringify(Object.fromEntries(subjects.map(({ id, name }) => [id, name])));
  const foldedLabels = JSON.stringify(Object.fromEntries(subjects.map(({ id, name }) => [id, fold(name)])));
  // Every column in its order, as an insert from a query has them; the id is given by the table.
  return ctx.db.insert(auditEvents).select(sql`
    SELECT NULL, ${ctx.now()}, ${actor.id}, ${actor.role}, ${actor.name}, ${actor.email}, NULL, ${action},
      ${subjectType}, changed.subject_id, ${labels} ->> changed.subject_id, NULL, ${ctx.request.ip || null}, ${ctx.request.id},
      changed.meta_json, coalesce(${foldedLabels} ->> changed.subject_id, '') || char(10)
        || ${whoDidWhat} || char(10) || trim(changed.details || ' ' || ${email})
    FROM (${rows}) changed`);
}

/** The table's trigger lets it through. `ids`: a query for ids. */
export function eraseAuditLabels(db: Db, type: SubjectType, ids: SQL): Statement {
  const { subject_type, subject_id, subject_label, search_text } = auditEvents;
  return db
    .update(auditEvents)
    .set({ subject_label: null, search_text: sql`substr(${search_text}, instr(${search_text}, char(10)))` })
    .where(sql`${subject_type} = ${type} AND ${subject_id} IN (${ids}) AND ${subject_label} IS NOT NULL`);
}

export const ReasonField = z
  .string()
  .trim()
  .min(1, REASON_REQUIRED)
  .max(REASON_MAX, `A reason can have at most ${REASON_MAX} characters`);

type MfaEvent = {
  action: MfaAction;
  method: MfaMethod;
  failure?: MfaFailure;
};

/** A correct code is routine and is only logged. */
function staffNotification({ action, failure }: MfaEvent): string | null {
  if (failure) return failure === "replayed_code" ? "used a code a second time" : "entered a wrong code";
  if (action === "setup") return "set up two-step sign-in";
  if (action === "admin_reset") return "had two-step sign-in reset";
  return action === "disable" ? "switched off two-step sign-in" : null;
}

/**
 * Administrators hear at once where it is staff's; clients choose their names and could fill the panel with them.
 * After the commit: `ctx.after(ctx.live.notify("staff"))`. Facts come from the server only.
 */
export function recordMfaEvent(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { userId, fullName }: { userId: string; fullName: string },
  event: MfaEvent,
): Statement[] {
  const { action, method, failure } = event;
  const notification = staffNotification(event);
  return [
    ctx.db.insert(mfaAuditLog).values({
      user_id: userId,
      action,
      method,
      success: failure ? 0 : 1,
      failure_reason: failure ?? null,
      ip_address: ctx.request.ip || null,
      request_id: ctx.request.id,
      created_at: ctx.now(),
    }),
    ...(notification
      ? [
          recordLiveEvent(ctx, {
            audience: "staff",
            type: "mfa_event",
            subject: userSubject({ userId, fullName }),
            label: `${fullName} ${notification}`,
            onlyIf: sql`EXISTS (SELECT 1 FROM user_roles WHERE user_id = ${userId} AND role <> 'user')`,
          }),
        ]
      : []),
  ];
}
