import type { StaffActor } from "~/features/auth/guards.server";
import { organizationPath } from "~/features/organizations/subject";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { done, invalid } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { CREATED, DOMAIN_TAKEN, INVITE_FAILURES, NOT_CREATED } from "../copy";
import { NewOrganizationForm } from "../forms.server";
import { createClientOrganization } from "./create-client-organization.server";

/** Handles the form of the page that creates an organization. */
export const creationActions = formActions<StaffActor, null, ValidationError>({ intentField: null })({
  create: {
    purpose: "organization-new",
    form: NewOrganizationForm,
    invalid: invalidForm(NOT_CREATED),
    run: async (ctx, actor, { input: { ownerEmail, ...details }, nonce, fields: values }) => {
      const created = await createClientOrganization(ctx, actor, { details, ownerEmail, nonce });
      if (created.ok) return done({ to: organizationPath(created.id), flash: { kind: "success", ...CREATED } });
      const errors: FieldErrors =
        created.code === "domain_taken"
          ? { domains: DOMAIN_TAKEN(created.domain) }
          : created.code === "denied"
            ? { form: NOT_CREATED }
            : { owner_email: INVITE_FAILURES[created.code] };
      return invalid({ title: NOT_CREATED, errors, values });
    },
  },
});
