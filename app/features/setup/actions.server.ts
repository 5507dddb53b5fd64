import * as z from "zod";
import { SENTENCES } from "~/features/auth/copy";
import { accountError } from "~/features/auth/form-errors.server";
import {
  isPasswordTyped,
  NOT_REPEATED,
  newAccountFields,
  PASSWORDS_DIFFER,
  passwordsMatch,
} from "~/features/auth/forms.server";
import { STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { absentAsEmpty, type ValidationError, withoutSecrets } from "~/lib/form";
import { done, invalid } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { createFirstAdmin } from "./first-admin.server";
import { SETUP_PURPOSE } from "./setup-page.server";

const TITLE = "Setup Failed";

/** Says what is wrong with the code. How to get another one stands beside the field. */
const CODE_ERRORS = {
  setup_code_missing: "No setup code has been issued yet",
  setup_code_wrong: "That is not the setup code of this installation: only the newest one works",
};
const SECRETS = ["password", "confirm_password", "setup_code"];

const SetupForm = absentAsEmpty(
  ["setup_code", ...Object.keys(newAccountFields)],
  z
    .object({
      setup_code: z.string().min(1, "Setup code is required"),
      ...newAccountFields,
    })
    .refine(passwordsMatch, PASSWORDS_DIFFER)
    .refine(isPasswordTyped, NOT_REPEATED)
    .transform((form) => ({
      fullName: form.full_name,
      email: form.email,
      password: form.password,
      setupCode: form.setup_code,
    })),
);

/** Claims the installation, and leads to the sign-in screen, which goes on with the second factor. */
export const setupActions = formActions<null, null, ValidationError>({
  reading: { raw: ["password", "confirm_password"] },
  secrets: SECRETS,
  intentField: null,
})({
  claim: {
    purpose: SETUP_PURPOSE,
    form: SetupForm,
    invalid: invalidForm(TITLE, SENTENCES.form_not_accepted),
    run: async (ctx, _actor, { input, fields }) => {
      const created = await createFirstAdmin(ctx, input);
      if (created.ok) return done({ to: STAFF_SIGN_IN_PATH });
      const values = withoutSecrets(fields, [...SECRETS, "form_token"]);
      const { error } = created;
      if (error.code === "setup_code_missing" || error.code === "setup_code_wrong") {
        return invalid({ title: TITLE, errors: { setup_code: CODE_ERRORS[error.code] }, values });
      }
      return accountError(ctx, { title: TITLE, error, values, ids: { new_password: "password" } });
    },
  },
});
