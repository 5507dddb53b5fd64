import { and, eq, sql } from "drizzle-orm";
import { commit, expectRow, type Statement } from "~/db/client.server";
import { mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/mfa";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { changeCredentials } from "~/features/auth/change-credentials.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { prepareLink } from "~/features/auth/mail-links.server";
import type { Account } from "~/features/auth/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail, enqueueMails } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import { fail, ok } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import {
  type AccessInput,
  type AccessResult,
  expectAdmin,
  findOther,
  recordAccessChange,
} from "./access-change.server";
import { listAdminAddresses } from "./queries.server";

/**
 * Removes the second factor of another person. Every session ends, and the next sign-in needs the password and a link
 * that only the address of the person gets. All administrators are told.
 */
export async function resetUserMfa(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
): Promise<AccessResult> {
  const [found, administrators] = await Promise.all([
    findOther(ctx, actor, userId),
    listAdminAddresses(ctx.db, userId),
  ]);
  if (!found.ok) return found;
  const account = found.value;
  const subject = userSubject(account);
  const removed = { is_enabled: 0, totp_secret: null, codes_unsaved: 0, setup_needs_link: 1, updated_at: ctx.now() };
  const notice = { name: account.fullName, email: account.email, by: actor.fullName, reason };
  const written = await changeCredentials(ctx, account, {
    uses: [expectAdmin(ctx, actor), expectRow(ctx.db, userMfaSettings, hasFactor(userId))],
    changes: [
      ctx.db.update(userMfaSettings).set(removed).where(eq(userMfaSettings.user_id, userId)),
      ctx.db.delete(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, userId)),
      ctx.db.delete(mfaEnrollments).where(eq(mfaEnrollments.user_id, userId)),
    ],
    session: null,
    audit: [
      ...recordMfaEvent(ctx, account, { action: "admin_reset", method: "totp" }),
      recordAccessChange(ctx, "mfa.reset", { account, reason }),
    ],
    mail: [
      ...setupLink(ctx, account),
      ...enqueueMails(
        ctx,
        "factor-reset-notice",
        administrators.map(({ email }) => ({ to: email, about: subject, data: notice })),
      ),
    ],
  });
  if (!written) return fail("denied");
  ctx.after(ctx.live.notify("staff"));
  return ok(undefined);
}

/** Sends a new link for a person whose factor was reset; the one before ends. */
export async function sendSetupLink(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const account = found.value;
  if (account.status !== "active") return fail("denied");
  const written = await commit(ctx.db, [
    expectAdmin(ctx, actor),
    expectRow(ctx.db, userMfaSettings, waitsForLink(userId)),
    ...setupLink(ctx, account),
    recordAccessChange(ctx, "mfa.setup_link_sent", { account, reason }),
  ]);
  if (!written) return fail("denied");
  ctx.after(deliverOutbox(ctx));
  return ok(undefined);
}

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
