import { type InviteOutcome, ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { plural } from "~/lib/text";
import type { MembershipError, MembershipStatus, SettableRole, SettableStatus, TransferError } from "./model";

export const MEMBERS_FAILED = "Failed to fetch memberships";
export const NO_MEMBER_FOUND = "No members found";

export const MEMBER_STATUS_LABELS: Record<MembershipStatus, string> = {
  active: "Active",
  pending: "Pending",
  suspended: "Suspended",
};

export const ORGANIZATION_ROLE_OPTIONS: readonly { value: SettableRole; label: string }[] = [
  { value: "member", label: ORGANIZATION_ROLE_LABELS.member },
  { value: "admin", label: ORGANIZATION_ROLE_LABELS.admin },
];
export const MEMBER_STATUS_OPTIONS: readonly { value: SettableStatus; label: string }[] = [
  { value: "active", label: MEMBER_STATUS_LABELS.active },
  { value: "suspended", label: MEMBER_STATUS_LABELS.suspended },
];

export const MEMBERSHIP_UPDATED = { title: "Success", message: "Membership updated successfully" } as const;
export const MEMBERSHIP_REMOVED = { title: "Success", message: "Membership removed successfully" } as const;
export const MEMBERSHIP_NOT_UPDATED = "Failed to update membership";
export const MEMBERSHIP_NOT_REMOVED = "Failed to remove membership";

export const unchanged = (label: string) => ({ title: "Nothing changed", message: `It was ${label} already.` });

const REASONS: Record<MembershipError, string | null> = {
  not_found: null,
  owner: "The owner can't be changed. Transfer ownership first.",
  own: "You can't change your own membership.",
  changed: "This membership changed while you were working. Look at it again.",
};

export const membershipFailure = (code: MembershipError, failure: string): string => REASONS[code] ?? failure;

export const REMOVE_MEMBER = "Remove Member";

export const confirmRemoval = ({ name, organization }: { name: string; organization: string }): string =>
  `Remove ${name} from ${organization}? They'll lose access to its tickets. Their account stays.`;

export const TRANSFER_OWNERSHIP = "Transfer ownership";
export const NOT_TRANSFERRED = "Ownership was not transferred.";
export const TRANSFER_FAILED = "Failed to transfer ownership";
export const CHOOSE_OWNER = "Choose the new owner";
export const CANDIDATES_CUT = "The first 100 members, admins first. Make a member an admin to find them here.";

export const TRANSFER_FAILURES = {
  not_found: "This person is not a member any more.",
  inactive: "Only an active member can own the organization.",
  owner_invited: "The owner's invitation is still open. Revoke it first.",
  changed: "The organization changed while you were working. Nothing was transferred.",
} as const satisfies Record<TransferError, string>;

export const invitationSent = (email: string) => ({
  title: "Success",
  message: `A new invitation to ${email} is on its way. The earlier link no longer works.`,
});
export const membershipInvitationRevoked = (email: string) => ({
  title: "Success",
  message: `The invitation of ${email} was revoked.`,
});
export const TOO_MANY_INVITATIONS =
  "No more invitations today: 20 a day for an organization, 5 while it is new here, and 3 for an address.";

export const MEMBER_ROLE_UPDATED = { title: "Success", message: "Member role updated successfully" } as const;
export const MEMBER_REMOVED = { title: "Success", message: "Member removed successfully" } as const;
export const MEMBER_SUSPENDED = { title: "Success", message: "Member suspended" } as const;
export const MEMBER_REACTIVATED = { title: "Success", message: "Member reactivated" } as const;

export const MEMBER_ROLE_NOT_UPDATED = "Failed to update member role";
export const MEMBER_NOT_REMOVED = "Failed to remove member";
export const MEMBER_NOT_INVITED = "Failed to invite member";

export const INVITE_MEMBER = "Invite Member";
export const REMOVE_TEAM_MEMBER = "Remove Team Member";

export const LINK_NOT_NEEDED = "The mail of this invitation has not failed. Resend it instead.";

export const invited = (count: number) => ({
  title: "Success",
  message: count === 1 ? "Member invited successfully" : `${plural(count, "member")} invited successfully`,
});

export const INVITE_ERRORS: Record<Exclude<InviteOutcome, "invited">, string> = {
  already_member: "User is already a member of this organization",
  own_address: "User is already a member of this organization",
  invited_before: "An invitation is open already. Resend it from the team page.",
  invalid: "Please enter a valid email address",
  no_account: "User with this email doesn't exist",
  limited: TOO_MANY_INVITATIONS,
  denied: MEMBER_NOT_INVITED,
};

export const EMAIL_REQUIRED = "Email is required";
export const TOO_MANY_ADDRESSES = "Paste at most 100 addresses at a time.";

export const ROLE_HINTS = {
  member: "Creates tickets and follows them.",
  admin: "Also invites and manages members, and changes the organization's settings.",
} as const;
