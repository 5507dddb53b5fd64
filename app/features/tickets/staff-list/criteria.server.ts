import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { addDays, dayIn, type Instant, startOfDay } from "~/lib/time";
import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import type { Bounds, Clause } from "~/lists/row-source.server";
import type { TicketPriority } from "../model";
import { countTickets, countTicketsOf } from "./count-tickets.server";
import type { StatusFilter, TicketFilter } from "./definition";

/** Holds the query criteria of the list. */
type TicketCriteria = ListCriteria<TicketFilter["sort"]> & {
  organizationId?: string | null;
  status?: StatusFilter | null;
  priority?: TicketPriority | null;
  /** Limits the list to the tickets of an assignee; null: of nobody. */
  assigneeId?: string | null;
  dueBefore?: Instant;
  /** Limits the list to what somebody has opened or was added to. */
  viewerId?: string;
};

/** Turns the filter of an address into query criteria, for one viewer at one instant. */
export function criteriaOf(filter: TicketFilter, viewer: ListViewer): TicketCriteria {
  const { organization, priority, assignee, due, sort } = filter;
  const { zone, now } = viewer;
  // The order of what is due next has active tickets only: nothing is due on the others.
  const status = filter.status ?? (due || sort === "due" ? "active" : null);
  return {
    ...commonCriteria(filter, viewer),
    organizationId: organization,
    status,
    priority,
    ...(assignee ? { assigneeId: assigneeOf(assignee, viewer) } : {}),
    ...(due ? { dueBefore: due === "late" ? now : startOfDay(zone, addDays(dayIn(zone, now), 1)) } : {}),
  };
}

function assigneeOf(assignee: string, { actor }: ListViewer): string | null {
  if (assignee === "none") return null;
  return assignee === "me" ? actor.userId : assignee;
}

/** Repeats the condition of the indexes of active tickets, which must be written as there. */
const ACTIVE: Clause = {
  key: "active",
  where: sql`t.status in ('open', 'in_progress', 'waiting_for_customer')`,
  token: { hasAny: ["s.o", "s.i", "s.w"] },
};

/** Returns the conditions that the criteria stand for, each with what an index knows it by. */
export function clauses(criteria: Partial<TicketCriteria>): Clause[] {
  const { organizationId, status, priority, assigneeId, dueBefore, search, sort, viewerId, from, until } = criteria;
  const all: Clause[] = [];
  if (status === "active" || sort === "due" || dueBefore !== undefined) all.push(ACTIVE);
  if (status && status !== "active") {
    all.push({ key: "status", where: sql`t.status = ${status}`, token: { has: `s.${status.charAt(0)}` } });
  }
  if (organizationId) {
    const where = sql`t.organization_id = ${organizationId}`;
    all.push({ key: "organization", where, token: { has: `@${organizationId}.` } });
  }
  if (priority) {
    all.push({ key: "priority", where: sql`t.priority = ${priority}`, token: { has: `p.${priority.charAt(0)}` } });
  }
  if (assigneeId) {
    all.push({ key: "assignee", where: sql`t.assigned_to = ${assigneeId}`, token: { has: `@${assigneeId}.` } });
  }
  if (assigneeId === null) all.push({ key: "assignee", where: sql`t.assigned_to IS NULL`, token: { has: "nobody" } });
  if (dueBefore !== undefined && search) {
    // The search index knows no times: the few tickets that have something due are gone through.
    all.push({ key: "due", where: sql`t.due_rank < ${dueBefore}`, isRare: true });
  }
  if (dueBefore !== undefined && !search && (from !== undefined || until !== undefined)) {
    const where = sql`t.created_at >= ${from ?? 0} AND t.created_at < ${until ?? Number.MAX_SAFE_INTEGER}`;
    all.push({ key: "opened", where });
  }
  if (viewerId) {
    all.push({ key: "viewer", where: sql`instr(t.viewers, ${`~${viewerId}.`}) > 0`, token: { has: `~${viewerId}.` } });
  }
  return all;
}

/**
 * Limits what is due by its time, and other tickets by their numbers, which increase with the time at which they were
 * opened. What is due is few: there the days are a condition, as the due time is in a search.
 */
export function bounds({ dueBefore, search, from, until }: Partial<TicketCriteria>): Bounds {
  if (dueBefore !== undefined && !search) return { column: "due_rank", until: dueBefore };
  return {
    column: "number",
    from: from === undefined ? undefined : firstNumberAt(from),
    until: until === undefined ? undefined : firstNumberAt(until),
  };
}

/** Queries the number of the first ticket that was opened at an instant or later; above all numbers: none was. */
const firstNumberAt = (at: Instant): SQL =>
  sql`coalesce((SELECT number FROM support_tickets INDEXED BY tickets_by_day WHERE created_at >= ${at}
    ORDER BY created_at, number LIMIT 1), ${Number.MAX_SAFE_INTEGER})`;

/** Reads a count that triggers maintain: by status, of all tickets or of one organization. Null where there is none. */
export function maintainedCount(db: Db, criteria: TicketCriteria): Promise<number> | null {
  const { search, organizationId, status, priority, assigneeId, dueBefore, days } = criteria;
  if (search || priority || assigneeId !== undefined || dueBefore !== undefined || days) return null;
  const counts = organizationId ? countTicketsOf(db, organizationId) : countTickets(db);
  return counts.then((counted) => counted[status ?? "all"]);
}
