import { not, sql } from "drizzle-orm";
import type { PlatformRole } from "~/access/model";
import { can } from "~/access/policy";
import { commit, expectThat, isDuplicate } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import { freeAddress, isReserved } from "~/features/auth/address-claims.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { getSettings } from "~/features/settings/queries.server";
import { nameColumns } from "~/features/users/name-columns";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { isAdmin } from "../inviter-rights.server";
import { type Inviter, PLATFORM_ROLE_LABELS } from "../model";
import { takeInvitation } from "./invitation-limits.server";
import { prepareInvitation } from "./prepare-invitation.server";

type InvitedPerson = {
  /** Holds the address, normalized and valid. */
  email: string;
  fullName: string;
  role: PlatformRole;
};

/**
 * Makes an account that waits for its owner: it has no password, so nobody can sign in with it until the link is used.
 * Its role is stored at once, and only that of an active account gives rights. An account that is merely claimed by a
 * sign-up with the same address gives way.
 */
export async function inviteUser(
  ctx: Ctx,
  inviter: Inviter,
  { email, fullName, role }: InvitedPerson,
): Promise<Result<{ userId: string }, "email_taken" | "limited" | "denied">> {
  if (!can(inviter, "user.invite")) return fail("denied");
  const { timeZone } = await getSettings(ctx.db);
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender: "staff" });
  if (!giveBack) return fail("limited");
  const userId = ctx.newId("usr");
  const now = ctx.now();
  const subject = userSubject({ userId, fullName });
  const invitation = { email, inviter, role: PLATFORM_ROLE_LABELS[role], userId };
  try {
    const written = await commit(ctx.db, [
      expectThat(ctx.db, isAdmin(inviter.userId)),
      // An address that its former owner may take back counts as taken.
      expectThat(ctx.db, not(isReserved(ctx, email, userId))),
      ...freeAddress(ctx.db, email),
      ctx.db
        .insert(users)
        .values({ id: userId, email, ...nameColumns(fullName), status: "pending", created_at: now, updated_at: now }),
      ...(role === "user" ? [] : [ctx.db.insert(userRoles).values({ user_id: userId, role })]),
      ...prepareInvitation(ctx, invitation, { timeZone }).statements,
      recordAudit(ctx, "user.invited", { subject, meta: { role } }),
    ]);
    if (written) {
      ctx.after(deliverOutbox(ctx));
      return ok({ userId });
    }
  } catch (error) {
    if (!isDuplicate(error, "users.email")) throw error;
  }
  await giveBack();
  const { mayInvite } = await ctx.db.get<{ mayInvite: number }>(sql`select ${isAdmin(inviter.userId)} as mayInvite`);
  return fail(mayInvite ? "email_taken" : "denied");
}
