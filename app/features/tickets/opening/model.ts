import type { TicketPriority } from "../model";

export type TargetPreview = {
  priority: TicketPriority;
  /** Says what would be promised: "Send now and you'll hear by Mon 10:48". */
  words: string;
  /** Says how soon a reply comes: "4 open hours". */
  within: string;
};

export type OpeningSource = {
  id: string;
  number: string;
  name: string;
  email: string;
  message: string;
  path: string;
};

/** Names a submission that no ticket is opened from, because it is held for review. */
export type ModeratedSource = {
  number: string;
  path: string;
  reason: string;
};

export type NewTicketPage = {
  organizationId: string;
  organizations: readonly { id: string; name: string }[];
  plan: string | null;
  previews: readonly TargetPreview[];
  room: string | null;
  /** Says when people work: "Monday-Friday 8am-6pm, Springfield time". */
  hours: string;
  incidents: string | null;
};
