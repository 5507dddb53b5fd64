import { firstNameOf } from "~/lib/person-name";
import type { StoredTicketEvent } from "../conversation/queries.server";
import { CLIENT_STATUS_LABELS, PRIORITY_LABELS } from "../copy";
import type { TicketPriority, TicketStatus } from "../model";

type Line = { id: string; at: number; text: string };

type Reader = {
  /** Names the reader, whose own lines say "You". */
  userId: string;
  /** Names the provider. */
  provider: string;
};

/** Returns what a client reads of the history of a ticket. What is of no use to them is left out. */
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
      return `${who}: ${statusLabel(from)} → ${statusLabel(to)}`;
    case "priority":
      return `Priority ${priorityLabel(from)} → ${priorityLabel(to)}`;
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

/** Returns what was said about an event: why it was done or, where staff resolved a ticket, what was done. */
function reasonOf({ kind, to, reason, side }: StoredTicketEvent): string {
  if (!reason) return "";
  return `. ${kind === "status" && to === "resolved" && side !== "system" ? "What was done" : "Reason"}: ${reason}`;
}

const promised = (kind: string | null): string =>
  ({ first_response: "First reply", resolution: "Resolved" })[kind ?? ""] ?? "Reply";

const statusLabel = (status: string | null) => CLIENT_STATUS_LABELS[status as TicketStatus] ?? "";
const priorityLabel = (priority: string | null) => PRIORITY_LABELS[priority as TicketPriority] ?? "";
