import { rejectForm } from "~/features/auth/forms.server";
import { TITLES } from "~/features/auth/labels";
import type { ValidationError } from "~/lib/form";
import type { SignedIn } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";

/** Names the one token purpose of all account forms; the tokens are bound to the session anyway. */
export const ACCOUNT_PURPOSE = "account";

export const PASSWORD_FIELDS = ["current_password", "new_password", "confirm_password"];

export const rejectAccountForm = () => rejectForm(TITLES.security);

export const accountActions = (options: { intentField?: null } = {}) =>
  formActions<SignedIn, null, ValidationError>({
    reading: { raw: PASSWORD_FIELDS },
    secrets: [...PASSWORD_FIELDS, "code"],
    unknownIntent: rejectAccountForm,
    ...options,
  });
