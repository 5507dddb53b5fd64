import { PASSWORD_UPDATED, RESET_QUEUED, TITLES } from "~/features/auth/copy";
import { type AccountRefusal, passwordField, refuseFields, refuseForm } from "~/features/auth/form-errors.server";
import { EmailForm, withEmpty } from "~/features/auth/forms.server";
import { findLink, moveTokenToCookie } from "~/features/auth/mail-links.server";
import type { SignInState } from "~/features/auth/model";
import { changePassword, resetPassword } from "~/features/auth/passwords/set-password.server";
import { parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { dropLinkCookie, linkTokenOf } from "~/platform/cookies.server";
import { redirectWithFlash } from "~/platform/responses.server";
import { requestPasswordReset } from "./request-password-reset.server";

/*
 * The two steps of the sign-in screen for those who have lost their password or must choose another.
 */

/** What the screen shows for `?mode=reset` and `?mode=update`; null in every other mode. */
export async function recoveryState(ctx: Ctx, mode: string | null): Promise<SignInState | null> {
  if (mode !== "reset" && mode !== "update") return null;
  moveTokenToCookie(ctx, "reset");
  const link = await findLink(ctx, "reset");
  if (link) return { at: "password_update", email: link.email, proof: "link" };
  if (ctx.signedIn) {
    const { email, mustChangePassword } = ctx.signedIn;
    return { at: "password_update", email, proof: "password", isDue: mustChangePassword };
  }
  return mode === "reset"
    ? { at: "reset_request", linkIsOver: linkTokenOf(ctx, "reset") !== null }
    : { at: "password_update", email: "", proof: "none" };
}

/** Asks for the mail. Whatever the address: the same page, the same words, the same time. */
export async function requestReset(ctx: Ctx, _url: URL, fields: Record<string, string>) {
  const form = parseForm(EmailForm, withEmpty(["email"], fields));
  if (!form.ok)
    return refuseFields({ title: TITLES.reset, errors: form.errors, values: { email: fields.email ?? "" } });
  const requested = await requestPasswordReset(ctx, form.value.email);
  if (!requested.ok) {
    const refusal = { code: "too_many_attempts", retryAt: requested.retryAt } as const;
    return refuseForm(ctx, { title: TITLES.reset, refusal, values: { email: form.value.email } });
  }
  // The link the person may have come by opened nothing; the next page need not say so again.
  dropLinkCookie(ctx, "reset");
  return redirectWithFlash(ctx, "/login?reset=sent", { kind: "success", ...RESET_QUEUED });
}

/** Sets the new password, by a link or with the current one, and leads back to the credentials. */
export async function updatePassword(ctx: Ctx, _url: URL, fields: Record<string, string>) {
  const { new_password = "", confirm_password = "", current_password = "" } = fields;
  const refuse = (refusal: AccountRefusal, field: string) => refuseForm(ctx, { title: TITLES.update, refusal, field });
  if (new_password === "" || confirm_password === "") return refuse({ code: "passwords_missing" }, "form");
  if (new_password !== confirm_password) return refuse({ code: "passwords_differ" }, "confirm_password");
  const link = await findLink(ctx, "reset");
  const { signedIn } = ctx;
  const change = { current: current_password, next: new_password, staySignedIn: false };
  const updated = link
    ? await resetPassword(ctx, link, new_password)
    : signedIn && (await changePassword(ctx, signedIn, change));
  if (!updated) return refuse({ code: "link_over" }, "form");
  if (!updated.ok) return refuse(updated.refusal, passwordField(updated.refusal.code, "new_password"));
  return redirectWithFlash(ctx, "/login", { kind: "success", ...PASSWORD_UPDATED });
}
