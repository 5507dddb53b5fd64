import { invalidAuthForm, rejectForm } from "~/features/auth/forms.server";
import { TITLES } from "~/features/auth/labels";
import type { ValidationError } from "~/lib/form";
import type { SignedIn } from "~/platform/context.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import type { ActionResult } from "~/platform/responses.server";

/** Names the one token purpose of all account forms; the tokens are bound to the session anyway. */
export const ACCOUNT_PURPOSE = "account";

export const PASSWORD_FIELDS = ["current_password", "new_password", "confirm_password"];

export const rejectAccountForm = (problem?: FormProblem): ActionResult<ValidationError> =>
  problem?.code === "fields" && problem.errors.form ? invalidAuthForm()(problem) : rejectForm(TITLES.security);

export const accountActions = (options: { intentField?: null } = {}) =>
  formActions<SignedIn, null, ValidationError>({
    reading: { raw: PASSWORD_FIELDS },
    secrets: [...PASSWORD_FIELDS, "code"],
    unknownIntent: () => rejectAccountForm(),
    ...options,
  });
