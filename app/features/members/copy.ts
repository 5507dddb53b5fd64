import type { OrganizationRole } from "~/access/model";
import type { MembershipError, MembershipStatus, SettableRole, SettableStatus, TransferError } from "./model";

export const MEMBERS_FAILED = "Failed to fetch memberships";
export const NONE_FOUND = "No members found";

export const ROLE_LABELS: Record<OrganizationRole, string> = { owner: "Owner", admin: "Admin", member: "Member" };
export const STATUS_LABELS: Record<MembershipStatus, string> = {
  active: "Active",
  pending: "Pending",
  suspended: "Suspended",
};

export const ROLE_OPTIONS: readonly { value: SettableRole; label: string }[] = [
  { value: "member", label: ROLE_LABELS.member },
  { value: "admin", label: ROLE_LABELS.admin },
];
export const STATUS_OPTIONS: readonly { value: SettableStatus; label: string }[] = [
  { value: "active", label: STATUS_LABELS.active },
  { value: "suspended", label: STATUS_LABELS.suspended },
];

export const MEMBERSHIP_UPDATED = { title: "Success", message: "Membership updated successfully" } as const;
export const MEMBERSHIP_REMOVED = { title: "Success", message: "Membership removed successfully" } as const;
export const MEMBERSHIP_NOT_UPDATED = "Failed to update membership";
export const MEMBERSHIP_NOT_REMOVED = "Failed to remove membership";

/** Tells that a row already was as it was to be. */
export const unchanged = (label: string) => ({ title: "Nothing changed", message: `It was ${label} already.` });

/** Says why a membership was not changed; null: there is no better reason than that it failed. */
const REASONS: Record<MembershipError, string | null> = {
  not_found: null,
  owner: "The owner can't be changed. Transfer ownership first.",
  own: "You can't change your own membership.",
  changed: "This membership changed while you were working. Look at it again.",
};

/** Returns why a membership was not changed, or `failure` if nothing better is known. */
export const membershipFailure = (code: MembershipError, failure: string): string => REASONS[code] ?? failure;

export const REMOVE_MEMBER = "Remove Member";

/** Asks before a member is removed. */
export const confirmRemoval = ({ name, organization }: { name: string; organization: string }): string =>
  `Remove ${name} from ${organization}? They'll lose access to its tickets. Their account stays.`;

export const TRANSFER_OWNERSHIP = "Transfer ownership";
export const NOT_TRANSFERRED = "Ownership was not transferred.";
export const CHOOSE_OWNER = "Choose the new owner";
export const CANDIDATES_CUT = "The first 100 members, admins first. Make a member an admin to find them here.";

/** Says why ownership was not transferred. */
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
export const invitationRevoked = (email: string) => ({
  title: "Success",
  message: `The invitation of ${email} was revoked.`,
});
export const TOO_MANY_INVITATIONS =
  "No more invitations today: 20 a day for an organization, 5 while it is new here, and 3 for an address.";
