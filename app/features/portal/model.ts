import type { AllowanceYear } from "~/features/tickets/allowances/ledger.server";
import type { AwaitedTickets, RecentClientTickets } from "~/features/tickets/client-list/list.server";

export const SWITCH_PATH = "/client/switch";

export const livePath = (organizationId: string) => `/client/live?organization=${organizationId}`;

export type OfferedOrganization = { id: string; name: string };

export type TeamMember = {
  name: string;
  note: string;
};

export type PortalDashboard = {
  organizationId: string;
  organization: { name: string; description: string; members: number };
  links: { label: string; path: string }[];
  /** `startedOn`: day of the contract. */
  plan: { name: string; features: readonly string[]; startedOn: string | null } | null;
  allowances: AllowanceYear[];
  /** `withFactor`: active members with a second factor. `listsOthers`: the person may read who has none. */
  team: { members: TeamMember[]; withFactor: number; listsOthers: boolean } | null;
  awaited: AwaitedTickets;
  recent: RecentClientTickets;
};

export type OpenInvitation = { id: string; organization: string; inviter: string; isExpired: boolean };

export type NextSteps = {
  suspendedFrom: string[];
  invitations: OpenInvitation[];
  requested: string | null;
  mayCreate: boolean;
  isStaff: boolean;
};
