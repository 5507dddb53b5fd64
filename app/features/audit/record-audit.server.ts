import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import type { Ctx } from "~/platform/context.server";
import { auditColumns } from "./audit-columns";
import { type AuditAction, type AuditActor, type AuditSubject, toAuditActor, VISITOR } from "./model";

type AuditDetails = {
  subject: AuditSubject;
  orgId?: string | null;
  /**
   * Holds what was before and after, in plain values. Never a secret, a message or anything a person typed into a
   * password field. `people`: whose name stands in which of them, by id, so that it is not shown once they were erased.
   */
  meta?: Record<string, unknown>;
  /** Names who did it; by default the signed-in person. */
  actor?: AuditActor;
};

type AuditContext = Pick<Ctx, "db" | "now" | "request" | "signedIn">;

/** Returns the statement that records an event. It belongs in the batch of the change it describes. */
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

/** Returns the statement that records an event if a condition holds when it runs. */
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

/** Returns the signed-in person as the one who acts, or a visitor. */
export const actorOf = ({ signedIn }: Pick<Ctx, "signedIn">): AuditActor =>
  signedIn ? toAuditActor(signedIn) : VISITOR;
