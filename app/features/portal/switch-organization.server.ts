import { and, eq, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { commit, expectChange } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import type { ClientActor } from "~/features/auth/guards.server";
import { socketTag } from "~/live/socket-tags";
import type { Ctx } from "~/platform/context.server";

/**
 * Makes an organization the one that the session works in. Only where the person has an active membership at that
 * moment; false otherwise, whether there is such an organization or not. Pages of the organization before lose their
 * socket: they belong to what the session has left.
 */
export async function switchOrganization(
  ctx: Pick<Ctx, "db" | "live" | "after">,
  { userId, sessionHash, membership }: ClientActor,
  organizationId: string,
): Promise<boolean> {
  const isMember = sql`exists (select 1 from organization_memberships where organization_id = ${organizationId}
    and user_id = ${userId} and status = 'active')`;
  const isSwitched = await commit(ctx.db, [
    ctx.db
      .update(sessions)
      .set({ current_org_id: organizationId })
      .where(and(eq(sessions.id_hash, sessionHash), eq(sessions.user_id, userId), isMember)),
    expectChange(ctx.db),
  ]);
  if (isSwitched && membership && membership.organizationId !== organizationId) {
    ctx.after(ctx.live.disconnect(organizationAudience(membership.organizationId), socketTag.session(sessionHash)));
  }
  return isSwitched;
}
