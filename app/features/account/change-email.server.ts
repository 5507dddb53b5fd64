import { and, eq } from "drizzle-orm";
import { commit, expectChange, isDuplicate, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { changeCredentials } from "~/features/auth/change-credentials.server";
import { emailHash } from "~/features/auth/email-hash.server";
import { consumeLink, type OpenLink, prepareLink, voidLinks } from "~/features/auth/mail-links.server";
import { type Account, findAccount } from "~/features/auth/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie } from "~/platform/cookies.server";
import { takeLimit } from "~/platform/rate-limit.server";

type EmailChangeRequest = {
  account: Account;
  /** Normalized. */
  email: string;
  /** Consume the proof of identity, and save what else the form contained. */
  with: Statement[];
};

/**
 * Stores a pending e-mail change. Nothing changes until the link in the mail to the new address is used; the old
 * address gets a mail and can undo the change for 72 hours. Whether the new address is taken is checked at the
 * confirmation, so the form does not reveal it. Returns false after too many mails to that address, or when the account
 * has changed.
 */
export async function requestEmailChange(
  ctx: Ctx,
  { account, email, with: others }: EmailChangeRequest,
): Promise<boolean> {
  const limit = await takeLimit(ctx.db, "verify_addr", emailHash(ctx, email), ctx.now());
  if (!limit.allowed) return false;
  const { userId } = account;
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
  if (written) ctx.after(deliverOutbox(ctx));
  return written;
}

type EmailChange = { ok: true; staysSignedIn: boolean } | { ok: false; code: "link_invalid" | "email_taken" };

/**
 * Changes the address of the account to the confirmed one. Other browsers are signed out; this one gets a new session.
 */
export async function confirmEmailChange(ctx: Ctx, link: OpenLink): Promise<EmailChange> {
  const account = await findAccount(ctx.db, link.userId);
  if (account?.status !== "active") return { ok: false, code: "link_invalid" };
  return changeAddress(ctx, account, {
    email: link.email,
    action: "user.email_changed",
    condition: eq(users.pending_email, link.email),
    uses: [...consumeLink(ctx, "email_change", link.tokenHash)],
    keepSession: true,
  });
}

/** Puts the old address back, whether or not the new one was confirmed, and signs everybody out. */
export async function undoEmailChange(ctx: Ctx, link: OpenLink): Promise<EmailChange> {
  const account = await findAccount(ctx.db, link.userId);
  if (account?.status !== "active") return { ok: false, code: "link_invalid" };
  return changeAddress(ctx, account, {
    email: link.email,
    action: "user.email_change_undone",
    uses: [...consumeLink(ctx, "email_undo", link.tokenHash), voidLinks(ctx, account.userId, ["reset"])],
    keepSession: false,
  });
}

type AddressChange = {
  email: string;
  action: "user.email_changed" | "user.email_change_undone";
  condition?: ReturnType<typeof eq>;
  uses: Statement[];
  keepSession: boolean;
};

async function changeAddress(ctx: Ctx, account: Account, change: AddressChange): Promise<EmailChange> {
  const { userId } = account;
  const { email, action, condition, uses, keepSession } = change;
  const staysSignedIn = keepSession && ctx.signedIn?.userId === userId;
  const aal = ctx.signedIn?.aal === 2 ? 2 : 1;
  try {
    const written = await changeCredentials(ctx, account, {
      uses,
      account: { email, pending_email: null },
      condition,
      changes: [voidLinks(ctx, userId, ["email_change"])],
      session: staysSignedIn ? { person: { ...account, email }, aal, isRenewal: true } : null,
      audit: [recordAudit(ctx, action, { subject: userSubject(account), actor: toAuditActor({ ...account, email }) })],
    });
    if (!written) return { ok: false, code: "link_invalid" };
  } catch (error) {
    if (isDuplicate(error, "users.email")) return { ok: false, code: "email_taken" };
    throw error;
  }
  deleteLinkCookie(ctx, action === "user.email_changed" ? "email_change" : "email_undo");
  return { ok: true, staysSignedIn };
}
