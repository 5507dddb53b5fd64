import type { Actor } from "~/access/model";
import type { Ctx } from "~/platform/context.server";
import type { MembershipResult } from "./change-membership.server";
import type { MembershipTarget, SettableStatus } from "./model";
import { reactivateMember } from "./reactivate-member.server";
import { suspendMember } from "./suspend-member.server";

/** Suspends or reactivates a member, whichever was chosen. */
export const setMemberStatus = (
  ctx: Ctx,
  actor: Actor,
  { status, ...target }: MembershipTarget & { status: SettableStatus },
): Promise<MembershipResult> => (status === "suspended" ? suspendMember : reactivateMember)(ctx, actor, target);
