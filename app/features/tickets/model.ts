import type { OrganizationRole, StaffRole } from "~/access/model";
import type { OrganizationPlan } from "~/features/organizations/model";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-values";
import { dayIn, days, type Instant } from "~/lib/time";

export { TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "~/lib/ticket-values";

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

/** Those in which somebody still has to do something. */
export const ACTIVE_STATUSES = ["open", "in_progress", "waiting_for_customer"] as const satisfies TicketStatus[];

export const isActive = (status: TicketStatus): boolean =>
  (ACTIVE_STATUSES as readonly TicketStatus[]).includes(status);

export const DEFAULT_PRIORITY: TicketPriority = "medium";

/** In characters. */
export const TITLE_LIMIT = 200;
export const MESSAGE_LIMIT = 20_000;
export const IMPACT_LIMIT = 500;
export const RESOLUTION_LIMITS = { min: 10, max: 2_000 } as const;
export const WHY_LATE_LIMIT = 160;

/** In which a client may reopen a ticket; later they open another one that names it. */
export const REOPEN_WINDOW = days(14);

export const CLIENT_TRANSITIONS = ["solved", "close", "reopen"] as const;
export type ClientTransition = (typeof CLIENT_TRANSITIONS)[number];

export const STATUS_AFTER: Record<ClientTransition, TicketStatus> = {
  solved: "resolved",
  close: "closed",
  reopen: "open",
};

type TransitionState = {
  status: TicketStatus;
  resolvedAt: Instant | null;
  closedAt: Instant | null;
  createdBy: string | null;
};

type Client = { userId: string; role: OrganizationRole };

/** Their own ticket, or as an admin of its organization any of it. */
export const mayChangeAsClient = (
  { userId, role }: Client,
  { createdBy }: Pick<TransitionState, "createdBy">,
): boolean => role !== "member" || createdBy === userId;

/** Staff may choose any status, but resolve only with a note. */
export function clientTransitions(client: Client, ticket: TransitionState, now: Instant): ClientTransition[] {
  if (!mayChangeAsClient(client, ticket)) return [];
  if (isActive(ticket.status)) return ["solved", "close"];
  if (!canBeReopened(ticket, now)) return [];
  return ticket.status === "resolved" ? ["close", "reopen"] : ["reopen"];
}

export function canBeReopened(
  { status, resolvedAt, closedAt }: Omit<TransitionState, "createdBy">,
  now: Instant,
): boolean {
  const endedAt = status === "closed" ? closedAt : resolvedAt;
  return !isActive(status) && endedAt !== null && now <= endedAt + REOPEN_WINDOW;
}

/** Without an account it is a job. */
export type TicketActor = {
  userId: string | null;
  fullName: string;
  side: "client" | "staff" | "system";
  /** Of a client who has no account. */
  contactId?: string;
  /** Of staff who are not signed in: they write by mail. */
  role?: StaffRole;
};

type Account = { userId: string; fullName: string };

export const asStaff = ({ userId, fullName }: Account): TicketActor => ({ userId, fullName, side: "staff" });
export const asClient = ({ userId, fullName }: Account): TicketActor => ({ userId, fullName, side: "client" });

export const SYSTEM_ACTOR: TicketActor = { userId: null, fullName: "", side: "system" };

const REPLY_EFFECTS = ["send", "wait", "resolve"] as const;
export type ReplyEffect = (typeof REPLY_EFFECTS)[number];

export type AllowanceKind = "after_hours" | "onsite";

/** In a contract year; null: as often as needed. */
export const ALLOWANCES: Record<OrganizationPlan, Record<AllowanceKind, number | null>> = {
  none: { after_hours: 0, onsite: 0 },
  basic: { after_hours: 0, onsite: 0 },
  core: { after_hours: 5, onsite: 16 },
  premium: { after_hours: null, onsite: null },
};

type Contract = {
  /** Null: there is none yet, and years are those of the calendar. */
  contractStartedAt: Instant | null;
  zone: string;
};

/** `YYYY-MM-DD`. */
export function contractYearOf({ contractStartedAt, zone }: Contract, at: Instant): string {
  const today = dayIn(zone, at);
  const anniversary = contractStartedAt === null ? "01-01" : dayIn(zone, contractStartedAt).slice(5);
  const year = Number(today.slice(0, 4));
  const thisYear = dayOfYear(year, anniversary);
  return thisYear <= today ? thisYear : dayOfYear(year - 1, anniversary);
}

/** A contract of February 29 has its anniversary on March 1 in other years. */
function dayOfYear(year: number, monthAndDay: string): string {
  const [month = 1, day = 1] = monthAndDay.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** The anchor, on the page of a ticket, of what was done last to resolve it. */
export const LAST_SOLUTION = "solution";

/** The anchors, on the client's page, of the question whether it is solved, and of the field below it. */
export const BAND = "solved";
export const STILL_WRONG = "still-wrong";
