import { and, eq, sql } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { fail, ok } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import {
  type AccessInput,
  type AccessResult,
  expectAdmin,
  findOther,
  mailAccessChange,
  recordAccessChange,
} from "./access-change.server";

/** Gives a deactivated person access again. No session of before comes back: everybody signs in anew. */
export async function reactivateUser(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const account = found.value;
  const written = await commit(ctx.db, [
    expectAdmin(ctx, actor),
    ctx.db
      .update(users)
      .set({ status: "active", auth_epoch: sql`${users.auth_epoch} + 1`, updated_at: ctx.now() })
      .where(and(eq(users.id, userId), eq(users.status, "deactivated"))),
    expectChange(ctx.db),
    recordAccessChange(ctx, "user.reactivated", { account, reason }),
    mailAccessChange(ctx, account, "reactivated"),
  ]);
  if (!written) return fail("denied");
  ctx.after(deliverOutbox(ctx));
  return ok(undefined);
}
