import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { organizationMemberships as m } from "~/db/schema/organizations";
import { stillAllowed } from "~/features/auth/still-allowed.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { membershipMail, onMembershipsChanged, recordMembershipChange } from "./change-membership.server";
import type { Membership, MembershipTarget, TransferError } from "./model";
import { findMembership, findOwner } from "./queries.server";

/**
 * Makes an active member the owner of the organization, and the owner until now an admin, in one batch: there is
 * exactly one owner before and after. Whoever may do it has to prove their identity first, which the route checks.
 * `reason`: why staff do it; the history of the organization keeps it.
 */
export async function transferOwnership(
  ctx: Ctx,
  actor: Actor,
  target: MembershipTarget,
  { reason }: { reason?: string } = {},
): Promise<Result<{ changed: boolean }, TransferError>> {
  const next = await findMembership(ctx.db, target);
  if (!next || !can(actor, "organization.transfer", next)) return fail("not_found");
  if (next.role === "owner") return ok({ changed: false });
  if (!canOwn(next)) return fail("inactive");
  const owner = await findOwner(ctx.db, next.organizationId);
  if (owner === "invited") return fail("owner_invited");

  const { organizationId } = next;
  const updated_at = ctx.now();
  const isOwner = and(eq(m.organization_id, organizationId), eq(m.role, "owner"));
  const written = await commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.transfer", organizationId)),
    ...(owner
      ? [
          ctx.db
            .update(m)
            .set({ role: "admin", updated_at })
            .where(and(isOwner, eq(m.id, owner.id))),
          expectChange(ctx.db),
        ]
      : []),
    ctx.db
      .update(m)
      .set({ role: "owner", updated_at })
      .where(and(eq(m.id, next.id), eq(m.status, "active"), isActiveAccount(next.userId))),
    expectChange(ctx.db),
    expectThat(ctx.db, sql`(SELECT count(*) FROM ${m} WHERE ${isOwner}) = 1`),
    recordMembershipChange(ctx, next, {
      action: "organization.ownership_transferred",
      facts: { former_owner: owner?.name ?? null, ...(reason ? { reason } : {}) },
    }),
    membershipMail(ctx, next, "made_owner"),
    ...(owner ? [membershipMail(ctx, owner, "no_longer_owner")] : []),
  ]);
  if (!written) return whyNot(ctx, target);
  onMembershipsChanged(ctx, owner ? [owner, next] : [next]);
  return ok({ changed: true });
}

const canOwn = ({ status, hasActiveAccount }: Membership) => status === "active" && hasActiveAccount;

const isActiveAccount = (userId: string) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`;

/** Tells why the batch has failed: the new owner is gone, cannot be one, or something else has changed. */
async function whyNot(
  ctx: Pick<Ctx, "db">,
  target: MembershipTarget,
): Promise<Result<{ changed: boolean }, TransferError>> {
  const next = await findMembership(ctx.db, target);
  if (!next) return fail("not_found");
  if (next.role === "owner") return ok({ changed: false });
  return fail(canOwn(next) ? "changed" : "inactive");
}
