import type { StaffActor } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { TRANSFER_FAILURES } from "~/features/members/copy";
import { CANDIDATES_LISTED, listCandidates } from "~/features/members/queries.server";
import type { Ctx } from "~/platform/context.server";
import { type ListedMember, waitsForReview } from "../model";
import { findDetails, findOwner } from "../record/queries.server";

/** Reads what the page shows that passes the ownership of an organization on. Null when there is none of that id. */
export async function readOwnership(ctx: Pick<Ctx, "db" | "now" | "request">, actor: StaffActor, id: string) {
  const [organization, owner, candidates] = await Promise.all([
    findDetails(ctx.db, id),
    findOwner(ctx.db, id),
    listCandidates(ctx.db, id),
  ]);
  if (!organization) return null;
  return {
    organization: { id, name: organization.name },
    /** Names the owner; null: there is none. */
    ownerName: owner && (owner.name ?? owner.email),
    obstacle: obstacleTo(owner, candidates),
    candidates,
    /** Tells whether there may be more active members than the page lists. */
    isCut: candidates.length === CANDIDATES_LISTED,
    identity: identityRequest(ctx, actor),
  };
}

/** Says why nobody can be chosen. Null: somebody can. */
function obstacleTo(owner: ListedMember | null, candidates: readonly unknown[]): string | null {
  if (owner && waitsForReview(owner)) return `${owner.name} waits for the review of the organization. Review it first.`;
  if (owner?.status === "pending") return TRANSFER_FAILURES.owner_invited;
  return candidates.length === 0 ? "There is no other active member. Invite one first." : null;
}
