import type { Actor, OrganizationRole, PlatformRole } from "~/access/model";
import type { MailStatus } from "~/features/mail/model";
import { type Duration, days, type Instant } from "~/lib/time";

export const INVITATION_LIFETIME: Duration = days(7);

export const INVITATION_PATH = "/invite";

export type Inviter = Actor & { fullName: string; email: string };

/** A given organization must be that of the membership. */
export type InvitationTarget = { membershipId: string; organizationId?: string } | { userId: string };

export type OpenTarget =
  | {
      kind: "membership";
      membershipId: string;
      organization: { id: string; name: string; isNew: boolean };
      email: string;
      role: OrganizationRole;
    }
  | { kind: "account"; userId: string; fullName: string; email: string; role: PlatformRole };

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
  | "invalid"
  | "own_address"
  /** Tells that nobody has an account with it, and the settings ask for one. */
  | "no_account"
  /** The organization has sent all invitations of today, or the address was sent too many. */
  | "limited"
  | "denied";

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
