import { expectThat, type Statement } from "~/db/client.server";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { type Account, findAccount } from "~/features/auth/queries.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { AccessChange as MailedChange } from "~/features/mail/model";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { isActiveAdmin } from "../admin-guards.server";

/*
 * What all changes of somebody's access have in common: who may make them, and what they leave behind.
 */

/** Names why a change was not made. `denied`: the account, or the right of whoever makes it, has changed meanwhile. */
export type AccessError = "user_not_found" | "own_account" | "last_admin" | "sole_owner" | "denied";

export type AccessResult = Result<undefined, AccessError>;

/** Holds whose access is changed, and why; the reason is kept in the audit. */
export type AccessInput = { userId: string; reason: string };

/** Finds the account that is to be changed. Nobody changes their own this way. */
export async function findOther(
  ctx: Pick<Ctx, "db">,
  actor: StaffActor,
  userId: string,
): Promise<Result<Account, "own_account" | "user_not_found">> {
  if (userId === actor.userId) return fail("own_account");
  const account = await findAccount(ctx.db, userId);
  return account ? ok(account) : fail("user_not_found");
}

/** Fails the batch unless the actor is still an administrator when it runs. It comes first. */
export const expectAdmin = ({ db }: Pick<Ctx, "db">, actor: StaffActor): Statement =>
  expectThat(db, isActiveAdmin(actor.userId));

/** Returns the audit event of a change, with its reason. */
export const recordAccessChange = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  action: AuditAction,
  { account, reason }: { account: Account; reason: string },
): Statement => recordAudit(ctx, action, { subject: userSubject(account), meta: { reason } });

/** Returns the mail that tells the person. */
export const mailAccessChange = (
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  account: Account,
  change: MailedChange,
): Statement =>
  enqueueMail(ctx, "access-changed", { to: account.email, about: userSubject(account), data: { change } });
