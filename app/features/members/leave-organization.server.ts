import { and, eq, ne } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { organizationMemberships as m } from "~/db/schema/organizations";
import type { MemberActor } from "~/features/auth/guards.server";
import { fail, ok, type Result } from "~/lib/result";
import { disconnectUser } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import { recordMembershipChange } from "./change-membership.server";
import { findOwnMembership } from "./queries.server";

/** Takes the actor out of the organization they work in. An owner has to transfer ownership before. */
export async function leaveOrganization(
  ctx: Ctx,
  { userId, membership: { organizationId } }: MemberActor,
): Promise<Result<null, "not_found" | "owner">> {
  const own = await findOwnMembership(ctx.db, { userId, organizationId });
  if (!own) return fail("not_found");
  if (own.role === "owner") return fail("owner");
  const written = await commit(ctx.db, [
    ctx.db.delete(m).where(and(eq(m.id, own.id), eq(m.user_id, userId), ne(m.role, "owner"))),
    expectChange(ctx.db),
    recordMembershipChange(ctx, own, { action: "organization.member_left", facts: { role: own.role } }),
  ]);
  // Left in another tab, removed by an admin, or made the owner since.
  if (!written) return fail((await findOwnMembership(ctx.db, { userId, organizationId })) ? "owner" : "not_found");
  disconnectUser(ctx, userId, { formerOrganizationId: organizationId });
  return ok(null);
}
