import type { InviteOutcome } from "~/features/invitations/model";

export const ORGANIZATIONS_FAILED = "Failed to fetch organizations";

export const NO_ORGANIZATION_FOUND = "No organizations found";
export const NONE_CREATED = "No organizations have been created yet";
export const TRY_OTHER_TERMS = "Try adjusting your search terms";

export const NEEDS_REVIEW = "To review";

export const CREATED = { title: "Success", message: "Organization created successfully" } as const;
export const UPDATED = { title: "Success", message: "Organization updated successfully" } as const;
export const ORGANIZATION_DELETED = { title: "Success", message: "Organization deleted successfully" } as const;
export const REVIEWED = { title: "Success", message: "The organization is reviewed." } as const;

export const NOT_CREATED = "Failed to create organization";
export const ORGANIZATION_NOT_UPDATED = "Failed to update organization";
export const ORGANIZATION_NOT_DELETED = "Failed to delete organization";

export const DELETION_WARNING =
  "This will permanently remove the organization, all its members, and all associated tickets. This action cannot be undone.";
export const ORGANIZATION_CHANGED = "This organization changed while you were working";

export const ORGANIZATION_ON_HOLD =
  "This organization, one of its tickets, a member, or a person who wrote on its tickets is on legal hold. Lift the hold first.";

export const FORM_COPY = {
  name_required: "Name is required",
  name_too_long: "Name can have at most 200 characters",
  description_too_long: "Description can have at most 2,000 characters",
  plan_unknown: "Choose one of the plans",
  too_many_domains: "An organization can have at most 20 domains",
  name_not_typed: "Type the name exactly as it is shown",
} as const;

export const DOMAIN_INVALID = (text: string): string => `“${text}” is not a domain. Write it like clinic.example.`;
export const DOMAIN_FREE_MAIL = (domain: string): string =>
  `Anyone can have a mailbox at ${domain}, so it cannot belong to one organization`;
export const DOMAIN_TAKEN = (domain: string): string => `${domain} belongs to another organization`;

export const OWNER_INVITED = { title: "Success", message: "Member invited successfully" } as const;
export const INVITATION_RESENT = { title: "Success", message: "The invitation is sent again." } as const;
export const INVITATION_REVOKED = { title: "Success", message: "The invitation is revoked." } as const;
export const ownershipTransferred = (name: string) => ({
  title: "Success",
  message: `${name} owns the organization now.`,
});

export const OWNER_NOT_INVITED = "Failed to invite member";

export const INVITE_FAILURES: Readonly<Record<Exclude<InviteOutcome, "invited">, string>> = {
  already_member: "User is already a member of this organization",
  invited_before: "This address is invited already",
  invalid: "Please enter a valid email address",
  own_address: "You can't invite yourself",
  no_account: "User with this email doesn't exist",
  limited: "Too many invitations were sent. Try again later.",
  denied: OWNER_NOT_INVITED,
};
