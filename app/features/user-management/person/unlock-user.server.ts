import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { expectChange, expectThat } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { securityAlerts } from "~/db/schema/security";
import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { clearLimit, clearLimitsOf, limitsOf } from "~/platform/rate-limit.server";
import { type AccessInput, type AccessResult, changeAccess } from "./access-change.server";

/**
 * Forgets the wrong passwords and codes of an account, also those of its known browsers: its owner need not wait. Fails
 * with `denied` where there is nothing to forget, because somebody else was faster or the owner has signed in.
 */
export const unlockUser = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAccess(ctx, actor, input, ({ userId }) => ({
    statements: [
      expectThat(ctx.db, hasFailures(userId)),
      ctx.db
        .update(users)
        .set({ password_failures: 0 })
        .where(and(eq(users.id, userId), eq(users.status, "active"))),
      expectChange(ctx.db),
      clearLimit(ctx.db, "login_account", `user:${userId}`),
      clearLimitsOf(ctx.db, "login_device", userId),
      clearLimit(ctx.db, "mfa", userId),
      // The alert that asked for it ends too, in the name of whoever did it.
      ctx.db
        .update(securityAlerts)
        .set({
          closed_at: ctx.now(),
          acknowledged_by: actor.userId,
          acknowledged_name: actor.fullName,
          note: "Unlocked the account",
        })
        .where(
          and(
            isNull(securityAlerts.closed_at),
            eq(securityAlerts.kind, "account_lockout"),
            eq(securityAlerts.user_id, userId),
          ),
        ),
    ],
    event: "user.unlocked",
    mail: "unlocked",
  }));

/** Builds the condition that there are wrong passwords or codes of an account. */
const hasFailures = (userId: string): SQL => sql`
  EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_failures > 0) OR EXISTS (
    SELECT 1 FROM rate_limit_attempts WHERE attempts > 0 AND (
      (attempt_type = 'login_account' AND identifier = ${`user:${userId}`})
      OR (attempt_type = 'mfa' AND identifier = ${userId}) OR (${limitsOf("login_device", userId)})))`;
