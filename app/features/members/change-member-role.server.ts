import { and, eq, ne } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { organizationMemberships as m } from "~/db/schema/organizations";
import type { Ctx } from "~/platform/context.server";
import { changeMembership, type MembershipResult } from "./change-membership.server";
import type { MembershipTarget, SettableRole } from "./model";

/** Makes somebody an admin or a member of their organization. Nobody changes their own role or that of the owner. */
export const changeMemberRole = (
  ctx: Ctx,
  actor: Actor,
  { role, ...target }: MembershipTarget & { role: SettableRole },
): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    ability: "member.change",
    isDone: (membership) => membership.role === role,
    write: (membership) =>
      ctx.db
        .update(m)
        .set({ role, updated_at: ctx.now() })
        .where(and(eq(m.id, membership.id), eq(m.role, membership.role), ne(m.status, "pending"))),
    action: "organization.member_role_changed",
    facts: ({ role: from }) => ({ from, to: role }),
    mail: role === "admin" ? "made_admin" : "made_member",
  });
