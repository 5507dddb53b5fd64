import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/still-allowed.server";
import { organizationSubject } from "~/features/organizations/subject";
import type { Ctx } from "~/platform/context.server";

/**
 * Makes two-step sign-in a duty of every member, or leaves it to each of them again. Members without it keep their
 * access for seven days, counted from now or from when they join. Returns false if it was so already, or the actor may
 * not decide it any more.
 */
export async function requireMfa(
  ctx: Ctx,
  actor: MemberActor,
  { isRequired }: { isRequired: boolean },
): Promise<boolean> {
  const { organizationId, organizationName } = actor.membership;
  const now = ctx.now();
  const { mfa_required_at } = organizations;
  return commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.require_mfa", organizationId)),
    ctx.db
      .update(organizations)
      .set({ mfa_required_at: isRequired ? now : null, updated_at: now })
      .where(
        and(eq(organizations.id, organizationId), isRequired ? isNull(mfa_required_at) : isNotNull(mfa_required_at)),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, isRequired ? "organization.mfa_required" : "organization.mfa_optional", {
      subject: organizationSubject({ id: organizationId, name: organizationName }),
      orgId: organizationId,
    }),
  ]);
}
