import { CHECK_EMAIL, TITLES } from "~/features/auth/copy";
import { passwordField, refuseFields, refuseForm } from "~/features/auth/form-errors.server";
import { EmailForm, SignUpForm, withEmpty } from "~/features/auth/forms.server";
import { echo, parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { redirectWithFlash } from "~/platform/responses.server";
import { resendConfirmation, signUp } from "./sign-up.server";

const FIELDS = ["full_name", "email", "password", "confirm_password", "organization_name"];
const SECRETS = ["password", "confirm_password", "form_token"];

const NEXT = "/client/auth?tab=check";

/** Creates an account. The answer to a form that is filled in properly is always the same. */
export async function createAccount(ctx: Ctx, _url: URL, fields: Record<string, string>) {
  const typed = withEmpty(FIELDS, fields);
  const values = echo(typed, SECRETS);
  const form = parseForm(SignUpForm, typed, SECRETS);
  if (!form.ok) return refuseFields({ title: TITLES.signUp, errors: form.errors, values });
  const signedUp = await signUp(ctx, form.value);
  if (!signedUp.ok) {
    const { refusal } = signedUp;
    return refuseForm(ctx, { title: TITLES.signUp, refusal, field: passwordField(refusal.code, "password"), values });
  }
  return redirectWithFlash(ctx, NEXT, { kind: "success", ...CHECK_EMAIL });
}

/** Asks for the confirmation link once more. */
export async function resend(ctx: Ctx, _url: URL, fields: Record<string, string>) {
  const form = parseForm(EmailForm, withEmpty(["email"], fields));
  if (!form.ok)
    return refuseFields({ title: TITLES.signUp, errors: form.errors, values: { email: fields.email ?? "" } });
  const resent = await resendConfirmation(ctx, form.value.email);
  if (!resent.ok) return refuseForm(ctx, { title: TITLES.signUp, refusal: resent.refusal, values: form.value });
  return redirectWithFlash(ctx, NEXT, { kind: "success", ...CHECK_EMAIL });
}
