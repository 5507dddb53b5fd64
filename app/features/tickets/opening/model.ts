import type { TicketPriority } from "../model";

/** Describes what a ticket of one priority would be promised that is sent now. */
export type TargetPreview = {
  priority: TicketPriority;
  /** Says what would be promised: "Send now and you'll hear by Mon 10:48". */
  words: string;
  /** Says how soon a reply comes: "4 open hours". */
  within: string;
};

/** Describes the submission that staff open a ticket from. */
export type OpeningSource = {
  id: string;
  number: string;
  name: string;
  email: string;
  message: string;
  /** Holds the address of the submission's page. */
  path: string;
};

/** Names a submission that no ticket is opened from, because it is held for review. */
export type HeldSource = {
  number: string;
  /** Holds the address of the submission's page, where it can be released. */
  path: string;
  /** Says why it is held. */
  reason: string;
};

/** Holds what the form of a new ticket shows beside its fields. */
export type NewTicketPage = {
  /** Names the organization that the ticket is for, if nothing else is chosen. */
  organizationId: string;
  /** Lists those that can be chosen, with this one first. */
  organizations: readonly { id: string; name: string }[];
  /** Names the plan of the organization; null: none is agreed. */
  plan: string | null;
  previews: readonly TargetPreview[];
  /** Says how much room is left for files, where it is getting short. */
  room: string | null;
  /** Says when people work: "Monday-Friday 8am-6pm, Springfield time". */
  hours: string;
  /** Says what an urgent ticket outside these hours uses up; null: nothing. */
  incidents: string | null;
};
