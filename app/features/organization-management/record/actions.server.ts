import type { StaffActor } from "~/features/auth/guards.server";
import { addNote, NoteForm } from "~/features/notes/commands.server";
import { NOTE_ADDED, NOTE_NOT_ADDED } from "~/features/notes/labels";
import { ORGANIZATION_UNCHANGED } from "~/features/organizations/model";
import { type ActionResult, conflict, done, invalid, mapBody, notFound } from "~/platform/action-result";
import { type FormProblem, formActions, invalidForm } from "~/platform/form-actions.server";
import { DOMAIN_TAKEN, NOT_INVITED, NOT_UPDATED, ORGANIZATION_CHANGED, REVIEWED, UPDATED } from "../copy";
import { EditOrganizationForm, OwnerForm } from "../forms.server";
import type { RecordFormError, RecordIntent } from "../model";
import { inviteOwner, resendToOwner, revokeFromOwner, showOwnerLink } from "./owner-actions.server";
import { reviewOrganization } from "./review-organization.server";
import { updateOrganization } from "./update-organization.server";

/** Names the organization, and holds the address of its page. */
type Params = { organizationId: string; path: string };

/** Returns what the action of a form of the page does with one whose token or fields are not valid. */
const invalidRecordForm =
  (intent: RecordIntent, title: string) =>
  (problem: FormProblem): ActionResult<RecordFormError> =>
    mapBody(invalidForm(title)(problem), (error) => ({ ...error, intent }));

/** Handles the forms of an organization's page. */
export const recordActions = formActions<StaffActor, Params, RecordFormError>()({
  edit: {
    ability: "organization.manage",
    purpose: "organization-edit",
    form: EditOrganizationForm,
    invalid: invalidRecordForm("edit", NOT_UPDATED),
    run: async (ctx, actor, { params, input, nonce, fields: values }) => {
      const { organizationId, path } = params;
      const { version, ...details } = input;
      const updated = await updateOrganization(ctx, actor, { organizationId, details, version, nonce });
      if (updated.ok && updated.changed) return done({ to: path, flash: { kind: "success", ...UPDATED } });
      if (updated.ok) return done({ to: path, flash: { kind: "info", ...ORGANIZATION_UNCHANGED }, unchanged: true });
      if (updated.code === "organization_not_found") return notFound();
      const rejected = { values, intent: "edit" as const };
      if (updated.code === "domain_taken") {
        return invalid({ ...rejected, title: NOT_UPDATED, errors: { domains: DOMAIN_TAKEN(updated.domain) } });
      }
      return conflict({ ...rejected, title: ORGANIZATION_CHANGED, errors: {}, isConflict: true });
    },
  },
  review: {
    ability: "organization.manage",
    purpose: "organization-review",
    invalid: invalidRecordForm("review", NOT_UPDATED),
    run: async (ctx, actor, { params }) => {
      const reviewed = await reviewOrganization(ctx, actor, params.organizationId);
      if (reviewed.ok) return done({ to: params.path, flash: { kind: "success", ...REVIEWED } });
      if (reviewed.code === "organization_not_found") return notFound();
      return invalid({ title: NOT_UPDATED, errors: {}, values: {}, intent: "review" });
    },
  },
  note: {
    ability: "note.add",
    purpose: "organization-note",
    form: NoteForm,
    invalid: invalidRecordForm("note", NOTE_NOT_ADDED),
    run: async (ctx, actor, { params, input, nonce }) => {
      const subject = { type: "organization", id: params.organizationId } as const;
      const added = await addNote(ctx, actor, { subject, note: input.note, nonce });
      if (!added.ok) return notFound();
      return done({ to: `${params.path}#${added.value}`, flash: { kind: "success", ...NOTE_ADDED } });
    },
  },
  owner: {
    ability: "organization.manage",
    purpose: "organization-owner",
    form: OwnerForm,
    invalid: invalidRecordForm("owner", NOT_INVITED),
    run: (ctx, actor, { params, input }) => inviteOwner(ctx, actor, params, input.owner_email),
  },
  resend: {
    ability: "member.invite",
    purpose: "organization-owner-resend",
    invalid: invalidRecordForm("resend", NOT_INVITED),
    run: (ctx, actor, { params }) => resendToOwner(ctx, actor, params),
  },
  revoke: {
    ability: "member.invite",
    purpose: "organization-owner-revoke",
    invalid: invalidRecordForm("revoke", NOT_UPDATED),
    run: (ctx, actor, { params }) => revokeFromOwner(ctx, actor, params),
  },
  link: {
    ability: "member.invite",
    purpose: "organization-owner-link",
    invalid: invalidRecordForm("link", NOT_UPDATED),
    run: (ctx, actor, { params }) => showOwnerLink(ctx, actor, params),
  },
});
