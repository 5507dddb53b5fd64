import type { ClientActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import { badRequest, done, invalid } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { askForInvitation } from "./ask-for-invitation.server";
import {
  CREATE_FAILED,
  ERROR,
  INVITATION_GONE,
  INVITATION_SENT,
  INVITE_ONLY,
  ORGANIZATION_CREATED,
  ORGANIZATION_REQUESTED,
  TOO_MANY_INVITATIONS,
  TOO_MANY_ORGANIZATIONS,
} from "./copy";
import { createOwnOrganization } from "./create-own-organization.server";
import { AskForm, CreateForm } from "./forms.server";

const CREATION_ERRORS = { invite_only: INVITE_ONLY, limited: TOO_MANY_ORGANIZATIONS, denied: CREATE_FAILED };

const rejected = (message: string, values: FormValues) => invalid({ title: ERROR, errors: { form: message }, values });

/** Handles the ways on for a person without an organization. */
export const dashboardActions = formActions<ClientActor, null, ValidationError>()({
  create: {
    purpose: "organization-create",
    form: CreateForm,
    invalid: (problem) =>
      problem.code === "token"
        ? rejected(CREATE_FAILED, problem.values)
        : invalid({ title: TITLES.validation, errors: problem.errors, values: problem.values }),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const created = await createOwnOrganization(ctx, actor, { ...input, nonce });
      if (!created.ok) {
        const { name = "", description = "" } = fields;
        return rejected(CREATION_ERRORS[created.code], { name, description });
      }
      const message = created.value.needsApproval ? ORGANIZATION_REQUESTED : ORGANIZATION_CREATED;
      return done({ to: PORTAL_HOME_PATH, flash: { kind: "success", ...message } });
    },
  },
  ask: {
    purpose: "invitation-ask",
    form: AskForm,
    invalid: badRequest,
    run: async (ctx, actor, { input }) => {
      const asked = await askForInvitation(ctx, actor, input.membership_id);
      if (asked.ok) return done({ to: PORTAL_HOME_PATH, flash: { kind: "success", ...INVITATION_SENT } });
      const message = asked.code === "limited" ? TOO_MANY_INVITATIONS : INVITATION_GONE;
      return done({ to: PORTAL_HOME_PATH, flash: { kind: "error", title: ERROR, message } });
    },
  },
});
