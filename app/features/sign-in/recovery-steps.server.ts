import type * as z from "zod";
import { isStaffRole } from "~/access/model";
import { PASSWORD_UPDATED, PASSWORD_UPDATED_FIRST, RESET_QUEUED, SENTENCES, TITLES } from "~/features/auth/copy";
import { type AccountError, accountError } from "~/features/auth/form-errors.server";
import type { NewPasswordForm } from "~/features/auth/forms.server";
import { linkMark, lookUpLink, moveTokenToCookie } from "~/features/auth/mail-links.server";
import { nextFactor, type SignInState, type SignInStep, stepDone, stepFailed } from "~/features/auth/model";
import { changePassword, resetPassword } from "~/features/auth/passwords/set-password.server";
import { CLIENT_SIGN_IN_PATH, STAFF_SIGN_IN_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import type { FieldErrors } from "~/lib/form";
import { type ActionResult, done, invalid } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie, linkTokenOf } from "~/platform/cookies.server";
import { continueSignIn } from "./authenticator.server";
import type { SignInFormError } from "./model";
import { requestPasswordReset } from "./request-password-reset.server";

/*
 * The two steps of the sign-in screen for people who have lost their password or must change it.
 */

/**
 * Returns what the screen shows for `?mode=reset` and `?mode=update`; null in every other mode. Fails when too many
 * links that do not work were opened.
 */
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

/**
 * Requests the reset mail, and leads back to the sign-in that it was asked for at. The page, its text and the response
 * time are the same for every address.
 */
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
  /** Tells whether the form asked a signed-in person for the current password, instead of relying on a link. */
  asksForCurrent: boolean;
  /** Holds the mark of the link that the form relied on. */
  shownMark: string | undefined;
};

/**
 * Sets the new password, with a link or the current password, and redirects to the credentials step. Which account it
 * is of was said by the page of the form: a link opened since, in another tab, may be of another one.
 */
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

/** Returns a message for each empty field, in the order of the form. */
function emptyFields({ next, repeated, current, asksForCurrent }: TypedPassword): FieldErrors {
  const errors: FieldErrors = {};
  if (asksForCurrent && current === "") errors.current_password = SENTENCES.current_password_missing;
  if (next === "") errors.new_password = SENTENCES.passwords_missing;
  if (repeated === "") errors.confirm_password = next ? SENTENCES.passwords_missing : SENTENCES.password_not_repeated;
  return errors;
}
