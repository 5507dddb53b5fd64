import type { Statement } from "~/db/client.server";
import { mfaAuditLog } from "~/db/schema/mfa";
import type { Ctx } from "~/platform/context.server";
import type { MfaAction, MfaFailure, MfaMethod } from "./model";

type MfaEvent = {
  userId: string;
  action: MfaAction;
  method: MfaMethod;
  /** Absent: it succeeded. */
  failure?: MfaFailure;
};

/** The statement that records what happened to a second factor. Facts come from the server only, never from a form. */
export function recordMfaEvent(ctx: Ctx, { userId, action, method, failure }: MfaEvent): Statement {
  return ctx.db.insert(mfaAuditLog).values({
    user_id: userId,
    action,
    method,
    success: failure ? 0 : 1,
    failure_reason: failure ?? null,
    ip_address: ctx.request.ip || null,
    request_id: ctx.request.id,
    created_at: ctx.now(),
  });
}
