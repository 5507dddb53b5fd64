import type { AllowanceYear } from "~/features/tickets/allowances/ledger.server";
import type { RecentTickets } from "~/features/tickets/client-list/list.server";

/** Names the address that takes the forms of the switcher. */
export const SWITCH_PATH = "/client/switch";

/** Returns the path of the live channel for a page of an organization. */
export const livePath = (organizationId: string) => `/client/live?organization=${organizationId}`;

/** Describes an organization as the switcher offers it. */
export type OfferedOrganization = { id: string; name: string };

export type TeamMember = {
  name: string;
  /** Tells the role and what else there is to know: "you, owner". */
  note: string;
};

/** Holds what the dashboard of an organization shows. */
export type PortalDashboard = {
  organizationId: string;
  organization: { name: string; description: string; members: number };
  /** Lists the pages about the organization that the person may open, as its card calls them. */
  links: { label: string; path: string }[];
  /** Describes the plan; null: none is agreed. `startedOn`: day of the contract. */
  plan: { name: string; features: readonly string[]; startedOn: string | null } | null;
  /** Holds what of its allowances is used in the contract year. */
  allowances: AllowanceYear[];
  /**
   * Describes the people of the organization; null: the person may not see them. `withFactor`: active members with a
   * second factor. `listsOthers`: the person may read who has none.
   */
  team: { members: TeamMember[]; withFactor: number; listsOthers: boolean } | null;
  /** Holds the newest tickets that the person sees. */
  recent: RecentTickets;
};

/** Describes an invitation that waits for the person's address. */
export type OpenInvitation = { id: string; organization: string; inviter: string; isExpired: boolean };

/** Holds what a person without an organization can do. */
export type NextSteps = {
  /** Lists the names of organizations that have suspended them. */
  suspendedFrom: string[];
  invitations: OpenInvitation[];
  /** Names the organization they have asked for and staff have not let in yet. */
  requested: string | null;
  mayCreate: boolean;
};
