import { and, eq } from "drizzle-orm";
import { expectChange } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { clearLimit, clearLimitsOf } from "~/platform/rate-limit.server";
import { type AccessInput, type AccessResult, changeAccess } from "./access-change.server";

/** Forgets the wrong passwords and codes of an account, also those of its known browsers: its owner need not wait. */
export const unlockUser = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAccess(ctx, actor, input, ({ userId }) => ({
    statements: [
      ctx.db
        .update(users)
        .set({ password_failures: 0 })
        .where(and(eq(users.id, userId), eq(users.status, "active"))),
      expectChange(ctx.db),
      clearLimit(ctx.db, "login_account", `user:${userId}`),
      clearLimitsOf(ctx.db, "login_device", userId),
      clearLimit(ctx.db, "mfa", userId),
    ],
    event: "user.unlocked",
    mail: "unlocked",
  }));
