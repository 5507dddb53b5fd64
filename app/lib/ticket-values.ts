export const TICKET_STATUSES = ["open", "in_progress", "waiting_for_customer", "resolved", "closed"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_PRIORITIES = ["low", "medium", "high", "urgent"] as const;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

/** Verdicts about promises are written once and never judged again. */
export const TICKET_EVENT_KINDS = [
  "opened",
  "status",
  "priority",
  "assignee",
  "category",
  "privacy",
  "person_added",
  "person_removed",
  "moved",
  "requester",
  "promise_kept",
  "promise_missed",
  "promise_warned",
  "allowance_used",
  "allowance_reversed",
  "vote",
  "reminded",
  "late_explained",
] as const;
export type TicketEventKind = (typeof TICKET_EVENT_KINDS)[number];
