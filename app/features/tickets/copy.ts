import { TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "./model";
import type { Coverage } from "./promise/rules";

export const STATUS_LABELS: Record<TicketStatus, string> = {
  open: "Open",
  in_progress: "In Progress",
  waiting_for_customer: "Waiting",
  resolved: "Resolved",
  closed: "Closed",
};

/** Names the status of a ticket to its client. */
export const CLIENT_STATUS_LABELS: Record<TicketStatus, string> = {
  ...STATUS_LABELS,
  waiting_for_customer: "Waiting for you",
};

/** Lists the statuses as choices, in the order in which work moves. */
export const STATUS_OPTIONS = TICKET_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }));

export const PRIORITY_LABELS: Record<TicketPriority, string> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  urgent: "Urgent",
};

/** Holds the sign of each priority; the word always stands beside it. */
export const PRIORITY_MARKS: Record<TicketPriority, string> = { low: "💬", medium: "🛠️", high: "⚠️", urgent: "🚨" };

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

export const MAIL_TRIED_AGAIN = { title: "Mail Queued", message: "It will be sent again." } as const;

/** Says when the promises of a plan count. */
export const COVERAGE_WORDS: Record<Coverage, string> = {
  open_hours: "Open hours",
  urgent_after_hours: "Open hours; urgent at night too",
  around_the_clock: "Day and night",
};

export const UNASSIGNED = "Unassigned";

export const STATUS_UPDATED = { title: "Success", message: "Ticket status updated successfully" } as const;
export const STATUS_NOT_UPDATED = "Failed to update ticket status";
export const ASSIGNED = { title: "Success", message: "Ticket assigned successfully" } as const;
export const NOW_UNASSIGNED = { title: "Success", message: "Ticket unassigned successfully" } as const;
export const NOT_ASSIGNED = "Failed to assign ticket";

export const CATEGORY_NONE = "No category";
export const ORGANIZATION_GONE = "This organization is gone. Choose another one.";
export const NOBODY_HAS_ADDRESS = "No active member of this organization has this address.";
export const CANNED_REPLY_GONE = "This saved reply is gone. Choose another one.";
export const WRITE_SOMETHING = "Write a message or attach a file.";
export const RESOLUTION_NEEDED = "Say what was done, in 10 to 2,000 characters. The client reads it.";
export const ALREADY_RESOLVED = "This ticket is resolved already. To change what was done, open it again first.";
export const MESSAGE_ADDED = { title: "Success", message: "Message added successfully" } as const;
export const REPLY_UNDONE = {
  title: "Taken back",
  message: "No mail was sent. The text is your draft again; files have to be chosen again.",
} as const;
export const TOO_LATE_TO_UNDO = "It is too late to take this reply back.";
export const MESSAGE_NOT_ADDED = "Failed to add message";
export const DRAFT_SAVED = { title: "Draft saved", message: "Only you can see it." } as const;
export const DRAFT_DELETED = { title: "Draft deleted", message: "Nothing of it is kept." } as const;
export const DETAILS_SAVED = { title: "Success", message: "Ticket updated successfully" } as const;
export const DETAILS_NOT_SAVED = "Failed to update the ticket";
export const NOTHING_CHANGED = { title: "Nothing changed", message: "The ticket was like that already." } as const;
export const MUTED = { title: "Muted", message: "You won't hear of this ticket any more." } as const;
export const UNMUTED = { title: "Unmuted", message: "You will hear of this ticket again." } as const;
export const TICKET_CHANGED = "This ticket changed while you were working";

/** Says whose message a reply has overtaken. */
export const repliedMeanwhile = (name: string): string => `${name} replied while you were writing.`;

/** Says who has ended a ticket, or that it has ended where a message tells the rest, and what opens it again. */
export const endedMeanwhile = (status: "resolved" | "closed", name: string | null): string =>
  `${name ? `${name} ${status} this ticket while you were writing` : `It is ${status} now`}. “Send and wait for customer” opens it again.`;
