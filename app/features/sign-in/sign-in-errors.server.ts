import { errorText } from "~/features/auth/copy";
import type { SignInError } from "~/features/auth/model";
import { describeError } from "~/lib/describe-error";
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

/** Logs an unexpected error and returns it as `unavailable`: nobody is signed in after an error. */
export function outage(
  ctx: Pick<Ctx, "now" | "request" | "log">,
  error: unknown,
): Extract<SignInError, { code: "unavailable" }> {
  ctx.log("error", { event: "sign_in_unavailable", request_id: ctx.request.id, error: describeError(error) });
  return { code: "unavailable", retryAt: ctx.now() + seconds(5) };
}
