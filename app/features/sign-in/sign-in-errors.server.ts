import { CREDENTIALS_MISSING, errorText, SENTENCES } from "~/features/auth/copy";
import type { SignInError } from "~/features/auth/model";
import { describeError } from "~/lib/describe-error";
import type { FieldErrors, FormValues } from "~/lib/form";
import { seconds } from "~/lib/time";
import { type ActionResult, invalid, rateLimited, unavailable } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { SignInFormError } from "./model";

/** Shows the screen again with the error. Of the typed text only the address is shown again. */
export function signInError(ctx: Pick<Ctx, "now">, error: SignInError, email = ""): ActionResult<SignInFormError> {
  const { title, field, sentence } = errorText(error, ctx.now());
  const body: SignInFormError = { title, errors: { [field]: sentence }, values: { email } };
  if (error.code === "too_many_attempts") return rateLimited(error.retryAt, body);
  if (error.code === "unavailable") return unavailable(error.retryAt, body);
  return invalid(error.code === "email_unconfirmed" ? { ...body, canResend: true } : body);
}

/** Says which of the two fields of the credentials step is empty. */
export function missingCredentials(fields: Record<string, string>): ActionResult<SignInFormError> {
  const { email = "", password = "" } = fields;
  const errors: FieldErrors = {};
  if (email.trim() === "") errors.email = SENTENCES.email_required;
  if (password === "") errors.password = SENTENCES.password_missing;
  return invalid({ title: CREDENTIALS_MISSING, errors, values: { email } });
}

/** Names the steps that have a message of their own for unexpected errors. */
export type SignInFallback = "sign in" | "sign up" | "password reset" | "password update" | "verification";

/** Shows the screen again after an unexpected error, saying in which step it happened. */
export function unexpectedError(
  ctx: Pick<Ctx, "now" | "request" | "log">,
  error: unknown,
  { during, values }: { during: SignInFallback; values: FormValues },
): ActionResult<SignInFormError> {
  const failed = outage(ctx, error);
  const isSigningIn = during === "sign in" || during === "verification";
  const sentence = isSigningIn ? errorText(failed, ctx.now()).sentence : "Please try again in a moment.";
  return unavailable(failed.retryAt, {
    title: `An error occurred during ${during}`,
    errors: { form: sentence },
    values,
  });
}

/** Logs an unexpected error and returns it as `unavailable`: nobody is signed in after an error. */
export function outage(
  ctx: Pick<Ctx, "now" | "request" | "log">,
  error: unknown,
): Extract<SignInError, { code: "unavailable" }> {
  ctx.log("error", { event: "sign_in_unavailable", request_id: ctx.request.id, error: describeError(error) });
  return { code: "unavailable", retryAt: ctx.now() + seconds(5) };
}
