import type { MemberActor } from "~/features/auth/guards.server";
import { ORGANIZATION_UNCHANGED } from "~/features/organizations/model";
import { otherOrganization } from "~/features/organizations/same-organization";
import type { ValidationError } from "~/lib/form";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { CHANGED_MEANWHILE, MFA_OPTIONAL, MFA_REQUIRED, NOT_SAVED, ORGANIZATION_SAVED } from "./copy";
import { MfaForm, SettingsForm } from "./forms.server";
import { ORGANIZATION_PATH } from "./model";
import { findOrganizationSettings } from "./queries.server";
import { requireMfa } from "./require-mfa.server";
import { saveSettings } from "./save-settings.server";

export const SETTINGS_PURPOSE = "organization-settings";

const rejected = (error: ValidationError): ActionResult<ValidationError> => invalid(error);
const failed = () => rejected({ title: "Error", errors: { form: NOT_SAVED }, values: {} });

/** Handles the forms of the page of an organization's settings. */
export const settingsActions = formActions<MemberActor, null, ValidationError>({ conflict: otherOrganization })({
  save: {
    ability: "organization.edit",
    purpose: SETTINGS_PURPOSE,
    form: SettingsForm,
    invalid: (problem) =>
      problem.code === "token"
        ? failed()
        : rejected({ title: NOT_SAVED, errors: problem.errors, values: problem.values }),
    run: async (ctx, actor, { input, fields }) => {
      const saved = await saveSettings(ctx, actor, input);
      if (saved.ok) {
        return saved.value.changed
          ? done({ to: ORGANIZATION_PATH, flash: { kind: "success", ...ORGANIZATION_SAVED } })
          : done({ to: ORGANIZATION_PATH, flash: { kind: "info", ...ORGANIZATION_UNCHANGED }, unchanged: true });
      }
      const stored = await findOrganizationSettings(ctx.db, actor.membership.organizationId);
      if (saved.code === "not_found" || !stored) return notFound();
      // Saved again, the form has the version that is stored now.
      const values = { ...fields, version: String(stored.version) };
      return conflict({ title: NOT_SAVED, errors: { form: CHANGED_MEANWHILE }, values });
    },
  },
  "require-mfa": {
    ability: "organization.require_mfa",
    purpose: SETTINGS_PURPOSE,
    form: MfaForm,
    invalid: failed,
    run: async (ctx, actor, { input }) => {
      if (!(await requireMfa(ctx, actor, input))) {
        const stored = await findOrganizationSettings(ctx.db, actor.membership.organizationId);
        const wasSo = stored !== null && (stored.mfaRequiredAt !== null) === input.isRequired;
        return wasSo ? done({ to: ORGANIZATION_PATH }) : failed();
      }
      return done({
        to: ORGANIZATION_PATH,
        flash: { kind: "success", ...(input.isRequired ? MFA_REQUIRED : MFA_OPTIONAL) },
      });
    },
  },
});
