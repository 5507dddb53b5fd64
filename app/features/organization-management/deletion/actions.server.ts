import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { ORGANIZATIONS_PATH } from "~/features/organizations/subject";
import type { ValidationError } from "~/lib/form";
import { asShown } from "~/lib/text";
import { conflict, done, invalid, notFound } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { DELETED, FORM_COPY, NOT_DELETED, ORGANIZATION_CHANGED, ORGANIZATION_ON_HOLD } from "../copy";
import { DeleteOrganizationForm } from "../forms.server";
import { findDetails } from "../record/queries.server";
import { deleteOrganization } from "./delete-organization.server";

type Params = { organizationId: string };

const SECRETS = ["current_password", "code"];

/**
 * Handles the form of the page that asks before an organization is deleted: its name has to be typed, and password and
 * code if the last proof of identity is older than ten minutes.
 */
export const deletionActions = formActions<StaffActor, Params, ValidationError>({
  intentField: null,
  reading: { raw: ["current_password"] },
  secrets: SECRETS,
})({
  delete: {
    purpose: "organization-delete",
    form: DeleteOrganizationForm,
    invalid: invalidForm(NOT_DELETED),
    run: async (ctx, actor, { input, nonce, fields, params: { organizationId } }) => {
      const values = { name: input.name };
      const found = await findDetails(ctx.db, organizationId);
      if (found && asShown(input.name) !== asShown(found.name)) {
        return invalid({ title: NOT_DELETED, errors: { name: FORM_COPY.name_not_typed }, values });
      }
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const deleted = await deleteOrganization(ctx, actor, { organizationId, version: input.version, nonce });
      if (deleted.ok) return done({ to: ORGANIZATIONS_PATH, flash: { kind: "success", ...DELETED } });
      if (deleted.code === "organization_not_found") return notFound();
      const error = deleted.code === "organization_on_hold" ? ORGANIZATION_ON_HOLD : `${ORGANIZATION_CHANGED}.`;
      return conflict({ title: NOT_DELETED, errors: { form: error }, values });
    },
  },
});
