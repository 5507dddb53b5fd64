import { TITLES } from "~/features/auth/copy";
import { notAccepted } from "~/features/auth/form-errors.server";
import type { ValidationError } from "~/lib/form";
import type { SignedIn } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";

/** One purpose for all forms of the account pages: they are all bound to the session anyway. */
export const ACCOUNT_PURPOSE = "account";

/** Never altered while they are read. */
export const PASSWORDS = ["current_password", "new_password", "confirm_password"];

/** Answers a form that was not made by one of the account pages, in this session. */
export const foreignForm = () => notAccepted(TITLES.security);

/** Begins the table of an account page, see `formActions`. */
export const accountActions = (options: { intentField?: null } = {}) =>
  formActions<SignedIn, null, ValidationError>({
    reading: { raw: PASSWORDS },
    secrets: [...PASSWORDS, "code"],
    unknownIntent: foreignForm,
    ...options,
  });
