import type { InviteOutcome } from "~/features/invitations/model";
import { plural } from "~/lib/text";
import { TOO_MANY_INVITATIONS } from "../copy";

export const ROLE_UPDATED = { title: "Success", message: "Member role updated successfully" } as const;
export const MEMBER_REMOVED = { title: "Success", message: "Member removed successfully" } as const;
export const MEMBER_SUSPENDED = { title: "Success", message: "Member suspended" } as const;
export const MEMBER_REACTIVATED = { title: "Success", message: "Member reactivated" } as const;

export const ROLE_NOT_UPDATED = "Failed to update member role";
export const MEMBER_NOT_REMOVED = "Failed to remove member";
export const NOT_INVITED = "Failed to invite member";
export const NOT_CHANGED = "Failed to update membership";

export const INVITE_MEMBER = "Invite Member";
export const REMOVE_TEAM_MEMBER = "Remove Team Member";

export const LINK_NOT_NEEDED = "The mail of this invitation has not failed. Resend it instead.";

/** Says that people were invited. */
export const invited = (count: number) => ({
  title: "Success",
  message: count === 1 ? "Member invited successfully" : `${plural(count, "member")} invited successfully`,
});

/** Says why an address was not invited. */
export const INVITE_ERRORS: Record<Exclude<InviteOutcome, "invited">, string> = {
  already_member: "User is already a member of this organization",
  own_address: "User is already a member of this organization",
  invited_before: "An invitation is open already. Resend it from the team page.",
  invalid: "Please enter a valid email address",
  no_account: "User with this email doesn't exist",
  limited: TOO_MANY_INVITATIONS,
  denied: NOT_INVITED,
};

export const EMAIL_REQUIRED = "Email is required";
export const TOO_MANY_ADDRESSES = "Paste at most 100 addresses at a time.";

/** Says what each role can do, on the form that invites. */
export const ROLE_HINTS = {
  member: "Creates tickets and follows them.",
  admin: "Also invites and manages members, and changes the organization's settings.",
} as const;
