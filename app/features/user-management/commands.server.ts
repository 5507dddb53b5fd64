import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { PLATFORM_ROLES, type PlatformRole } from "~/access/model";
import { commit, expectChange, expectRow, expectThat, type Statement } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { mfaBackupCodes, mfaEnrollments, securityAlerts, userMfaSettings } from "~/db/schema/security";
import { sessions } from "~/db/schema/sessions";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit, recordMfaEvent } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { prepareLink, voidLinks } from "~/features/auth/mail-links.server";
import { type Account, findAccount, listOpenSessions } from "~/features/auth/queries.server";
import { type CredentialChange, changeCredentials, closeRevoked, revoke } from "~/features/auth/sessions.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { liftAddressHold } from "~/features/mail/delivery-events.server";
import { enqueueMail, enqueueMails } from "~/features/mail/enqueue-mail.server";
import type { MailData } from "~/features/mail/kinds";
import { userSubject } from "~/features/users/model";
import { fail, ok, type Result } from "~/lib/errors";
import { disconnectUser } from "~/live/publish.server";
import type { Ctx } from "~/platform/context.server";
import { clearLimit, clearLimitsOf, limitsOf } from "~/platform/rate-limits.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import type { AccessError, RoleError } from "./labels";
import {
  findAccountState,
  hasOtherAdmin,
  isActiveAdmin,
  isNoSoleOwner,
  isOtherAdmin,
  listAdminAddresses,
  listSoleOwnerships,
} from "./queries.server";

export const RoleForm = z.object({ role: z.enum(PLATFORM_ROLES) });

export const UserIdForm = z.object({ id: z.string().regex(/^usr_[a-z0-9_]{1,56}$/) });

/**
 * Gives a person another role, in one batch with the end of all their sessions: a trigger of `user_roles` increases the
 * epoch of the account. Nobody changes their own role, and whoever changes another's must still be an administrator
 * when the batch runs. A role that the person has already changes nothing.
 */
export async function changeUserRole(
  ctx: Ctx,
  actor: StaffActor,
  { userId, role, nonce }: { userId: string; role: PlatformRole; nonce: string },
): Promise<Result<{ changed: boolean }, RoleError>> {
  if (userId === actor.userId) return fail((await hasOtherAdmin(ctx.db, userId)) ? "own_role" : "last_admin");
  let changed = false;
  const form = { scope: "user-role", key: `${nonce}:${userId}`, choice: role };
  const set = await runCommand(ctx, form, {
    read: () => findAccountState(ctx.db, userId),
    plan: (person): Planned<RoleError> => {
      if (!person || person.status === "unverified") return fail("user_not_found");
      if (person.role === role) return ok({ resultId: userId });
      changed = true;
      const subject = userSubject({ userId, fullName: person.name });
      const isRole = sql`coalesce((SELECT role FROM user_roles WHERE user_id = ${userId}), 'user') = ${person.role}`;
      return ok({
        resultId: userId,
        expects: [
          ...(person.role === "admin" ? [{ that: isOtherAdmin(userId), otherwise: "last_admin" as const }] : []),
          { that: isActiveAdmin(actor.userId), otherwise: "denied" },
        ],
        statements: [
          // The event says what the role was before.
          expectThat(ctx.db, isRole),
          ctx.db
            .insert(userRoles)
            .values({ user_id: userId, role })
            .onConflictDoUpdate({ target: userRoles.user_id, set: { role } }),
          recordAudit(ctx, "user.role_changed", { subject, meta: { from: person.role, to: role } }),
          // Who was only invited, or has no access, has nothing to be told yet.
          ...(person.status === "active"
            ? [enqueueMail(ctx, "role-changed", { to: person.email, about: subject, data: { role } })]
            : []),
        ],
        after: () => {
          disconnectUser(ctx, userId);
          ctx.after(deliverOutbox(ctx));
        },
      });
    },
  });
  return set.ok ? ok({ changed }) : set;
}

/** Lets mail go again to the address of a person that is held because mail came back, with what waits for it. */
export async function releaseMail(
  ctx: Ctx,
  actor: StaffActor,
  { userId, nonce }: { userId: string; nonce: string },
): Promise<Result<string, AccessError>> {
  return runCommand(
    ctx,
    { scope: "release-mail", key: nonce },
    {
      read: () => findAccountState(ctx.db, userId),
      plan: (person): Planned<AccessError> =>
        person
          ? ok({
              resultId: userId,
              expects: [{ that: isActiveAdmin(actor.userId), otherwise: "denied" }],
              statements: [
                ...liftAddressHold(ctx, person.email),
                recordAudit(ctx, "user.mail_released", { subject: userSubject({ userId, fullName: person.name }) }),
              ],
              after: () => ctx.after(deliverOutbox(ctx)),
            })
          : fail("user_not_found"),
    },
  );
}

/*
 * What all changes of somebody's access have in common: who may make them, and what they leave behind.
 */

export type AccessResult = Result<undefined, AccessError>;

export type AccessInput = { userId: string; reason: string };

type Trace = { event: AuditAction; mail: MailData["access-changed"]["change"] | readonly Statement[] };

type SigningOut = Trace &
  Pick<CredentialChange, "account" | "changes"> & {
    conditions?: readonly Statement[];
    audit?: readonly Statement[];
  };

/**
 * Changes the credentials of another person, or nothing else than that all of their sessions end. `of` returns the
 * change for the account as it was read; the batch fails with `denied` if it has changed since.
 */
async function changeAndSignOut(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
  of: (account: Account) => SigningOut | Promise<SigningOut>,
): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const { value: person } = found;
  const { event, mail, account, changes, conditions = [], audit = [] } = await of(person);
  const written = await changeCredentials(ctx, person, {
    uses: [expectAdmin(ctx, actor), ...conditions],
    account,
    changes,
    session: null,
    audit: [...audit, recordAccessChange(ctx, event, { account: person, reason })],
    mail: mailsOf(ctx, person, mail),
  });
  return written ? ok(undefined) : fail("denied");
}

/**
 * Changes what another person may do, in one batch with audit and mail; sessions stay. `of` returns the statements for
 * the account as it was read, with the conditions on it.
 */
async function changeAccess(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
  of: (account: Account) => Trace & { statements: readonly Statement[] },
): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const { value: account } = found;
  const { event, mail, statements } = of(account);
  const written = await commit(ctx.db, [
    expectAdmin(ctx, actor),
    ...statements,
    recordAccessChange(ctx, event, { account, reason }),
    ...mailsOf(ctx, account, mail),
  ]);
  if (!written) return fail("denied");
  ctx.after(deliverOutbox(ctx));
  return ok(undefined);
}

/** Finds the account that is to be changed. Nobody changes their own this way. */
async function findOther(
  ctx: Pick<Ctx, "db">,
  actor: StaffActor,
  userId: string,
): Promise<Result<Account, "own_account" | "user_not_found">> {
  if (userId === actor.userId) return fail("own_account");
  const account = await findAccount(ctx.db, userId);
  return account ? ok(account) : fail("user_not_found");
}

/** Fails the batch unless the actor is still an administrator when it runs. It comes first. */
const expectAdmin = ({ db }: Pick<Ctx, "db">, actor: StaffActor): Statement =>
  expectThat(db, isActiveAdmin(actor.userId));

const recordAccessChange = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  action: AuditAction,
  { account, reason }: { account: Account; reason: string },
): Statement => recordAudit(ctx, action, { subject: userSubject(account), meta: { reason } });

const mailsOf = (
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  account: Account,
  mail: Trace["mail"],
): readonly Statement[] =>
  typeof mail === "string"
    ? [enqueueMail(ctx, "access-changed", { to: account.email, about: userSubject(account), data: { change: mail } })]
    : mail;

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

/**
 * Signs a person out in one browser; the others stay. `session`: the number of its row, as pages have it. Fails with
 * `session_ended` when it is no open session of the person.
 */
export async function endUserSession(
  ctx: Ctx,
  actor: StaffActor,
  { session, ...input }: AccessInput & { session: string },
): Promise<AccessResult> {
  const open = await listOpenSessions(ctx.db, input.userId, ctx.now());
  const found = open.find(({ id }) => String(id) === session);
  if (!found) return fail("session_ended");
  const ended = await changeAccess(ctx, actor, input, ({ userId }) => ({
    statements: [revoke(ctx, userId, eq(sessions.id_hash, found.sessionHash)), expectChange(ctx.db)],
    event: "user.session_ended",
    mail: "session_ended",
  }));
  if (ended.ok) closeRevoked(ctx, input.userId, [found.sessionHash]);
  return ended;
}

export const endUserSessions = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAndSignOut(ctx, actor, input, () => ({ event: "user.signed_out", mail: "sessions_ended" }));

/** Signs a person out in every browser; after the next sign-in they may do nothing but choose a new password. */
export const requirePasswordChange = (ctx: Ctx, actor: StaffActor, input: AccessInput): Promise<AccessResult> =>
  changeAndSignOut(ctx, actor, input, () => ({
    account: { must_change_password: 1 },
    event: "user.password_change_required",
    mail: "password_change_required",
  }));

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

function setupLink(ctx: Pick<Ctx, "config" | "db" | "now" | "newId"> & Pick<Ctx, "newToken">, account: Account) {
  const { userId, email } = account;
  const link = prepareLink(ctx, "mfa_setup", { userId, email });
  const mail = enqueueMail(ctx, "factor-reset", { to: email, about: userSubject(account), data: { path: link.path } });
  return [...link.statements, mail] satisfies Statement[];
}

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

const hasFailures = (userId: string): SQL => sql`
  EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_failures > 0) OR EXISTS (
    SELECT 1 FROM rate_limit_attempts WHERE attempts > 0 AND (
      (attempt_type = 'login_account' AND identifier = ${`user:${userId}`})
      OR (attempt_type = 'mfa' AND identifier = ${userId}) OR (${limitsOf("login_device", userId)})))`;
