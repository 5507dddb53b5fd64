import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { type AccessInput, type AccessResult, changeAndSignOut } from "./access-change.server";

/** Signs a person out in every browser. */
export const endUserSessions = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAndSignOut(ctx, actor, input, () => ({ event: "user.signed_out", mail: "sessions_ended" }));
