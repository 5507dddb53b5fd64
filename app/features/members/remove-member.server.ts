import { and, eq, ne } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { organizationMemberships as m } from "~/db/schema/organizations";
import type { Ctx } from "~/platform/context.server";
import { changeMembership, type MembershipResult } from "./change-membership.server";
import type { MembershipTarget } from "./model";

/**
 * Removes somebody from their organization. The account of the person stays. Invitations that are not accepted yet are
 * revoked instead.
 */
export const removeMember = (ctx: Ctx, actor: Actor, target: MembershipTarget): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    ability: "member.change",
    isDone: () => false,
    write: ({ id, role }) =>
      ctx.db.delete(m).where(and(eq(m.id, id), eq(m.role, role), ne(m.role, "owner"), ne(m.status, "pending"))),
    action: "organization.member_removed",
    facts: ({ role }) => ({ role }),
    mail: "removed",
  });
