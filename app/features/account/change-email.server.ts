import { and, eq, not, sql } from "drizzle-orm";
import { commit, expectChange, expectThat, isDuplicate, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { authTokens } from "~/db/schema/sessions";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { emailHash, freeAddress, isReserved } from "~/features/auth/address-reservations.server";
import { consumeLink, type OpenLink, prepareLink, voidLinks } from "~/features/auth/mail-links.server";
import { type Account, findAccount } from "~/features/auth/queries.server";
import { changeCredentials } from "~/features/auth/sessions.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/model";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie, setLinkCookie } from "~/platform/cookies.server";
import { takeLimit } from "~/platform/rate-limits.server";

type EmailChangeRequest = {
  account: Account;
  email: string;
  /** Holds the statements that use up the proof of identity, and save what else the form contained. */
  with: Statement[];
};

/**
 * Tells whether a change was requested. `code_wrong`: the code that proves the identity was used in the meantime, or
 * the account has changed.
 */
type RequestedChange =
  | { ok: true }
  | { ok: false; error: { code: "mails_too_many"; retryAt: Instant } | { code: "code_wrong" } };

/**
 * Stores a pending e-mail change. Nothing changes until the link in the mail to the new address is used; the old
 * address gets a mail and can undo the change for 72 hours. Whether the new address is taken is checked at the
 * confirmation, so the form does not reveal it. The mails are limited per network, account and mailbox.
 */
export async function requestEmailChange(
  ctx: Ctx,
  { account, email, with: others }: EmailChangeRequest,
): Promise<RequestedChange> {
  const { userId } = account;
  const limits = [
    ["email_change_ip", ctx.request.network],
    ["email_change_user", userId],
    ["verify_addr", emailHash(ctx, email)],
  ] as const;
  for (const [type, identifier] of limits) {
    const limit = await takeLimit(ctx.db, type, identifier, ctx.now());
    if (!limit.allowed) return { ok: false, error: { code: "mails_too_many", retryAt: limit.retryAt } };
  }
  const about = userSubject(account);
  const confirmation = prepareLink(ctx, "email_change", { userId, email });
  const undo = prepareLink(ctx, "email_undo", { userId, email: account.email });
  const written = await commit(ctx.db, [
    ...others,
    ctx.db
      .update(users)
      .set({ pending_email: email, updated_at: ctx.now() })
      .where(and(eq(users.id, userId), eq(users.auth_epoch, account.epoch))),
    expectChange(ctx.db),
    ...confirmation.statements,
    ...undo.statements,
    enqueueMail(ctx, "email-change-confirmation", { to: email, about, data: { path: confirmation.path } }),
    enqueueMail(ctx, "email-change-notice", {
      to: account.email,
      about,
      data: { newEmail: email, undoPath: undo.path },
    }),
    recordAudit(ctx, "user.email_change_requested", { subject: about }),
  ]);
  if (!written) return { ok: false, error: { code: "code_wrong" } };
  ctx.after(deliverOutbox(ctx));
  return { ok: true };
}

type EmailChange = { ok: true; staysSignedIn: boolean } | { ok: false; code: "link_invalid" | "email_taken" };

const INVALID: EmailChange = { ok: false, code: "link_invalid" };

/** Other browsers are signed out; this one gets a new session. */
export async function confirmEmailChange(ctx: Ctx, link: OpenLink): Promise<EmailChange> {
  const { userId, email } = link;
  const account = await findAccount(ctx.db, userId);
  if (account?.status !== "active") return INVALID;
  const reserved = isReserved(ctx, email, userId);
  const row = await ctx.db.get<{ reserved: number }>(sql`select ${reserved} as reserved`);
  if (row.reserved) return { ok: false, code: "email_taken" };
  const own = ctx.signedIn?.userId === userId ? ctx.signedIn : null;
  const written = await changeAddress(ctx, account, {
    email,
    action: "user.email_changed",
    condition: eq(users.pending_email, email),
    uses: [...consumeLink(ctx, "email_change", link.tokenHash), expectThat(ctx.db, not(reserved))],
    // The link proves an address, neither the password nor the second factor.
    session: own && {
      person: { ...account, email },
      aal: own.aal === 2 ? 2 : 1,
      isRenewal: true,
      provedAt: own.reauthAt,
    },
  });
  if (written === "taken") return { ok: false, code: "email_taken" };
  if (!written) return INVALID;
  deleteLinkCookie(ctx, "email_change");
  return { ok: true, staysSignedIn: own !== null };
}

/** Limits the attempts of an undo when the account changes at the same time, as by somebody who wants to prevent it. */
const UNDO_ATTEMPTS = 5;

/**
 * Brings the address of the link back, whatever has happened to the account since, and signs everybody out. The
 * password no longer works either, because whoever changed the address may know it: the browser of the link gets a
 * reset link to choose a new one. Newer undo links end, since the address they would bring back may be a thief's; an
 * older one still works.
 */
export async function undoEmailChange(ctx: Ctx, link: OpenLink): Promise<EmailChange> {
  const { userId, email, tokenHash } = link;
  for (let attempt = 1; attempt <= UNDO_ATTEMPTS; attempt += 1) {
    const account = await findAccount(ctx.db, userId);
    if (account?.status !== "active") return INVALID;
    const reset = prepareLink(ctx, "reset", { userId, email });
    const written = await changeAddress(ctx, account, {
      email,
      action: "user.email_change_undone",
      account: { password_hash: null, password_failures: 0 },
      uses: [...consumeLink(ctx, "email_undo", tokenHash), endLinksOfOthers(ctx, link)],
      changes: reset.statements,
      session: null,
    });
    if (written === "taken") return { ok: false, code: "email_taken" };
    if (written) {
      deleteLinkCookie(ctx, "email_undo");
      setLinkCookie(ctx, "reset", reset.token);
      return { ok: true, staysSignedIn: false };
    }
  }
  return INVALID;
}

const endLinksOfOthers = (ctx: Pick<Ctx, "db" | "now">, { userId, email, tokenHash }: OpenLink): Statement =>
  ctx.db
    .update(authTokens)
    .set({ consumed_at: ctx.now() })
    .where(
      sql`${authTokens.user_id} = ${userId} and ${authTokens.consumed_at} is null and case
        when ${authTokens.purpose} = 'email_undo'
        then ${authTokens}.rowid > (select rowid from auth_tokens where id_hash = ${tokenHash})
        else ${authTokens.email} <> ${email} end`,
    );

type AddressChange = Pick<Parameters<typeof changeCredentials>[2], "account" | "changes" | "condition" | "session"> & {
  email: string;
  action: "user.email_changed" | "user.email_change_undone";
  uses: Statement[];
};

/** Changes the address in one batch. Returns false when the link is used or the account has changed meanwhile. */
async function changeAddress(
  ctx: Ctx,
  account: Account,
  { email, action, uses, changes = [], ...change }: AddressChange,
): Promise<boolean | "taken"> {
  const { userId } = account;
  try {
    return await changeCredentials(ctx, account, {
      ...change,
      uses: [...uses, ...freeAddress(ctx.db, email)],
      account: { ...change.account, email, pending_email: null },
      changes: [voidLinks(ctx, userId, ["email_change", "reset"]), ...changes],
      audit: [recordAudit(ctx, action, { subject: userSubject(account), actor: toAuditActor({ ...account, email }) })],
    });
  } catch (error) {
    if (isDuplicate(error, "users.email")) return "taken";
    throw error;
  }
}
