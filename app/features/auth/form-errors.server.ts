import { json } from "@remix-run/cloudflare";
import type { FieldErrors, FormValues } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type Refusal, retryAfter } from "~/platform/responses.server";
import { type AccountCode, SENTENCES, wordsFor } from "./copy";

/** Whatever a command of this feature refused. */
export type AccountRefusal = { code: AccountCode } | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

type RefusedForm = {
  title: string;
  refusal: AccountRefusal;
  /** The field the sentence stands at. */
  field?: string;
  values?: FormValues;
};

/** The same page again, with the sentence at its field. A block or an outage concerns the form as a whole. */
export function refuseForm(ctx: Ctx, { title, refusal, field = "form", values = {} }: RefusedForm) {
  if (refusal.code === "too_many_attempts" || refusal.code === "unavailable") {
    const { sentence } = wordsFor(refusal, ctx.now());
    const headers = { "Retry-After": retryAfter(refusal.retryAt, ctx.now()) };
    const status = refusal.code === "unavailable" ? 503 : 429;
    return json<Refusal>({ title, errors: { form: sentence }, values }, { status, headers });
  }
  return refuseFields({ title, errors: { [field]: SENTENCES[refusal.code] }, values });
}

/** The same page again, with a sentence at each field that failed. */
export const refuseFields = (refusal: { title: string; errors: FieldErrors; values: FormValues }) =>
  json<Refusal>(refusal, { status: 400 });

/** At which field a refused password is said: the current one, the new one, or none of them. */
export function passwordField(code: string, newField: string): string {
  if (code.startsWith("current_password")) return "current_password";
  return code.startsWith("password_") ? newField : "form";
}
