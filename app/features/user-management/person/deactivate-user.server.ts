import { sql } from "drizzle-orm";
import { expectThat } from "~/db/client.server";
import { changeCredentials } from "~/features/auth/change-credentials.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { voidLinks } from "~/features/auth/mail-links.server";
import { fail, ok } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { isOtherAdmin } from "../admin-guards.server";
import { hasOtherAdmin } from "../queries.server";
import {
  type AccessInput,
  type AccessResult,
  expectAdmin,
  findOther,
  mailAccessChange,
  recordAccessChange,
} from "./access-change.server";
import { isNoSoleOwner, listSoleOwnerships } from "./queries.server";

/**
 * Takes a person's access away until somebody reactivates the account. Every session ends and every link to the account
 * becomes invalid. The last administrator and the only owner of an organization stay, whatever happens at the same time.
 */
export async function deactivateUser(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const account = found.value;
  const written = await changeCredentials(ctx, account, {
    uses: [
      expectAdmin(ctx, actor),
      expectThat(
        ctx.db,
        sql`${isOtherAdmin(userId)} OR NOT EXISTS (SELECT 1 FROM user_roles WHERE user_id = ${userId} AND role = 'admin')`,
      ),
      expectThat(ctx.db, isNoSoleOwner(userId)),
    ],
    account: { status: "deactivated" },
    changes: [voidLinks(ctx, userId, ["reset", "email_change", "mfa_setup"])],
    session: null,
    audit: [recordAccessChange(ctx, "user.deactivated", { account, reason })],
    mail: [mailAccessChange(ctx, account, "deactivated")],
  });
  if (written) return ok(undefined);
  const [owned, isLast] = await Promise.all([
    listSoleOwnerships(ctx.db, userId),
    hasOtherAdmin(ctx.db, userId).then((is) => !is),
  ]);
  if (owned.length > 0) return fail("sole_owner");
  return fail(isLast && account.role === "admin" ? "last_admin" : "denied");
}
