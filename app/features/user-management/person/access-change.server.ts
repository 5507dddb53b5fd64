import { commit, expectThat, type Statement } from "~/db/client.server";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { type CredentialChange, changeCredentials } from "~/features/auth/change-credentials.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { type Account, findAccount } from "~/features/auth/queries.server";
import type { AccessChange as MailedChange } from "~/features/mail/account-mail-data";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { isActiveAdmin } from "../admin-guards.server";

/*
 * What all changes of somebody's access have in common: who may make them, and what they leave behind.
 */

/** Says why a change was not made. `denied`: the account, or the right of whoever makes it, has changed meanwhile. */
export type AccessError = "user_not_found" | "own_account" | "last_admin" | "sole_owner" | "session_ended" | "denied";

export type AccessResult = Result<undefined, AccessError>;

/** Says whose access is changed, and why; the reason is kept in the audit. */
export type AccessInput = { userId: string; reason: string };

/** Describes what every change leaves behind: its audit event, and the mail to the person, which may be another one. */
type Trace = { event: AuditAction; mail: MailedChange | readonly Statement[] };

type SigningOut = Trace &
  Pick<CredentialChange, "account" | "changes"> & {
    /** Lists what must hold for the change. */
    conditions?: readonly Statement[];
    /** Holds further audit events. */
    audit?: readonly Statement[];
  };

/**
 * Changes the credentials of another person, or nothing else than that all of their sessions end. `of` returns the
 * change for the account as it was read; the batch fails with `denied` if it has changed since.
 */
export async function changeAndSignOut(
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
export async function changeAccess(
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

/** Returns the audit event of a change, with its reason. */
const recordAccessChange = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  action: AuditAction,
  { account, reason }: { account: Account; reason: string },
): Statement => recordAudit(ctx, action, { subject: userSubject(account), meta: { reason } });

/** Returns the mail that tells the person, or those of a change that tells more. */
const mailsOf = (
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  account: Account,
  mail: Trace["mail"],
): readonly Statement[] =>
  typeof mail === "string"
    ? [enqueueMail(ctx, "access-changed", { to: account.email, about: userSubject(account), data: { change: mail } })]
    : mail;
