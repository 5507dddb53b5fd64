import type { FormValues, ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";
import { type ActionResult, invalid, rateLimited, unavailable } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { FormProblem } from "~/platform/form-actions.server";
import { type AccountCode, errorText, SENTENCES, TITLES } from "./copy";
import type { EnrollmentError } from "./model";

/** Names everything a command about an account may fail with. */
export type AccountError = { code: AccountCode } | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

/** Names the fields of account forms that can show an error; `form` is the form as a whole. */
type AccountField = "form" | "email" | "current_password" | "new_password" | "confirm_password" | "code";

/** Names the field that shows the sentence of each code. */
const FIELDS: Record<AccountCode, AccountField> = {
  form_not_accepted: "form",
  email_required: "email",
  email_invalid: "email",
  email_taken: "email",
  password_missing: "form",
  password_not_repeated: "confirm_password",
  passwords_missing: "form",
  passwords_differ: "confirm_password",
  new_passwords_differ: "confirm_password",
  password_far_too_short: "new_password",
  password_too_short: "new_password",
  password_too_long: "new_password",
  password_too_simple: "new_password",
  password_too_common: "new_password",
  password_unchanged: "new_password",
  current_password_missing: "current_password",
  current_password_wrong: "current_password",
  link_invalid: "form",
  link_other: "form",
  code_missing: "code",
  code_malformed: "code",
  code_wrong: "code",
  enrollment_code_missing: "code",
  enrollment_code_wrong: "code",
  enrollment_invalid: "form",
  factor_required: "form",
  factor_not_found: "form",
};

/** Maps fields to the ids they have in a form, where these differ from `AccountField`. */
export type FieldIds = Partial<Record<AccountField, string>>;

type FailedForm = { title: string; error: AccountError; values?: FormValues; ids?: FieldIds };

/** Shows the page again with the error at its field. Rate limits and outages are shown for the form as a whole. */
export function accountError(
  ctx: Pick<Ctx, "now">,
  { title, error, values = {}, ids = {} }: FailedForm,
): ActionResult<ValidationError> {
  if (error.code === "too_many_attempts" || error.code === "unavailable") {
    const result = error.code === "unavailable" ? unavailable : rateLimited;
    return result(error.retryAt, { title, errors: { form: errorText(error, ctx.now()).sentence }, values });
  }
  const field = FIELDS[error.code];
  return invalid({ title, errors: { [ids[field] ?? field]: SENTENCES[error.code] }, values });
}

/** Rejects a form whose token was not issued for its page in this session. */
export const rejectForm = (title: string, values: FormValues = {}): ActionResult<ValidationError> =>
  invalid({ title, errors: { form: SENTENCES.form_not_accepted }, values });

/**
 * Returns what the action of a form about an account does with one that is not valid: the page again, under this title,
 * or under the one of security where its token is the reason.
 */
export const invalidAuthForm =
  (title: string = TITLES.validation) =>
  (problem: FormProblem): ActionResult<ValidationError> =>
    problem.code === "token"
      ? rejectForm(TITLES.security, problem.values)
      : invalid({ title, errors: problem.errors, values: problem.values });

/** Shows the set-up page again with the error of the first code, at the sign-in and in the settings. */
export const enrollmentError = (
  ctx: Pick<Ctx, "now">,
  error: { code: EnrollmentError } | { code: "too_many_attempts"; retryAt: Instant },
): ActionResult<ValidationError> =>
  accountError(ctx, { title: error.code === "enrollment_code_missing" ? TITLES.verification : TITLES.setup, error });
