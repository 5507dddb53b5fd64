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
   * password field.
   */
  meta?: Record<string, unknown>;
  /** Defaults to the signed-in person. */
  actor?: AuditActor;
};

/** Returns the statement that records an event. It belongs in the batch of the change it describes. */
export function recordAudit(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
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

/** Returns the signed-in person as the one who acts, or a visitor. */
export const actorOf = ({ signedIn }: Pick<Ctx, "signedIn">): AuditActor =>
  signedIn ? toAuditActor(signedIn) : VISITOR;
