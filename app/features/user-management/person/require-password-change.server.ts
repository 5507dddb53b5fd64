import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { type AccessInput, type AccessResult, changeAndSignOut } from "./access-change.server";

/** Signs a person out in every browser; after the next sign-in they may do nothing but choose a new password. */
export const requirePasswordChange = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAndSignOut(ctx, actor, input, () => ({
    account: { must_change_password: 1 },
    event: "user.password_change_required",
    mail: "password_change_required",
  }));
