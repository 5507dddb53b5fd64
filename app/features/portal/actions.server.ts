import * as z from "zod";
import { nameField } from "~/features/auth/forms.server";
import type { ClientActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { absentAsEmpty, type FormValues, type ValidationError } from "~/lib/form";
import { formActions } from "~/platform/form-actions.server";
import { badRequest, done, invalid, notFound } from "~/platform/responses.server";
import { askForInvitation, createOwnOrganization, switchOrganization } from "./commands.server";

const ORGANIZATION_CREATED = { title: "Success", message: "Organization created successfully" };
const ORGANIZATION_REQUESTED = {
  title: "Thank you",
  message: "We look at your organization first. You get an email as soon as it is open.",
};
const INVITATION_SENT = { title: "Success", message: "The invitation is on its way to you again." };

const ERROR_TITLE = "Error";
const ORGANIZATION_NOT_CREATED = "Failed to create organization";
const INVITE_ONLY = "New organizations are set up by us. Call or write, and we add you.";
const TOO_MANY_ORGANIZATIONS = "You have created several organizations today. Call or write, and we help.";
const OWN_INVITATION_GONE = "This invitation is not open any more. Ask the person who invited you for a new one.";
const OWN_INVITATION_SENT_TOO_OFTEN = "It was sent several times already. Look in your mail, or try again tomorrow.";

const SwitchForm = z.object({ organization_id: z.string().max(60) });

export const CreateForm = absentAsEmpty(
  ["name", "description"],
  z.object({
    name: nameField(200, { missing: "Name is required", tooLong: "Name can have at most 200 characters" }),
    description: z.string().trim().max(2_000, "Description can have at most 2,000 characters"),
  }),
);

const AskForm = z.object({ membership_id: z.string().max(60) });

const CREATION_ERRORS = { invite_only: INVITE_ONLY, limited: TOO_MANY_ORGANIZATIONS, denied: ORGANIZATION_NOT_CREATED };

const rejected = (message: string, values: FormValues) =>
  invalid({ title: ERROR_TITLE, errors: { form: message }, values });

export const dashboardActions = formActions<ClientActor, null, ValidationError>()({
  create: {
    purpose: "organization-create",
    form: CreateForm,
    failed: ORGANIZATION_NOT_CREATED,
    invalid: (problem) =>
      problem.code === "token"
        ? rejected(ORGANIZATION_NOT_CREATED, problem.values)
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
      const message = asked.code === "limited" ? OWN_INVITATION_SENT_TOO_OFTEN : OWN_INVITATION_GONE;
      return done({ to: PORTAL_HOME_PATH, flash: { kind: "error", title: ERROR_TITLE, message } });
    },
  },
});

export const SWITCH_PURPOSE = "switch-organization";

export const switchActions = formActions<ClientActor, null, never>()({
  switch: {
    purpose: SWITCH_PURPOSE,
    form: SwitchForm,
    invalid: badRequest,
    run: async (ctx, actor, { input }) => {
      const isSwitched = await switchOrganization(ctx, actor, input.organization_id);
      return isSwitched ? done({ to: PORTAL_HOME_PATH, newDocument: true }) : notFound();
    },
  },
});
