import { and, eq, sql } from "drizzle-orm";
import { expectChange } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { type AccessInput, type AccessResult, changeAccess } from "./access-change.server";

/** Gives a deactivated person access again. No session of before comes back: everybody signs in anew. */
export const reactivateUser = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAccess(ctx, actor, input, ({ userId }) => ({
    statements: [
      ctx.db
        .update(users)
        .set({ status: "active", auth_epoch: sql`${users.auth_epoch} + 1`, updated_at: ctx.now() })
        .where(and(eq(users.id, userId), eq(users.status, "deactivated"))),
      expectChange(ctx.db),
    ],
    event: "user.reactivated",
    mail: "reactivated",
  }));
