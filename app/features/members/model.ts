import type { OrganizationRole } from "~/access/model";

/** Lists the roles that a member can be given. There is one owner; ownership is transferred. */
export const SETTABLE_ROLES = ["admin", "member"] as const;
export type SettableRole = (typeof SETTABLE_ROLES)[number];

export type MembershipStatus = "active" | "pending" | "suspended";

/**
 * Names a membership that a command changes. `organizationId`: the organization it must belong to, for people who work
 * in one; null: any, for staff.
 */
export type MembershipTarget = { membershipId: string; organizationId: string | null };

/** Describes a membership of somebody with an account, as commands need it. */
export type Membership = {
  id: string;
  organizationId: string;
  organizationName: string;
  userId: string;
  name: string;
  email: string;
  role: OrganizationRole;
  status: Exclude<MembershipStatus, "pending">;
  /** False: deactivated, or the address is not confirmed. */
  hasActiveAccount: boolean;
};

/**
 * Names why a membership is not changed. `not_found`: there is none with this id, its invitation is not accepted yet,
 * or the actor may not see it. `changed`: somebody else was faster.
 */
export type MembershipError = "not_found" | "owner" | "own" | "changed";
