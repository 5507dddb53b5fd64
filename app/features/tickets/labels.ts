import type { StoredTicketEvent } from "~/features/conversation/messages.server";
import { firstNameOf } from "~/lib/text";
import {
  type AllowanceKind,
  type ClientTransition,
  TICKET_CATEGORIES,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
  type TicketPriority,
  type TicketStatus,
} from "./model";
import type { Coverage } from "./sla/due-times";

export const TICKET_STATUS_LABELS: Record<TicketStatus, string> = {
  open: "Open",
  in_progress: "In Progress",
  waiting_for_customer: "Waiting",
  resolved: "Resolved",
  closed: "Closed",
};

export const CLIENT_STATUS_LABELS: Record<TicketStatus, string> = {
  ...TICKET_STATUS_LABELS,
  waiting_for_customer: "Waiting for you",
};

export const TICKET_STATUS_OPTIONS = TICKET_STATUSES.map((value) => ({ value, label: TICKET_STATUS_LABELS[value] }));

export const PRIORITY_LABELS: Record<TicketPriority, string> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  urgent: "Urgent",
};

/** The word always stands beside it. */
export const PRIORITY_MARKS: Record<TicketPriority, string> = { low: "💬", medium: "🛠️", high: "⚠️", urgent: "🚨" };

export const PRIORITY_OPTIONS = TICKET_PRIORITIES.toReversed().map((value) => ({
  value,
  label: PRIORITY_LABELS[value],
}));

export const PRIORITY_DESCRIPTIONS: Record<TicketPriority, string> = {
  low: "General inquiry or non-urgent issue",
  medium: "Standard support request",
  high: "Important issue affecting work",
  urgent: "Critical issue requiring immediate attention",
};

export const MAIL_TRIED_AGAIN = { title: "Mail Queued", message: "It will be sent again." } as const;

export const COVERAGE_LABELS: Record<Coverage, string> = {
  open_hours: "Open hours",
  urgent_after_hours: "Open hours; urgent at night too",
  around_the_clock: "Day and night",
};

export const ALLOWANCE_LABELS: Record<AllowanceKind, string> = {
  after_hours: "After-hours incidents",
  onsite: "Onsite visits",
};

export const UNASSIGNED = "Unassigned";

export const TICKET_STATUS_UPDATED = { title: "Success", message: "Ticket status updated successfully" } as const;
export const TICKET_STATUS_NOT_UPDATED = "Failed to update ticket status";
export const TICKET_ASSIGNED = { title: "Success", message: "Ticket assigned successfully" } as const;
export const TICKET_UNASSIGNED = { title: "Success", message: "Ticket unassigned successfully" } as const;
export const TICKET_NOT_ASSIGNED = "Failed to assign ticket";

export const CATEGORY_NONE = "No category";
export const CATEGORY_OPTIONS = [
  { value: "", label: CATEGORY_NONE },
  ...TICKET_CATEGORIES.map((value) => ({ value, label: value })),
];
export const MOVE_REFUSED = {
  organization_not_found: "This organization is gone. Choose another one.",
  is_suspended: "The person of this ticket is suspended in that organization",
  is_colleague: "The person of this ticket is a colleague now",
} as const;
export const STOP_CC_NOTE =
  "It ends copies of this ticket, and of tickets to which your address is added later. Other tickets of which you get copies already go on: their mails have links of their own.";
export const NOBODY_LEFT = "Choose at least one person, or write an internal note";
export const NOBODY_HAS_ADDRESS = "No active member of this organization has this address.";
export const CANNED_REPLY_GONE = "This saved reply is gone. Choose another one.";
export const RESOLUTION_NEEDED = "Say what was done, in 10 to 2,000 characters. The client reads it.";
export const ALREADY_RESOLVED = "This ticket is resolved already. To change what was done, open it again first.";
export const REQUESTER_CHANGED = {
  title: "Requester changed",
  message: "They are told that the ticket is theirs.",
} as const;
export const DETAILS_SAVED = { title: "Success", message: "Ticket updated successfully" } as const;
export const DETAILS_NOT_SAVED = "Failed to update the ticket";
export const NOTHING_CHANGED = { title: "Nothing changed", message: "The ticket was like that already." } as const;
export const MUTED = { title: "Muted", message: "You won't hear of this ticket any more." } as const;
export const UNMUTED = { title: "Unmuted", message: "You will hear of this ticket again." } as const;

/** `name` null: a message tells the rest. */
export const endedMeanwhile = (status: "resolved" | "closed", name: string | null): string =>
  `${name ? `${name} ${status} this ticket while you were writing` : `It is ${status} now`}. “Send and wait for customer” opens it again.`;

const statusOf = (stored: string | null): string => TICKET_STATUS_LABELS[stored as TicketStatus] ?? stored ?? "";
const priorityOf = (stored: string | null): string => PRIORITY_LABELS[stored as TicketPriority] ?? stored ?? "";
const because = (reason: string | null): string => (reason ? `: ${reason}` : "");
const targetName = (stored: string | null): string =>
  ({ first_response: "first reply", resolution: "resolution" })[stored ?? ""] ?? "next reply";

const allowanceOf = (stored: string | null): string => (stored === "onsite" ? "Onsite visit" : "After-hours incident");

function assigneeLabel(who: string, from: string | null, to: string | null): string {
  if (to === null) return from === who || from === null ? `${who} unassigned it` : `${who} unassigned it from ${from}`;
  return to === who ? `${who} took it` : `${who} assigned it to ${to}`;
}

/** Null for what the reader is not told, or learns elsewhere on the page. */
export function ticketEventText(event: StoredTicketEvent, reader: "client" | "staff"): string | null {
  const { kind, from, to, reason, actor, side } = event;
  const who = actor || "The system";
  switch (kind) {
    case "opened":
      return side === "staff" ? `${who} opened this ticket for the client` : null;
    case "status":
      return `${who} set the status to ${statusOf(to)}`;
    case "priority":
      return `${who} changed the priority from ${priorityOf(from)} to ${priorityOf(to)}${because(reason)}`;
    case "assignee":
      return assigneeLabel(who, from, to);
    case "category":
      return `${who} changed the category to ${to ?? CATEGORY_NONE}`;
    case "privacy":
      return to === "private" ? `${who} made it private` : `${who} shared it with the organization`;
    case "person_added":
      return `${who} added ${to ?? "a person"}`;
    case "person_removed":
      return `${who} took ${from ?? "a person"} off`;
    case "requester":
      return `${who} changed the requester from ${from ?? "nobody"} to ${to ?? "nobody"}`;
    case "moved":
      return reader === "staff" ? `${who} moved it from ${from ?? ""} to ${to ?? ""}` : `${who} moved it here`;
    case "promise_kept":
      return `The promise of the ${targetName(from)} was kept`;
    case "promise_missed":
      return `The promise of the ${targetName(from)} was missed`;
    case "promise_warned":
      return reader === "staff" ? `The ${targetName(from)} was due soon` : null;
    case "allowance_used":
      return `${allowanceOf(from)} used${because(to)}`;
    case "allowance_reversed":
      return `${allowanceOf(from)} given back${because(reason)}`;
    case "vote":
      return `${who} answered "Solved?": ${to === "solved" ? "yes" : "no, still broken"}`;
    case "reminded":
      return "The client was reminded";
    case "late_explained":
      return `${who} said why it was late${because(reason)}`;
  }
}

type Line = { id: string; at: number; text: string };

type Reader = {
  userId: string;
  provider: string;
};

/** What is of no use to clients is left out. */
export function timelineFor(events: readonly StoredTicketEvent[], reader: Reader): Line[] {
  return events.flatMap((event) => {
    const text = wordsOf(event, reader);
    if (text === null) return [];
    return { id: event.id, at: event.at, text: `${text}${reasonOf(event)}` };
  });
}

function wordsOf(
  { kind, from, to, actorId, actor, side }: StoredTicketEvent,
  { userId, provider }: Reader,
): string | null {
  const who = side === "staff" ? firstNameOf(actor) : side === "system" ? provider : actorId === userId ? "You" : actor;
  switch (kind) {
    case "opened":
      return `${who} opened the ticket`;
    case "status":
      return `${who}: ${clientStatusOf(from)} → ${clientStatusOf(to)}`;
    case "priority":
      return `Priority ${priorityOf(from)} → ${priorityOf(to)}`;
    case "assignee":
      return to ? `${firstNameOf(to)} has it` : "It has no owner at the moment";
    case "category":
      return to ? `Category: ${to}` : "No category";
    case "privacy":
      return to === "private" ? `${who} made it private` : `${who} shared it with colleagues`;
    case "person_added":
      return `${to ?? "A person"} was added`;
    case "person_removed":
      return `${from ?? "A person"} was taken off`;
    case "requester":
      return `Now the ticket of ${to ?? "another person"}`;
    case "moved":
      return "Moved to this organization";
    case "promise_kept":
      return `${promised(from)} in time`;
    case "promise_missed":
      return from === "resolution" ? "Not resolved by the promised time" : "Promise missed";
    case "allowance_used":
      if (from === "onsite") return "An onsite visit was recorded";
      return to ? `After-hours incident ${to} used` : "An after-hours incident was used";
    case "allowance_reversed":
      return from === "onsite" ? "The onsite visit was given back" : "The after-hours incident was given back";
    case "reminded":
      return `${provider} sent a reminder`;
    case "late_explained":
      return `${who} said why it was late`;
    case "vote":
    case "promise_warned":
      return null;
  }
}

/** Why it was done or, where staff resolved a ticket, what was done. */
function reasonOf({ kind, to, reason, side }: StoredTicketEvent): string {
  if (!reason) return "";
  return `. ${kind === "status" && to === "resolved" && side !== "system" ? "What was done" : "Reason"}: ${reason}`;
}

const promised = (kind: string | null): string =>
  ({ first_response: "First reply", resolution: "Resolved" })[kind ?? ""] ?? "Reply";

const clientStatusOf = (stored: string | null) => CLIENT_STATUS_LABELS[stored as TicketStatus] ?? "";

export const NONE_YET_FOR_CLIENT =
  "No tickets yet. When something breaks, or you need something set up, open the first one.";

/** Beside the button that says it is solved, it says that this is something else. */
export const closeLabel = (isActive: boolean): string => (isActive ? "Close without a solution" : "Close");

export const transitionLabel = (move: ClientTransition, moves: readonly ClientTransition[]): string =>
  ({ solved: "It's solved", close: closeLabel(moves.includes("solved")), reopen: "Reopen" })[move];

export const SAY_WHAT_IS_WRONG = "Say what is still wrong.";
export const SOLVED_MEANWHILE = "It was resolved while you were writing. Read what was done first.";
export const MESSAGE_TOO_LONG = "A message can have at most 20,000 characters.";
export const NOT_SENT = "Your message was not sent";

export const PRIVACY_SAVED = { title: "Success", message: "Ticket updated" } as const;
export const PERSON_ADDED = { title: "Success", message: "Added. They can read this ticket now." } as const;
export const PERSON_REMOVED = { title: "Success", message: "Taken off this ticket." } as const;
export const NOT_CHANGED = "Failed to update ticket";
export const CHOOSE_COLLEAGUE = "Choose a colleague.";

export const followUpOpened = (number: string) => ({
  title: "Success",
  message: `The earlier ticket is closed for good, so we opened ${number} for your message.`,
});

export const SUBJECT_REQUIRED = "Subject is required";
export const SUBJECT_TOO_LONG = "Subject can have at most 200 characters";
export const DESCRIPTION_REQUIRED = "Description is required";
export const DESCRIPTION_TOO_LONG = "Description can have at most 20,000 characters";
export const UNKNOWN_PRIORITY = "Choose one of the four priorities";
export const UNKNOWN_CATEGORY = "Choose a category from the list";
export const CHOOSE_PERSON = "Choose a person of the organization, or type a new one";
export const PERSON_OR_TYPED = "Choose a person or type a new one, not both";
export const NAME_OF_REQUESTER = "Type the name of the person";
export const ADDRESS_OF_REQUESTER = "Type one address, such as name@example.com";
export const ADDRESS_OF_OURS = "This is our own address";
export const IS_COLLEAGUE = "This is the address of a colleague";
export const IS_SUSPENDED = "This person is suspended in the organization";
export const IMPACT_REQUIRED = "Tell us what has stopped working, and for how many people.";
export const IMPACT_TOO_LONG = "At most 500 characters";

export const TICKET_CREATED = { title: "Success", message: "Ticket created successfully" } as const;
export const TICKET_FAILED = "Failed to create ticket";

export const TICKET_LIST_FAILED = "Failed to fetch tickets";
export const NO_TICKETS_FOUND = "No tickets found";
