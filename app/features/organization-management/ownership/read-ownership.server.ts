import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { CANDIDATES_LISTED, listCandidates } from "~/features/members/queries.server";
import type { Ctx } from "~/platform/context.server";
import { waitsForReview } from "../model";
import { findDetails, findOwner } from "../record/queries.server";

/** Reads what the page shows that passes the ownership of an organization on. Null when there is none of that id. */
export async function readOwnership(ctx: Pick<Ctx, "db" | "now">, actor: StaffActor, id: string) {
  const [organization, owner, candidates] = await Promise.all([
    findDetails(ctx.db, id),
    findOwner(ctx.db, id),
    listCandidates(ctx.db, id),
  ]);
  if (!organization) return null;
  return {
    organization: { id, name: organization.name },
    owner: owner && {
      name: owner.name ?? owner.email,
      isInvited: owner.status === "pending" && owner.name === null,
      waits: waitsForReview(owner),
    },
    candidates,
    /** There may be more active members than the page lists. */
    isCut: candidates.length === CANDIDATES_LISTED,
    identity: hasRecentProof(ctx, actor) ? null : { email: actor.email, mfaEnabled: actor.mfaEnabled },
  };
}
