import { and, eq, ne } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { organizationMemberships as m } from "~/db/schema/organizations";
import type { Ctx } from "~/platform/context.server";
import { changeMembership, type MembershipResult } from "./change-membership.server";
import type { MembershipTarget } from "./model";

/** Gives a suspended member the access back that they had. */
export const reactivateMember = (ctx: Ctx, actor: Actor, target: MembershipTarget): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    ability: "member.change",
    isDone: ({ status }) => status === "active",
    write: ({ id }) =>
      ctx.db
        .update(m)
        .set({ status: "active", updated_at: ctx.now() })
        .where(and(eq(m.id, id), eq(m.status, "suspended"), ne(m.role, "owner"))),
    action: "organization.member_reactivated",
    mail: "reactivated",
  });
