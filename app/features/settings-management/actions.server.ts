import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { ValidationError } from "~/lib/form";
import { conflict, done, invalid } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { CHANGED_MEANWHILE, NOT_SAVED, SETTINGS_SAVED, SETTINGS_UNCHANGED } from "./copy";
import { SignUpForm } from "./forms.server";
import { GENERAL_PATH } from "./model";
import { findSignUpSettings } from "./queries.server";
import { saveSignUpSettings } from "./save-sign-up-settings.server";

/** Handles the forms of the settings. Each takes password and code if the last proof of identity is old. */
export const settingsActions = formActions<StaffActor, null, ValidationError>({
  reading: { raw: ["current_password"] },
  secrets: ["current_password", "code"],
})({
  "sign-up": {
    ability: "settings.change",
    purpose: "settings-sign-up",
    form: SignUpForm,
    invalid: ({ values, ...problem }) => {
      const errors = problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors;
      return invalid({ title: NOT_SAVED, errors, values });
    },
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = {
        sign_up_policy: input.signUpPolicy,
        only_existing_accounts: input.onlyInviteExistingAccounts ? "on" : "",
        version: String(input.version),
      };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const saved = await saveSignUpSettings(ctx, actor, { ...input, nonce });
      if (saved.ok) {
        const message = saved.value.changed ? SETTINGS_SAVED : SETTINGS_UNCHANGED;
        return done({ to: GENERAL_PATH, flash: { kind: "success", ...message } });
      }
      // Saved again, the form has the version that is stored now.
      const { version } = await findSignUpSettings(ctx.db);
      const errors = { form: CHANGED_MEANWHILE };
      return conflict({ title: NOT_SAVED, errors, values: { ...values, version: String(version) } });
    },
  },
});
