import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { userSubject } from "~/features/users/model";
import type { Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { deleteLinkCookie, deleteSessionCookie } from "~/platform/cookies.server";
import { clearLimit } from "~/platform/rate-limits.server";
import { accountOf } from "./confirm-identity.server";
import { consumeLink, type OpenLink, securityMail, voidLinks } from "./mail-links.server";
import type { NewPasswordError } from "./model";
import { checkPassword, hashNewPassword, passwordFlaw } from "./passwords.server";
import { type Account, findAccount } from "./queries.server";
import { changeCredentials } from "./sessions.server";

type PasswordChangeError = { code: NewPasswordError } | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

type NewPassword = { ok: true; person: Account } | { ok: false; error: PasswordChangeError };

const failed = (error: PasswordChangeError): NewPassword => ({ ok: false, error });
const changed = (account: Account): NewPassword => ({ ok: true, person: { ...account, epoch: account.epoch + 1 } });

/**
 * Of parallel requests only one consumes the link. Every session ends, and nobody is signed in: the factor is still
 * required.
 */
export async function resetPassword(ctx: Ctx, link: OpenLink, password: string): Promise<NewPassword> {
  const account = await findAccount(ctx.db, link.userId);
  if (account?.status !== "active") return failed({ code: "link_invalid" });
  const flaw = await passwordFlaw(ctx, password, account.email);
  if (flaw) return failed({ code: flaw });
  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  const uses = consumeLink(ctx, "reset", link.tokenHash);
  const written = await storePassword(ctx, account, hashed.hash, {
    action: "user.password_reset",
    uses,
    session: null,
  });
  if (!written) return failed({ code: "link_invalid" });
  deleteLinkCookie(ctx, "reset");
  return changed(account);
}

type Change = {
  current: string;
  next: string;
  /** In the settings this browser gets a new session; on the sign-in screen everybody signs in again. */
  staySignedIn: boolean;
};

export async function changePassword(
  ctx: Ctx,
  signedIn: SignedIn,
  { current, next, staySignedIn }: Change,
): Promise<NewPassword> {
  const account = await accountOf(ctx, signedIn);
  const flaw = await passwordFlaw(ctx, next, account.email);
  if (flaw) return failed({ code: flaw });
  const check = await checkPassword(ctx, account, current);
  if (check.kind === "blocked") return failed({ code: "too_many_attempts", retryAt: check.retryAt });
  if (check.kind === "busy") return failed({ code: "unavailable", retryAt: check.retryAt });
  if (check.kind === "wrong") return failed({ code: "current_password_wrong" });
  if (next.normalize("NFKC") === current.normalize("NFKC")) return failed({ code: "password_unchanged" });

  const hashed = await hashNewPassword(ctx, next);
  if (!hashed.ok) return hashed;

  const aal = signedIn.aal === 2 ? 2 : 1;
  const written = await storePassword(ctx, account, hashed.hash, {
    action: "user.password_changed",
    // Where there is a second factor, the password alone is no full proof.
    session: staySignedIn
      ? { person: account, aal, isRenewal: true, provedAt: account.mfaEnabled ? signedIn.reauthAt : undefined }
      : null,
  });
  if (!written) return failed({ code: "current_password_wrong" });
  if (!staySignedIn) deleteSessionCookie(ctx);
  return changed(account);
}

type StoreOptions = Pick<Parameters<typeof changeCredentials>[2], "uses" | "session"> & {
  action: "user.password_reset" | "user.password_changed";
};

async function storePassword(
  ctx: Ctx,
  account: Account,
  hash: string,
  { action, uses, session }: StoreOptions,
): Promise<boolean> {
  const { userId } = account;
  return changeCredentials(ctx, account, {
    uses,
    account: { password_hash: hash, must_change_password: 0, password_expires_at: null, password_failures: 0 },
    changes: [voidLinks(ctx, userId, ["reset", "email_change"]), clearLimit(ctx.db, "login_account", `user:${userId}`)],
    session,
    audit: [recordAudit(ctx, action, { subject: userSubject(account), actor: toAuditActor(account) })],
    mail: securityMail(ctx, account, "password-changed", {}),
  });
}
