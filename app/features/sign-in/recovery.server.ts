import type * as z from "zod";
import { isStaffRole } from "~/access/model";
import { commit } from "~/db/client.server";
import { emailHash } from "~/features/auth/address-reservations.server";
import { type AccountError, accountError, type NewPasswordForm } from "~/features/auth/forms.server";
import { PASSWORD_UPDATED, PASSWORD_UPDATED_FIRST, RESET_QUEUED, SENTENCES, TITLES } from "~/features/auth/labels";
import { linkMark, lookUpLink, moveTokenToCookie, prepareLink } from "~/features/auth/mail-links.server";
import { nextFactor, type SignInState, type SignInStep, stepDone, stepFailed } from "~/features/auth/model";
import { minimumResponseTime, type Wait } from "~/features/auth/passwords.server";
import { findAccountByEmail } from "~/features/auth/queries.server";
import { changePassword, resetPassword } from "~/features/auth/set-password.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/model";
import { CLIENT_SIGN_IN_PATH, STAFF_SIGN_IN_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import type { FieldErrors } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie, linkTokenOf } from "~/platform/cookies.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, invalid } from "~/platform/responses.server";
import { continueSignIn } from "./authenticator.server";
import type { SignInFormError } from "./model";

type ResetRequest = { ok: true } | { ok: false; retryAt: Instant };

/**
 * Text, status and time are the same for every address. Only mails count for a mailbox: spellings of it that have no
 * account must not keep its owner from a link.
 */
export async function requestPasswordReset(ctx: Ctx, email: string, wait?: Wait): Promise<ResetRequest> {
  const startedAt = ctx.now();
  const network = await takeLimit(ctx.db, "reset_ip", ctx.request.network, startedAt);
  if (!network.allowed) return { ok: false, retryAt: network.retryAt };
  const account = await findAccountByEmail(ctx.db, email);
  if (account?.status === "active" && (await mayMail(ctx, email))) {
    const link = prepareLink(ctx, "reset", account);
    await commit(ctx.db, [
      ...link.statements,
      enqueueMail(ctx, "password-reset", { to: account.email, about: userSubject(account), data: { path: link.path } }),
    ]);
    ctx.after(deliverOutbox(ctx));
  }
  await minimumResponseTime(ctx, startedAt, wait);
  return { ok: true };
}

const mayMail = async (ctx: Pick<Ctx, "config" | "db" | "now">, email: string): Promise<boolean> =>
  (await takeLimit(ctx.db, "reset_addr", emailHash(ctx, email), ctx.now())).allowed;

/** Null in every other mode. Fails when too many links that do not work were opened. */
export async function recoveryState(ctx: Ctx, mode: string | null): Promise<SignInStep<SignInState | null>> {
  if (mode !== "reset" && mode !== "update") return stepDone(null);
  moveTokenToCookie(ctx, "reset");
  const found = await lookUpLink(ctx, "reset");
  if (found.kind === "open") {
    const { link } = found;
    return stepDone({ at: "password_update", email: link.email, proof: "link", mark: linkMark(link) });
  }
  if (ctx.signedIn) {
    const { email, mustChangePassword } = ctx.signedIn;
    return stepDone({ at: "password_update", email, proof: "password", isRequired: mustChangePassword });
  }
  if (found.kind === "blocked") return stepFailed({ code: "too_many_attempts", retryAt: found.retryAt });
  // Without a proof a new password could only be rejected. Whoever comes to set one has opened a link that is not ours.
  return stepDone({ at: "reset_request", isLinkInvalid: mode === "update" || linkTokenOf(ctx, "reset") !== null });
}

/** The page, its text and the response time are the same for every address. */
export async function requestReset(
  ctx: Ctx,
  email: string,
  signInPath: string,
): Promise<ActionResult<SignInFormError>> {
  const requested = await requestPasswordReset(ctx, email);
  if (!requested.ok) {
    const error = { code: "too_many_attempts", retryAt: requested.retryAt } as const;
    return accountError(ctx, { title: TITLES.reset, error, values: { email } });
  }
  // The link the person may have opened was invalid; the next page need not say so again.
  deleteLinkCookie(ctx, "reset");
  return done({ to: withParams(signInPath, { reset: "sent" }), flash: { kind: "success", ...RESET_QUEUED } });
}

type TypedPassword = z.output<typeof NewPasswordForm> & {
  asksForCurrent: boolean;
  shownMark: string | undefined;
};

/** The page of the form says which account: a link opened since, in another tab, may be of another one. */
export async function updatePassword(
  ctx: Ctx,
  typed: TypedPassword,
  redirectTo: string | null,
): Promise<ActionResult<SignInFormError>> {
  const { next, repeated, current, asksForCurrent, shownMark } = typed;
  const failed = (error: AccountError) => accountError(ctx, { title: TITLES.update, error });
  if (next === "" || repeated === "") return invalid({ title: TITLES.update, errors: emptyFields(typed), values: {} });
  if (next !== repeated) return failed({ code: "passwords_differ" });
  const { signedIn } = ctx;
  const found = asksForCurrent ? ({ kind: "invalid" } as const) : await lookUpLink(ctx, "reset", shownMark);
  if (found.kind === "other") return failed({ code: "link_other" });
  if (found.kind === "blocked" && !signedIn) return failed({ code: "too_many_attempts", retryAt: found.retryAt });
  const updated =
    found.kind === "open"
      ? await resetPassword(ctx, found.link, next)
      : signedIn && (await changePassword(ctx, signedIn, { current, next, staySignedIn: false }));
  if (!updated) return failed({ code: "link_invalid" });
  if (!updated.ok) return failed(updated.error);
  const { person } = updated;
  const to = withRedirectTo(isStaffRole(person.role) ? STAFF_SIGN_IN_PATH : CLIENT_SIGN_IN_PATH, redirectTo);
  if (found.kind !== "open" && nextFactor(person, ctx.now()) === "setup") {
    // The password was somebody else's. Its owner has just typed the new one: what is left is the second factor.
    const next = await continueSignIn(ctx, { userId: person.userId, epoch: person.epoch, redirectTo });
    if (next.ok) return done({ to, flash: { kind: "success", ...PASSWORD_UPDATED_FIRST } });
  }
  return done({ to, flash: { kind: "success", ...PASSWORD_UPDATED } });
}

function emptyFields({ next, repeated, current, asksForCurrent }: TypedPassword): FieldErrors {
  const errors: FieldErrors = {};
  if (asksForCurrent && current === "") errors.current_password = SENTENCES.current_password_missing;
  if (next === "") errors.new_password = SENTENCES.passwords_missing;
  if (repeated === "") errors.confirm_password = next ? SENTENCES.passwords_missing : SENTENCES.password_not_repeated;
  return errors;
}
