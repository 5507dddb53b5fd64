import { sql } from "drizzle-orm";
import { expectThat } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { voidLinks } from "~/features/auth/mail-links.server";
import type { Account } from "~/features/auth/queries.server";
import { fail } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { isOtherAdmin } from "../admin-guards.server";
import { hasOtherAdmin } from "../queries.server";
import { type AccessInput, type AccessResult, changeAndSignOut } from "./access-change.server";
import { isNoSoleOwner, listSoleOwnerships } from "./queries.server";

/**
 * Takes a person's access away until somebody reactivates the account. Every session ends and every link to the account
 * becomes invalid. The last administrator and the only owner of an organization stay, whatever happens at the same
 * time.
 */
export async function deactivateUser(ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> {
  const { userId } = input;
  let role: Account["role"] | undefined;
  const changed = await changeAndSignOut(ctx, actor, input, (account) => {
    role = account.role;
    return {
      conditions: [
        expectThat(
          ctx.db,
          sql`${isOtherAdmin(userId)} OR NOT EXISTS (SELECT 1 FROM user_roles WHERE user_id = ${userId} AND role = 'admin')`,
        ),
        expectThat(ctx.db, isNoSoleOwner(userId)),
      ],
      account: { status: "deactivated" },
      changes: [voidLinks(ctx, userId, ["reset", "email_change", "mfa_setup"])],
      event: "user.deactivated",
      mail: "deactivated",
    };
  });
  if (changed.ok || changed.code !== "denied") return changed;
  const [owned, isLast] = await Promise.all([
    listSoleOwnerships(ctx.db, userId),
    hasOtherAdmin(ctx.db, userId).then((is) => !is),
  ]);
  if (owned.length > 0) return fail("sole_owner");
  return fail(isLast && role === "admin" ? "last_admin" : "denied");
}
