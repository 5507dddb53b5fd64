export const LIST_FAILED = "Failed to fetch organizations";

/** The texts of a list without rows. */
export const NONE_FOUND = "No organizations found";
export const NONE_CREATED = "No organizations have been created yet";
export const TRY_OTHER_TERMS = "Try adjusting your search terms";

/** Marks an organization that a client has created. */
export const NEEDS_REVIEW = "New – review";

export const CREATED = { title: "Success", message: "Organization created successfully" } as const;
export const UPDATED = { title: "Success", message: "Organization updated successfully" } as const;
export const DELETED = { title: "Success", message: "Organization deleted successfully" } as const;
export const REVIEWED = { title: "Success", message: "The organization is reviewed." } as const;

export const NOT_CREATED = "Failed to create organization";
export const NOT_UPDATED = "Failed to update organization";
export const NOT_DELETED = "Failed to delete organization";

export const DELETION_WARNING =
  "This will permanently remove the organization, all its members, and all associated tickets. This action cannot be undone.";
export const ORGANIZATION_CHANGED = "This organization changed while you were working";

/** The errors of single fields. */
export const FORM_COPY = {
  name_required: "Name is required",
  name_too_long: "Name can have at most 200 characters",
  description_too_long: "Description can have at most 2,000 characters",
  plan_unknown: "Choose one of the plans",
  too_many_domains: "An organization can have at most 20 domains",
  name_not_typed: "Type the name exactly as it is shown",
  no_account: "User with this email doesn't exist",
  limited: "This address was invited too often. Try again in an hour.",
} as const;

export const DOMAIN_INVALID = (text: string): string => `“${text}” is not a domain. Write it like clinic.example.`;
export const DOMAIN_FREE_MAIL = (domain: string): string =>
  `Anybody can have a mailbox at ${domain}, so it cannot belong to one organization`;
export const DOMAIN_TAKEN = (domain: string): string => `${domain} belongs to another organization`;
