import type { OrganizationRole } from "~/access/model";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-words";
import { days, type Instant } from "~/lib/time";

export { TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "~/lib/ticket-words";

export const TICKET_CATEGORIES = [
  "Technical Support",
  "Account Issues",
  "Billing",
  "Feature Request",
  "Bug Report",
  "General Inquiry",
  "Training",
  "Integration",
  "Performance",
  "Security",
] as const;

/** Lists the statuses in which somebody still has to do something. */
export const ACTIVE_STATUSES = ["open", "in_progress", "waiting_for_customer"] as const satisfies TicketStatus[];

/** Tells whether somebody still has to do something about a ticket of this status. */
export const isActive = (status: TicketStatus): boolean =>
  (ACTIVE_STATUSES as readonly TicketStatus[]).includes(status);

export const DEFAULT_PRIORITY: TicketPriority = "medium";

/** Limits texts, in characters. */
export const TITLE_LIMIT = 200;
export const MESSAGE_LIMIT = 20_000;
export const IMPACT_LIMIT = 500;
/** Limits the note "What was done", which the client reads. */
export const RESOLUTION_LIMITS = { min: 10, max: 2_000 } as const;
/** Limits the sentence that says why a reply was late. */
export const WHY_LATE_LIMIT = 160;

/** Limits the time in which a client may reopen a ticket; later they open another one that names it. */
export const REOPEN_WINDOW = days(14);

/** Lists what a client may do to a ticket's status. */
export const CLIENT_TRANSITIONS = ["solved", "close", "reopen"] as const;
export type ClientTransition = (typeof CLIENT_TRANSITIONS)[number];

/** Holds the status that each of them leads to. */
export const STATUS_AFTER: Record<ClientTransition, TicketStatus> = {
  solved: "resolved",
  close: "closed",
  reopen: "open",
};

/** Describes a ticket by what decides what a client may do about it. */
type TransitionFacts = {
  status: TicketStatus;
  resolvedAt: Instant | null;
  closedAt: Instant | null;
  createdBy: string | null;
};

type Client = { userId: string; role: OrganizationRole };

/** Tells whether a client may change a ticket: their own, or as an admin of its organization any of it. */
export const mayChangeAsClient = (
  { userId, role }: Client,
  { createdBy }: Pick<TransitionFacts, "createdBy">,
): boolean => role !== "member" || createdBy === userId;

/**
 * Returns what a client may do to the status at an instant. Staff may choose any status, but resolve only with a note:
 * changes/change-status.server.ts.
 */
export function clientTransitions(client: Client, ticket: TransitionFacts, now: Instant): ClientTransition[] {
  if (!mayChangeAsClient(client, ticket)) return [];
  if (isActive(ticket.status)) return ["solved", "close"];
  if (!canBeReopened(ticket, now)) return [];
  return ticket.status === "resolved" ? ["close", "reopen"] : ["reopen"];
}

/** Tells whether a resolved or closed ticket may still be reopened by a client. */
export function canBeReopened(
  { status, resolvedAt, closedAt }: Omit<TransitionFacts, "createdBy">,
  now: Instant,
): boolean {
  const endedAt = status === "closed" ? closedAt : resolvedAt;
  return !isActive(status) && endedAt !== null && now <= endedAt + REOPEN_WINDOW;
}

/** Names who changes a ticket. Without an account it is a job. */
export type TicketActor = { userId: string | null; fullName: string; side: "client" | "staff" | "system" };

/** Names the system as who changes a ticket, because time has passed. */
export const SYSTEM_ACTOR: TicketActor = { userId: null, fullName: "", side: "system" };

/** Says what a reply of staff does to the status: nothing, wait for the client, or resolve. */
const REPLY_EFFECTS = ["send", "wait", "resolve"] as const;
export type ReplyEffect = (typeof REPLY_EFFECTS)[number];
