import { readOrganizationHistory } from "~/features/audit/activity/definition.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { contactReviewActions, removeAddressAction } from "~/features/contacts/actions.server";
import { listContacts } from "~/features/contacts/queries.server";
import { invitationStates } from "~/features/invitations/queries.server";
import {
  copyInvitationLink,
  inviteMembers,
  resendInvitation,
  revokeInvitation,
} from "~/features/invitations/sending.server";
import type { NoteAddress } from "~/features/notes/actions.server";
import { addNote, NewNoteForm } from "~/features/notes/commands.server";
import { NOTE_ADDED, NOTE_NOT_ADDED } from "~/features/notes/labels";
import { listedNote, listNotes } from "~/features/notes/queries.server";
import { ORGANIZATION_UNCHANGED, organizationPath } from "~/features/organizations/model";
import { getSettings } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type FormProblem, formActions, invalidForm } from "~/platform/form-actions.server";
import {
  type ActionResult,
  conflict,
  done,
  idParam,
  invalid,
  mapBody,
  notFound,
  page,
} from "~/platform/responses.server";
import { reviewOrganization, updateOrganization } from "./commands.server";
import { EditOrganizationForm, OwnerForm } from "./forms.server";
import {
  DOMAIN_TAKEN,
  INVITATION_RESENT,
  INVITATION_REVOKED,
  INVITE_FAILURES,
  ORGANIZATION_CHANGED,
  ORGANIZATION_NOT_UPDATED,
  OWNER_INVITED,
  OWNER_NOT_INVITED,
  REVIEWED,
  UPDATED,
} from "./labels";
import type { OrganizationFormError, OrganizationIntent } from "./model";
import { organizationNotePath } from "./paths";
import { findDetails, findOrganizationOwner, findRecord, listFirstMembers, pendingOwner } from "./queries.server";

export function noteOnOrganization(params: { organizationId?: string; noteId?: string }): NoteAddress {
  const id = idParam("org", params.organizationId);
  const noteId = idParam("note", params.noteId);
  return {
    subject: { type: "organization", id },
    noteId,
    path: organizationNotePath(id, noteId),
    deletionPath: organizationNotePath(id, noteId, "delete"),
    back: organizationPath(id),
  };
}

const NOTES = 20;

function notesBefore(params: URLSearchParams): Instant | null {
  const until = params.get("until") ?? "";
  return /^\d{1,15}$/.test(until) ? Number(until) : null;
}

export async function readOrganizationRecord(
  ctx: Pick<Ctx, "db" | "now" | "subjects">,
  actor: StaffActor,
  { id, params }: { id: string; params: URLSearchParams },
) {
  const { db } = ctx;
  const before = notesBefore(params);
  const [organization, owner, invitations, members, known, notes, history, { timeZone: zone }] = await Promise.all([
    findRecord(db, id),
    findOrganizationOwner(db, id),
    invitationStates(db, { membership: pendingOwner(id) }, ctx.now()),
    listFirstMembers(db, id),
    listContacts(db, id),
    listNotes(db, { type: "organization", id }, { limit: NOTES + 1, before }),
    readOrganizationHistory(ctx, actor, id),
    getSettings(db),
  ]);
  if (!organization) return null;
  const shown = notes.slice(0, NOTES);
  const everybody = owner ? [owner, ...members.filter((member) => member.id !== owner.id)] : members;
  // Who is invited is a contact until they accept.
  const contacts = known.contacts.filter(({ email }) => everybody.every((member) => member.email !== email));
  return {
    organization,
    owner: owner && { ...owner, invitation: invitations.get(owner.id) ?? null },
    members: everybody,
    contacts,
    hasMoreContacts: known.hasMoreContacts,
    notes: {
      shown: shown.map((note) => listedNote(actor, note)),
      earlier: notes.length > NOTES ? (shown.at(-1)?.createdAt ?? null) : null,
      isEarlier: before !== null,
    },
    history,
    zone,
  };
}

type FormResult = Promise<ActionResult<OrganizationFormError>>;

const success = ({ path }: Params, message: { title: string; message: string }) =>
  done({ to: path, flash: { kind: "success", ...message } });

async function inviteOwner(ctx: Ctx, actor: StaffActor, params: Params, email: string): FormResult {
  const { organizationId } = params;
  const found = await findDetails(ctx.db, organizationId);
  if (!found) return notFound();
  const organization = { id: organizationId, name: found.name };
  const [invited] = await inviteMembers(ctx, { inviter: actor, organization, emails: [email], role: "owner" });
  const outcome = invited?.outcome ?? "denied";
  if (outcome === "invited") return success(params, OWNER_INVITED);
  const errors = { owner_email: INVITE_FAILURES[outcome] };
  return invalid({ title: OWNER_NOT_INVITED, errors, values: { owner_email: email }, intent: "owner" });
}

async function findTarget({ db }: Pick<Ctx, "db">, { organizationId }: Params) {
  const owner = await findOrganizationOwner(db, organizationId);
  return owner?.status === "pending" ? { membershipId: owner.id, organizationId } : null;
}

async function resendToOwner(ctx: Ctx, actor: StaffActor, params: Params): FormResult {
  const target = await findTarget(ctx, params);
  const resent = target && (await resendInvitation(ctx, actor, target));
  if (!resent) return notFound();
  if (resent.ok) return success(params, INVITATION_RESENT);
  if (resent.code === "not_found") return notFound();
  return invalid({ title: OWNER_NOT_INVITED, errors: { form: INVITE_FAILURES.limited }, values: {}, intent: "resend" });
}

async function revokeFromOwner(ctx: Ctx, actor: StaffActor, params: Params): FormResult {
  const target = await findTarget(ctx, params);
  const revoked = target && (await revokeInvitation(ctx, actor, target));
  return revoked?.ok ? success(params, INVITATION_REVOKED) : notFound();
}

/** Makes a link to hand over, when the mail has failed, and shows it once. */
async function showOwnerLink(ctx: Ctx, actor: StaffActor, params: Params): FormResult {
  const target = await findTarget(ctx, params);
  const link = target && (await copyInvitationLink(ctx, actor, target));
  if (!link?.ok) return notFound();
  return page({ title: "", errors: {}, values: { url: link.value.url }, intent: "link" });
}

type Params = { organizationId: string; path: string };

const invalidRecordForm =
  (intent: OrganizationIntent, title: string) =>
  (problem: FormProblem): ActionResult<OrganizationFormError> =>
    mapBody(invalidForm(title)(problem), (error) => ({ ...error, intent }));

export const organizationActions = formActions<StaffActor, Params, OrganizationFormError>()({
  edit: {
    ability: "organization.manage",
    purpose: "organization-edit",
    form: EditOrganizationForm,
    failed: ORGANIZATION_NOT_UPDATED,
    invalid: invalidRecordForm("edit", ORGANIZATION_NOT_UPDATED),
    run: async (ctx, actor, { params, input, nonce, fields: values }) => {
      const { organizationId, path } = params;
      const { version, ...details } = input;
      const updated = await updateOrganization(ctx, actor, { organizationId, details, version, nonce });
      if (updated.ok && updated.changed) return done({ to: path, flash: { kind: "success", ...UPDATED } });
      if (updated.ok) return done({ to: path, flash: { kind: "info", ...ORGANIZATION_UNCHANGED }, unchanged: true });
      if (updated.code === "organization_not_found") return notFound();
      const rejected = { values, intent: "edit" as const };
      if (updated.code === "domain_taken") {
        return invalid({
          ...rejected,
          title: ORGANIZATION_NOT_UPDATED,
          errors: { domains: DOMAIN_TAKEN(updated.domain) },
        });
      }
      return conflict({ ...rejected, title: ORGANIZATION_CHANGED, errors: {}, isConflict: true });
    },
  },
  review: {
    ability: "organization.manage",
    purpose: "organization-review",
    invalid: invalidRecordForm("review", ORGANIZATION_NOT_UPDATED),
    run: async (ctx, actor, { params }) => {
      const reviewed = await reviewOrganization(ctx, actor, params.organizationId);
      if (reviewed.ok) return done({ to: params.path, flash: { kind: "success", ...REVIEWED } });
      if (reviewed.code === "organization_not_found") return notFound();
      return invalid({ title: ORGANIZATION_NOT_UPDATED, errors: {}, values: {}, intent: "review" });
    },
  },
  note: {
    ability: "note.add",
    purpose: "organization-note",
    form: NewNoteForm,
    failed: NOTE_NOT_ADDED,
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
    failed: OWNER_NOT_INVITED,
    invalid: invalidRecordForm("owner", OWNER_NOT_INVITED),
    run: (ctx, actor, { params, input }) => inviteOwner(ctx, actor, params, input.owner_email),
  },
  resend: {
    ability: "member.invite",
    purpose: "organization-owner-resend",
    invalid: invalidRecordForm("resend", OWNER_NOT_INVITED),
    run: (ctx, actor, { params }) => resendToOwner(ctx, actor, params),
  },
  revoke: {
    ability: "member.invite",
    purpose: "organization-owner-revoke",
    invalid: invalidRecordForm("revoke", ORGANIZATION_NOT_UPDATED),
    run: (ctx, actor, { params }) => revokeFromOwner(ctx, actor, params),
  },
  ...contactReviewActions<Params>(async (_ctx, { organizationId }) => organizationId),
  remove_address: removeAddressAction<Params>(({ path }) => path),
  link: {
    ability: "member.invite",
    purpose: "organization-owner-link",
    invalid: invalidRecordForm("link", ORGANIZATION_NOT_UPDATED),
    run: (ctx, actor, { params }) => showOwnerLink(ctx, actor, params),
  },
});
