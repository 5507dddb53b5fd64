import type { OrganizationRole } from "~/access/model";
import type { InvitationState } from "~/features/invitations/model";
import { UNDELIVERED } from "~/features/mail/model";
import type { Instant } from "~/lib/time";

/** Lists the roles that a member can be given. There is one owner; ownership is transferred. */
export const SETTABLE_ROLES = ["admin", "member"] as const;
export type SettableRole = (typeof SETTABLE_ROLES)[number];

export type MembershipStatus = "active" | "pending" | "suspended";

/**
 * Names a membership that a command changes. `organizationId`: the organization it must belong to, for people who work
 * in one; null: any, for staff.
 */
export type MembershipTarget = { membershipId: string; organizationId: string | null };

export type Membership = {
  id: string;
  organizationId: string;
  organizationName: string;
  userId: string;
  name: string;
  email: string;
  role: OrganizationRole;
  status: Exclude<MembershipStatus, "pending">;
  /** Tells whether the account is active: not deactivated, and with a confirmed address. */
  hasActiveAccount: boolean;
};

/**
 * Says why a membership is not changed. `not_found`: there is none with this id, its invitation is not accepted yet, or
 * the actor may not see it. `changed`: somebody else was faster.
 */
export type MembershipError = "not_found" | "owner" | "own" | "changed";

/**
 * Says why ownership is not transferred. `inactive`: the membership or the account of the new owner is not active.
 * `owner_invited`: the owner has not accepted the invitation yet. `changed`: somebody else was faster.
 */
export type TransferError = "not_found" | "inactive" | "owner_invited" | "changed";

export const MEMBER_ROLES = ["owner", "admin", "member"] as const satisfies readonly OrganizationRole[];
export const MEMBERSHIP_STATUSES = ["active", "pending", "suspended"] as const satisfies readonly MembershipStatus[];

/** Lists the statuses that a member can be given. An invitation becomes active when its person accepts it. */
export const SETTABLE_STATUSES = ["active", "suspended"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

export type ListedMember = {
  id: string;
  organizationId: string;
  organizationName: string;
  userId: string | null;
  name: string;
  email: string;
  /** Is read for staff alone. */
  phone?: string;
  role: OrganizationRole;
  status: MembershipStatus;
  joinedAt: Instant | null;
  invitation: PendingMember | null;
};

export type PendingMember = Omit<InvitationState, "email" | "state">;

export const hasFailedMail = ({ mail }: PendingMember): boolean => UNDELIVERED.some((status) => status === mail);

export const hasSettableRole = ({ role, userId }: ListedMember, viewerId: string): boolean =>
  role !== "owner" && userId !== viewerId;

export const isSettable = (row: ListedMember, viewerId: string): boolean =>
  hasSettableRole(row, viewerId) && row.status !== "pending";
