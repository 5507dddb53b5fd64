import type { StaffActor } from "~/features/auth/guards.server";
import { revokeInvitation } from "~/features/invitations/revoke-invitation.server";
import { copyInvitationLink } from "~/features/invitations/sending/copy-invitation-link.server";
import { inviteMembers } from "~/features/invitations/sending/invite-members.server";
import { resendInvitation } from "~/features/invitations/sending/resend-invitation.server";
import { type ActionResult, done, invalid, notFound, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { INVITATION_RESENT, INVITATION_REVOKED, INVITE_FAILURES, NOT_INVITED, OWNER_INVITED } from "../copy";
import type { RecordFormError } from "../model";
import { findDetails, findOwner } from "./queries.server";

type Params = { organizationId: string; path: string };
type FormResult = Promise<ActionResult<RecordFormError>>;

const success = ({ path }: Params, message: { title: string; message: string }) =>
  done({ to: path, flash: { kind: "success", ...message } });

/** Invites an owner to an organization that has none. */
export async function inviteOwner(ctx: Ctx, actor: StaffActor, params: Params, email: string): FormResult {
  const { organizationId } = params;
  const found = await findDetails(ctx.db, organizationId);
  if (!found) return notFound();
  const organization = { id: organizationId, name: found.name };
  const [invited] = await inviteMembers(ctx, { inviter: actor, organization, emails: [email], role: "owner" });
  const outcome = invited?.outcome ?? "denied";
  if (outcome === "invited") return success(params, OWNER_INVITED);
  const errors = { owner_email: INVITE_FAILURES[outcome] };
  return invalid({ title: NOT_INVITED, errors, values: { owner_email: email }, intent: "owner" });
}

/** Returns the membership of the owner whose invitation is open. */
async function findTarget({ db }: Pick<Ctx, "db">, { organizationId }: Params) {
  const owner = await findOwner(db, organizationId);
  return owner?.status === "pending" ? { membershipId: owner.id, organizationId } : null;
}

/** Sends the owner's invitation again. */
export async function resendToOwner(ctx: Ctx, actor: StaffActor, params: Params): FormResult {
  const target = await findTarget(ctx, params);
  const resent = target && (await resendInvitation(ctx, actor, target));
  if (!resent) return notFound();
  if (resent.ok) return success(params, INVITATION_RESENT);
  if (resent.code === "not_found") return notFound();
  return invalid({ title: NOT_INVITED, errors: { form: INVITE_FAILURES.limited }, values: {}, intent: "resend" });
}

/** Takes the owner's invitation back. */
export async function revokeFromOwner(ctx: Ctx, actor: StaffActor, params: Params): FormResult {
  const target = await findTarget(ctx, params);
  const revoked = target && (await revokeInvitation(ctx, actor, target));
  return revoked?.ok ? success(params, INVITATION_REVOKED) : notFound();
}

/** Makes a link to hand over, when the mail has failed, and shows it once. */
export async function showOwnerLink(ctx: Ctx, actor: StaffActor, params: Params): FormResult {
  const target = await findTarget(ctx, params);
  const link = target && (await copyInvitationLink(ctx, actor, target));
  if (!link?.ok) return notFound();
  return page({ title: "", errors: {}, values: { url: link.value.url }, intent: "link" });
}
