import { TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "./model";

export const STATUS_LABELS: Record<TicketStatus, string> = {
  open: "Open",
  in_progress: "In Progress",
  waiting_for_customer: "Waiting",
  resolved: "Resolved",
  closed: "Closed",
};

/** Lists the statuses as choices, in the order in which work moves. */
export const STATUS_OPTIONS = TICKET_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }));

export const PRIORITY_LABELS: Record<TicketPriority, string> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  urgent: "Urgent",
};

/** Lists the priorities as choices, the most urgent first. */
export const PRIORITY_OPTIONS = TICKET_PRIORITIES.toReversed().map((value) => ({
  value,
  label: PRIORITY_LABELS[value],
}));

/** Says when to choose a priority. */
export const PRIORITY_DESCRIPTIONS: Record<TicketPriority, string> = {
  low: "General inquiry or non-urgent issue",
  medium: "Standard support request",
  high: "Important issue affecting work",
  urgent: "Critical issue requiring immediate attention",
};

export const UNASSIGNED = "Unassigned";

export const STATUS_UPDATED = { title: "Success", message: "Ticket status updated successfully" } as const;
export const STATUS_NOT_UPDATED = "Failed to update ticket status";
export const ASSIGNED = { title: "Success", message: "Ticket assigned successfully" } as const;
export const NOW_UNASSIGNED = { title: "Success", message: "Ticket unassigned successfully" } as const;
export const NOT_ASSIGNED = "Failed to assign ticket";
