import type { StoredTicketEvent } from "./conversation/queries.server";
import { CATEGORY_NONE, PRIORITY_LABELS, STATUS_LABELS } from "./copy";
import type { TicketPriority, TicketStatus } from "./model";

const statusOf = (stored: string | null): string => STATUS_LABELS[stored as TicketStatus] ?? stored ?? "";
const priorityOf = (stored: string | null): string => PRIORITY_LABELS[stored as TicketPriority] ?? stored ?? "";
const because = (reason: string | null): string => (reason ? `: ${reason}` : "");
const promiseOf = (stored: string | null): string =>
  ({ first_response: "first reply", resolution: "resolution" })[stored ?? ""] ?? "next reply";

const allowanceOf = (stored: string | null): string => (stored === "onsite" ? "Onsite visit" : "After-hours incident");

/** Says who has a ticket now, or that nobody has. */
function assigneeWords(who: string, from: string | null, to: string | null): string {
  if (to === null) return from === who || from === null ? `${who} unassigned it` : `${who} unassigned it from ${from}`;
  return to === who ? `${who} took it` : `${who} assigned it to ${to}`;
}

/**
 * Says what has happened to a ticket: "Sam Lee set the status to Resolved". Null for what the reader is not told, or
 * learns elsewhere on the page.
 */
export function ticketEventWords(event: StoredTicketEvent, reader: "client" | "staff"): string | null {
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
      return assigneeWords(who, from, to);
    case "category":
      return `${who} changed the category to ${to ?? CATEGORY_NONE}`;
    case "privacy":
      return to === "private" ? `${who} made it private` : `${who} shared it with the organization`;
    case "person_added":
      return `${who} added ${to ?? "a person"}`;
    case "person_removed":
      return `${who} took ${from ?? "a person"} off`;
    case "moved":
      return reader === "staff" ? `${who} moved it from ${from ?? ""} to ${to ?? ""}` : `${who} moved it here`;
    case "promise_kept":
      return `The promise of the ${promiseOf(from)} was kept`;
    case "promise_missed":
      return `The promise of the ${promiseOf(from)} was missed`;
    case "promise_warned":
      return reader === "staff" ? `The ${promiseOf(from)} was due soon` : null;
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
