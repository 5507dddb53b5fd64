import { and, eq, ne } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { organizationMemberships as m } from "~/db/schema/organizations";
import type { Ctx } from "~/platform/context.server";
import { changeMembership, type MembershipResult } from "./change-membership.server";
import type { MembershipTarget } from "./model";

/** Suspends a membership: from the next request on it gives no access. The account of the person stays. */
export const suspendMember = (ctx: Ctx, actor: Actor, target: MembershipTarget): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    ability: "member.change",
    isDone: ({ status }) => status === "suspended",
    write: ({ id }) =>
      ctx.db
        .update(m)
        .set({ status: "suspended", updated_at: ctx.now() })
        .where(and(eq(m.id, id), eq(m.status, "active"), ne(m.role, "owner"))),
    action: "organization.member_suspended",
    mail: "suspended",
  });
