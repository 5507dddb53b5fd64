import { ORGANIZATION_DESCRIPTION_MAX, ORGANIZATION_NAME_MAX } from "~/features/organizations/model";
import { plural } from "~/lib/text";
import type { Visibility, WithoutFactor } from "./model";

export const ORGANIZATION_SAVED = { title: "Success", message: "Organization updated successfully" } as const;
export const ORGANIZATION_NOT_SAVED = "Failed to update organization";
export const NAME_REQUIRED = "Name is required";
export const NAME_TOO_LONG = `The name can have at most ${ORGANIZATION_NAME_MAX} characters`;
export const ORGANIZATION_DESCRIPTION_TOO_LONG = `The description can have at most ${ORGANIZATION_DESCRIPTION_MAX.toLocaleString("en-US")} characters`;
export const OWN_ORGANIZATION_CHANGED =
  "This organization changed while you were working. Your version is below; save again to keep it.";

export const VISIBILITY_LABELS: Record<Visibility, string> = {
  all: "All tickets of the organization",
  own: "Only their own tickets",
};

/** Says why a new organization cannot add addresses at once. */
export const COPIES_AFTER_REVIEW =
  "Your organization is new here: addresses can be added as soon as we have reviewed it.";

export const MFA_REQUIRED = {
  title: "Success",
  message: "Two-step sign-in is required from now on. Members who lack it have 7 days.",
} as const;
export const MFA_OPTIONAL = { title: "Success", message: "Two-step sign-in is up to each member again." } as const;

export const LEAVE_ORGANIZATION = "Leave organization";
export const HISTORY = "History";

export const ownershipGiven = (name: string) => ({
  title: "Success",
  message: `${name} owns the organization now. You are an admin.`,
});
export const leftOrganization = (organization: string) => ({
  title: "Success",
  message: `You have left ${organization}.`,
});

export const OWNER_CANNOT_LEAVE = "You own this organization. Transfer ownership first, then you can leave.";
export const nameMismatch = (organization: string) => `Type the name of the organization: ${organization}`;

export const withoutFactorText = ({ count, names }: WithoutFactor): string =>
  count === 0
    ? "Every active member has set up two-step sign-in."
    : `${plural(count, "active member has", "active members have")} not set up two-step sign-in${names.length ? ":" : "."}`;
