import { identityRequest, missingProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { transferOwnership } from "~/features/members/commands.server";
import { NOT_TRANSFERRED, TRANSFER_FAILED, TRANSFER_FAILURES } from "~/features/members/labels";
import { CANDIDATES_LISTED, findMembership, listCandidates } from "~/features/members/queries.server";
import { organizationPath } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { done, invalid } from "~/platform/responses.server";
import { OwnershipTransferForm } from "./forms.server";
import { ownershipTransferred } from "./labels";
import { type MemberOfRecord, waitsForReview } from "./model";
import { findDetails, findOrganizationOwner } from "./queries.server";

export async function readOwnership(ctx: Pick<Ctx, "db" | "now" | "request">, actor: StaffActor, id: string) {
  const [organization, owner, candidates] = await Promise.all([
    findDetails(ctx.db, id),
    findOrganizationOwner(ctx.db, id),
    listCandidates(ctx.db, id),
  ]);
  if (!organization) return null;
  return {
    organization: { id, name: organization.name },
    ownerName: owner && (owner.name ?? owner.email),
    obstacle: obstacleTo(owner, candidates),
    candidates,
    isCut: candidates.length === CANDIDATES_LISTED,
    identity: identityRequest(ctx, actor),
  };
}

function obstacleTo(owner: MemberOfRecord | null, candidates: readonly unknown[]): string | null {
  if (owner && waitsForReview(owner)) return `${owner.name} waits for the review of the organization. Review it first.`;
  if (owner?.status === "pending") return TRANSFER_FAILURES.owner_invited;
  return candidates.length === 0 ? "There is no other active member. Invite one first." : null;
}

/**
 * Handles the form that passes the ownership of an organization on: it takes a reason, and password and code if the
 * last proof of identity is older than ten minutes.
 */
export const ownershipActions = formActions<StaffActor, { organizationId: string }, ValidationError>({
  intentField: null,
  reading: { raw: ["current_password"] },
  secrets: ["current_password", "code"],
})({
  transfer: {
    ability: "organization.transfer",
    purpose: "organization-ownership",
    form: OwnershipTransferForm,
    failed: TRANSFER_FAILED,
    invalid: invalidForm(NOT_TRANSFERRED),
    run: async (ctx, actor, { input, fields, params: { organizationId } }) => {
      const { membership_id: membershipId, reason } = input;
      const values = { membership_id: membershipId, reason };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const target = { membershipId, organizationId };
      const next = await findMembership(ctx.db, target);
      const transferred = await transferOwnership(ctx, actor, target, { reason });
      if (!transferred.ok) {
        return invalid({
          title: NOT_TRANSFERRED,
          errors: { membership_id: TRANSFER_FAILURES[transferred.code] },
          values,
        });
      }
      const message = ownershipTransferred(next?.name ?? "The new owner");
      return done({ to: organizationPath(organizationId), flash: { kind: "success", ...message } });
    },
  },
});
