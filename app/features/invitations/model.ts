import type { Actor, OrganizationRole, PlatformRole } from "~/access/model";
import type { MailStatus } from "~/features/mail/model";
import { type Duration, days, type Instant } from "~/lib/time";

/** Sets how long the link of an invitation works. */
export const INVITATION_LIFETIME: Duration = days(7);

export const INVITATION_PATH = "/invite";

/** Describes a person who invites: a member of staff, or an administrator of an organization. */
export type Inviter = Actor & { fullName: string };

/**
 * Names what an invitation is for: a membership that waits for its person, or an account that waits for its owner. An
 * organization that is given must be that of the membership.
 */
export type InvitationTarget = { membershipId: string; organizationId?: string } | { userId: string };

/** Names the roles of an organization as people read them. */
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

/** Names what became of the invitation of one address. */
export type InviteOutcome =
  | "invited"
  /** Tells that the person belongs to the organization, active or suspended. */
  | "already_member"
  /** Tells that an invitation to this address is open, or has expired: it can be sent again. */
  | "invited_before"
  /** Tells that it is no address. */
  | "invalid"
  /** Tells that it is the address of the person who invites, who is no member. */
  | "own_address"
  /** Tells that nobody has an account with it, and the settings ask for one. */
  | "no_account"
  /**
   * Tells that the organization has sent all invitations of today, or the address was sent too many.
   */
  | "limited"
  /** Tells that the organization is gone, has an owner already, or the inviter may no longer invite. */
  | "denied";

/** Describes an invitation that was not accepted yet, as lists show it. */
export type InvitationState = {
  email: string;
  /** Holds the name of the inviter at the time. */
  invitedBy: string;
  sentAt: Instant;
  expiresAt: Instant;
  state: "pending" | "expired";
  /**
   * Holds what became of its mail. Null: the link was copied, or the mail was sent so long ago that nothing is kept of
   * it.
   */
  mail: MailStatus | null;
  /** Says why the mail failed, as the mail server says it. */
  failure: string | null;
};
