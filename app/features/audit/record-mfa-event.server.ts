import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { mfaAuditLog } from "~/db/schema/security";
import { userSubject } from "~/features/users/model";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import type { MfaAction, MfaFailure, MfaMethod } from "./model";

type MfaEvent = {
  action: MfaAction;
  method: MfaMethod;
  /** Absent: it succeeded. */
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
 * Failed codes of a sign-in are counted with failed passwords. After the commit: `ctx.after(ctx.live.notify("staff"))`.
 * Facts come from the server only, never from a form.
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
