import { and, eq, not } from "drizzle-orm";
import * as z from "zod";
import { commit, expectThat, isDuplicate, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { VISITOR } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { emailHash, isReserved } from "~/features/auth/address-reservations.server";
import type { NewAccount } from "~/features/auth/forms.server";
import { prepareLink, voidLinks } from "~/features/auth/mail-links.server";
import type { PasswordFlaw } from "~/features/auth/model";
import { hashNewPassword, minimumResponseTime, passwordFlaw, type Wait } from "~/features/auth/passwords.server";
import { type Account, findAccountByEmail } from "~/features/auth/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { getSettings } from "~/features/settings/queries.server";
import { nameColumns, userSubject } from "~/features/users/model";
import { hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteSignUpCookie, setSignUpCookie, signUpIdOf } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { deleteSessionData, keepUnderNewId, readSessionData, sessionDataKey } from "~/platform/session-data.server";

/** What was typed at a sign-up; of the password only the hash. */
const SignUpDraft = z.object({
  email: z.string(),
  fullName: z.string(),
  organizationName: z.string(),
  passwordHash: z.string(),
});
export type SignUpDraft = z.infer<typeof SignUpDraft>;

const DRAFT_LIFETIME = hours(24);

/**
 * For the browser it was typed in: the password counts only where it comes with the link of the mail. A stranger has
 * the one and not the other. What could not be kept is typed again after the link was opened.
 */
export async function keepSignUpDraft(
  ctx: Pick<Ctx, "after" | "config" | "kv" | "log" | "newToken" | "now" | "request" | "setCookie">,
  { email, fullName, organizationName }: NewAccount,
  passwordHash: string,
): Promise<void> {
  const draft: SignUpDraft = { email, fullName, organizationName, passwordHash };
  const id = await keepUnderNewId(ctx, "sign-up", draft, DRAFT_LIFETIME);
  const former = signUpIdOf(ctx);
  if (former) deleteSessionData(ctx, draftKey(former));
  if (id) setSignUpCookie(ctx, id, DRAFT_LIFETIME);
  // An earlier draft would open the account with another password than the one that was typed last.
  else if (former) deleteSignUpCookie(ctx);
}

/** Returns what was typed in this browser when it signed up with the address; null in every other browser. */
export async function findDraft(
  ctx: Pick<Ctx, "config" | "kv" | "log" | "now" | "request">,
  email: string,
): Promise<SignUpDraft | null> {
  const id = signUpIdOf(ctx);
  if (!id) return null;
  const drafts = await readSessionData(ctx, [draftKey(id)], SignUpDraft);
  const draft = drafts?.get(draftKey(id));
  return draft?.email === email ? draft : null;
}

export function deleteDraft(ctx: Pick<Ctx, "after" | "kv" | "request" | "setCookie">): void {
  const id = signUpIdOf(ctx);
  if (id) deleteSessionData(ctx, draftKey(id));
  deleteSignUpCookie(ctx);
}

const draftKey = (id: string) => sessionDataKey("sign-up", hashToken(id));

type SignUpError = { code: PasswordFlaw } | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };
type SignUp = { ok: true; passwordHash: string } | { ok: false; error: SignUpError };
export type Resent = { ok: true } | { ok: false; error: SignUpError };

/** Handed over by the route, because invitations are a later feature. */
export type ResendInvitations = (ctx: Ctx, email: string) => Promise<boolean>;

type Options = { resendInvitations: ResendInvitations; wait?: Wait };

/**
 * Response and time are the same whether the address is new, unconfirmed or taken. What is stored with the account
 * opens nothing, so nobody can prepare an account for somebody else. An invited address gets its invitation again
 * instead.
 */
export async function signUp(ctx: Ctx, account: NewAccount, { resendInvitations, wait }: Options): Promise<SignUp> {
  const flaw = await passwordFlaw(ctx, account.password, account.email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const startedAt = ctx.now();
  const network = await takeLimit(ctx.db, "signup_ip", ctx.request.network, startedAt);
  if (!network.allowed) return { ok: false, error: { code: "too_many_attempts", retryAt: network.retryAt } };
  const [address, existing, settings] = await Promise.all([
    takeLimit(ctx.db, "signup_addr", emailHash(ctx, account.email), startedAt),
    findAccountByEmail(ctx.db, account.email),
    getSettings(ctx.db),
  ]);
  const hashed = await hashNewPassword(ctx, account.password);
  if (!hashed.ok) return hashed;
  if (address.allowed) {
    const byInvitation = settings.signUpPolicy === "invite_only";
    const isInvited = await isInvitedAgain(ctx, existing, { ...account, byInvitation, resendInvitations });
    if (!isInvited && !byInvitation) await register(ctx, existing, { ...account, passwordHash: hashed.hash });
    ctx.after(deliverOutbox(ctx));
  }
  await minimumResponseTime(ctx, startedAt, wait);
  return { ok: true, passwordHash: hashed.hash };
}

type HashedAccount = Pick<NewAccount, "email" | "fullName"> & { passwordHash: string };

type Invited = { email: string; byInvitation: boolean; resendInvitations: ResendInvitations };

/** Invites the address again. The owner of an account is told that they have one, where other accounts are possible. */
const isInvitedAgain = async (ctx: Ctx, existing: Account | null, invited: Invited): Promise<boolean> =>
  (invited.byInvitation || existing?.status !== "active") && invited.resendInvitations(ctx, invited.email);

async function register(ctx: Ctx, existing: Account | null, account: HashedAccount): Promise<void> {
  if (existing?.status === "active") {
    await commit(ctx.db, [
      enqueueMail(ctx, "account-exists", { to: existing.email, about: userSubject(existing), data: {} }),
    ]);
  } else if (!existing || existing.status === "unverified") {
    await storeAccount(ctx, existing, account);
  }
}

async function storeAccount(ctx: Ctx, existing: Account | null, account: HashedAccount): Promise<void> {
  const { email, fullName, passwordHash } = account;
  const userId = existing?.userId ?? ctx.newId("usr");
  const now = ctx.now();
  const typed = { ...nameColumns(fullName), password_hash: passwordHash, updated_at: now };
  const subject = userSubject({ userId, fullName });
  const link = prepareLink(ctx, "verify_email", { userId, email });
  const store: Statement[] = existing
    ? [
        ctx.db
          .update(users)
          .set(typed)
          .where(and(eq(users.id, userId), eq(users.status, "unverified"))),
        voidLinks(ctx, userId, ["verify_email"]),
      ]
    : [ctx.db.insert(users).values({ id: userId, email, status: "unverified", created_at: now, ...typed })];
  try {
    // An address that its former owner may take back counts as taken; then nothing is written.
    await commit(ctx.db, [
      expectThat(ctx.db, not(isReserved(ctx, email, userId))),
      ...store,
      ...link.statements,
      enqueueMail(ctx, "email-confirmation", { to: email, about: subject, data: { path: link.path } }),
      recordAudit(ctx, "user.signed_up", {
        subject,
        // Whether it is the owner of the address is known only when they confirm it.
        actor: VISITOR,
      }),
    ]);
  } catch (error) {
    // A parallel request with the same new address has stored it and sends the link.
    if (!isDuplicate(error, "users.email")) throw error;
  }
}

/**
 * The response is the same for every address. Only mails count for a mailbox: its limit is also that of changing to the
 * address.
 */
export async function resendConfirmation(
  ctx: Ctx,
  email: string,
  { resendInvitations, wait }: Options,
): Promise<Resent> {
  const startedAt = ctx.now();
  const network = await takeLimit(ctx.db, "signup_ip", ctx.request.network, startedAt);
  if (!network.allowed) return { ok: false, error: { code: "too_many_attempts", retryAt: network.retryAt } };
  const account = await findAccountByEmail(ctx.db, email);
  if (account?.status === "unverified") {
    await mailLinkAgain(ctx, account);
  } else if (account?.status !== "active") {
    await resendInvitations(ctx, email);
  }
  ctx.after(deliverOutbox(ctx));
  await minimumResponseTime(ctx, startedAt, wait);
  return { ok: true };
}

async function mailLinkAgain(ctx: Ctx, account: Account): Promise<void> {
  const limit = await takeLimit(ctx.db, "verify_addr", emailHash(ctx, account.email), ctx.now());
  if (!limit.allowed) return;
  const link = prepareLink(ctx, "verify_email", account);
  await commit(ctx.db, [
    ...link.statements,
    enqueueMail(ctx, "email-confirmation", {
      to: account.email,
      about: userSubject(account),
      data: { path: link.path },
    }),
  ]);
}
