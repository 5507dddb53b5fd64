import type { OrganizationRole } from "~/access/model";
import type { AddOnId } from "~/content/add-ons";
import type { OrganizationPlan } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { ListRead } from "~/lists/model";

export type ListedOrganization = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  plan: OrganizationPlan;
  members: number;
  tickets: number;
  activeTickets: number;
  createdAt: Instant;
  needsReview: boolean;
};

export type OrganizationCounts = {
  organizations: number;
  toReview: number;
  members: number;
  tickets: number;
  activeTickets: number;
};

export type OrganizationListRead = ListRead<ListedOrganization> & { figures: OrganizationCounts };

export type OrganizationDetails = {
  name: string;
  description: string;
  phone: string;
  plan: OrganizationPlan;
  addOns: AddOnId[];
  domains: string[];
  reviewsContacts: boolean;
};

export type OrganizationRecord = OrganizationDetails & {
  id: string;
  slug: string;
  version: number;
  createdAt: Instant;
  contractStartedAt: Instant | null;
  needsReview: boolean;
  visibility: "all" | "own";
  mfaRequiredAt: Instant | null;
  membersWithoutMfa: number;
  activeMembers: number;
  allMembers: number;
  tickets: number;
  activeTickets: number;
};

export type MemberOfRecord = {
  id: string;
  name: string | null;
  /** What somebody invited is called, where staff know that; null: they do not, or the person has a name by now. */
  knownAs: string | null;
  email: string;
  role: OrganizationRole;
  status: "active" | "pending" | "suspended";
  joinedAt: Instant | null;
  phone: string;
  /** The last sign-in that is known; null: none is. */
  signedInAt: Instant | null;
};

/**
 * Tells whether somebody has created the organization and waits until staff have looked at it: invited people have no
 * name.
 */
export const waitsForReview = ({ status, name }: Pick<MemberOfRecord, "status" | "name">): boolean =>
  status === "pending" && name !== null;

export type OrganizationIntent = "edit" | "note" | "review" | "owner" | "resend" | "revoke" | "link";

/** Describes why a form of the page was rejected. `isConflict`: somebody else has saved since it was opened. */
export type OrganizationFormError = ValidationError & { intent: OrganizationIntent; isConflict?: boolean };
