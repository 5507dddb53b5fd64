import { and, eq, sql } from "drizzle-orm";
import { expectRow, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/mfa";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { prepareLink } from "~/features/auth/mail-links.server";
import type { Account } from "~/features/auth/queries.server";
import { enqueueMail, enqueueMails } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import type { Ctx } from "~/platform/context.server";
import { type AccessInput, type AccessResult, changeAccess, changeAndSignOut } from "./access-change.server";
import { listAdminAddresses } from "./queries.server";

/**
 * Removes the second factor of another person. Every session ends, and the next sign-in needs the password and a link
 * that only the address of the person gets. All administrators are told.
 */
export async function resetUserMfa(ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> {
  const { userId, reason } = input;
  const administrators = listAdminAddresses(ctx.db, userId);
  const changed = await changeAndSignOut(ctx, actor, input, async (account) => ({
    conditions: [expectRow(ctx.db, userMfaSettings, hasFactor(userId))],
    changes: [
      ctx.db
        .update(userMfaSettings)
        .set({ is_enabled: 0, totp_secret: null, codes_unsaved: 0, setup_needs_link: 1, updated_at: ctx.now() })
        .where(eq(userMfaSettings.user_id, userId)),
      ctx.db.delete(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, userId)),
      ctx.db.delete(mfaEnrollments).where(eq(mfaEnrollments.user_id, userId)),
    ],
    audit: recordMfaEvent(ctx, account, { action: "admin_reset", method: "totp" }),
    event: "mfa.reset",
    mail: [
      ...setupLink(ctx, account),
      ...enqueueMails(
        ctx,
        "factor-reset-notice",
        (await administrators).map(({ id, email }) => ({
          to: email,
          reader: id,
          about: userSubject(account),
          data: { name: account.fullName, email: account.email, by: actor.fullName, reason },
        })),
      ),
    ],
  }));
  if (changed.ok) ctx.after(ctx.live.notify("staff"));
  return changed;
}

/** Sends a new link for a person whose factor was reset; the one before ends. */
export const sendSetupLink = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAccess(ctx, actor, input, (account) => ({
    statements: [
      expectRow(ctx.db, users, and(eq(users.id, account.userId), eq(users.status, "active"))),
      expectRow(ctx.db, userMfaSettings, waitsForLink(account.userId)),
    ],
    event: "mfa.setup_link_sent",
    mail: setupLink(ctx, account),
  }));

const hasFactor = (userId: string) => and(eq(userMfaSettings.user_id, userId), eq(userMfaSettings.is_enabled, 1));
const waitsForLink = (userId: string) =>
  and(
    eq(userMfaSettings.user_id, userId),
    sql`${userMfaSettings.is_enabled} = 0 AND ${userMfaSettings.setup_needs_link} = 1`,
  );

/** Returns the statements of a link that sets up a new factor, with its mail. */
function setupLink(ctx: Pick<Ctx, "config" | "db" | "now" | "newId"> & Pick<Ctx, "newToken">, account: Account) {
  const { userId, email } = account;
  const link = prepareLink(ctx, "mfa_setup", { userId, email });
  const mail = enqueueMail(ctx, "factor-reset", { to: email, about: userSubject(account), data: { path: link.path } });
  return [...link.statements, mail] satisfies Statement[];
}
