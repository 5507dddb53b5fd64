import { and, eq } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { fail, ok } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { clearLimit, clearLimitsOf } from "~/platform/rate-limit.server";
import {
  type AccessInput,
  type AccessResult,
  expectAdmin,
  findOther,
  mailAccessChange,
  recordAccessChange,
} from "./access-change.server";

/** Forgets the wrong passwords and codes of an account, also those of its known browsers: its owner need not wait. */
export async function unlockUser(ctx: Ctx, actor: StaffActor, { userId, reason }: AccessInput): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const account = found.value;
  const written = await commit(ctx.db, [
    expectAdmin(ctx, actor),
    ctx.db
      .update(users)
      .set({ password_failures: 0 })
      .where(and(eq(users.id, userId), eq(users.status, "active"))),
    expectChange(ctx.db),
    clearLimit(ctx.db, "login_account", `user:${userId}`),
    clearLimitsOf(ctx.db, "login_device", userId),
    clearLimit(ctx.db, "mfa", userId),
    recordAccessChange(ctx, "user.unlocked", { account, reason }),
    mailAccessChange(ctx, account, "unlocked"),
  ]);
  if (!written) return fail("denied");
  ctx.after(deliverOutbox(ctx));
  return ok(undefined);
}
