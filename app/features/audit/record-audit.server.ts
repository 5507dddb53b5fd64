import type { Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import type { Ctx } from "~/platform/context.server";
import type { AuditAction, AuditActor, AuditObjectType } from "./model";

type AuditDetails = {
  objectType: AuditObjectType;
  objectId?: string | null;
  orgId?: string | null;
  /** What was before and after, in plain values. Never a secret, a message or anything a person typed into a password box. */
  meta?: Record<string, unknown>;
  /** Defaults to the signed-in person. */
  actor?: AuditActor;
};

/** The statement that records an event. It belongs into the batch of the change it describes. */
export function recordAudit(
  ctx: Ctx,
  action: AuditAction,
  { objectType, objectId = null, orgId = null, meta, actor = actorOf(ctx) }: AuditDetails,
): Statement {
  return ctx.db.insert(auditEvents).values({
    at: ctx.now(),
    actor_id: actor.id,
    actor_role: actor.role,
    action,
    object_type: objectType,
    object_id: objectId,
    org_id: orgId,
    ip: ctx.request.ip || null,
    request_id: ctx.request.id,
    meta_json: meta ? JSON.stringify(meta) : null,
  });
}

function actorOf({ signedIn }: Ctx): AuditActor {
  return signedIn ? { id: signedIn.userId, role: signedIn.role } : { id: null, role: "visitor" };
}
