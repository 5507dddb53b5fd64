import type { Actor, OrganizationRole, PlatformRole } from "~/access/model";
import type { MailStatus } from "~/features/mail/model";
import { type Duration, days, type Instant } from "~/lib/time";

export const INVITATION_LIFETIME: Duration = days(7);

export const INVITATION_PATH = "/invite";

export type Inviter = Actor & { fullName: string };

/** A given organization must be that of the membership. */
export type InvitationTarget = { membershipId: string; organizationId?: string } | { userId: string };

export const ORGANIZATION_ROLE_LABELS: Record<OrganizationRole, string> = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
};

export const PLATFORM_ROLE_LABELS: Record<PlatformRole, string> = {
  admin: "Admin",
  moderator: "Moderator",
  user: "User",
};

export type InviteOutcome =
  | "invited"
  | "already_member"
  | "invited_before"
  /** Tells that it is no address. */
  | "invalid"
  /** Tells that it is the address of the person who invites, who is no member. */
  | "own_address"
  /** Tells that nobody has an account with it, and the settings ask for one. */
  | "no_account"
  /** The organization has sent all invitations of today, or the address was sent too many. */
  | "limited"
  /** Tells that the organization is gone, has an owner already, or the inviter may no longer invite. */
  | "denied";

/** Describes an invitation that was not accepted yet, as lists show it. */
export type InvitationState = {
  email: string;
  invitedBy: string;
  sentAt: Instant;
  expiresAt: Instant;
  state: "pending" | "expired";
  /** Null: the link was copied, or the mail was sent so long ago that nothing is kept of it. */
  mail: MailStatus | null;
  failure: string | null;
};
