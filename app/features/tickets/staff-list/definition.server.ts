import { type SQL, sql } from "drizzle-orm";
import { countUpTo, type Db } from "~/db/client.server";
import { readTotal, readTotals } from "~/db/read-totals.server";
import type { CsvCell } from "~/lib/csv";
import { inUtc } from "~/lib/csv";
import { referenceNumber } from "~/lib/ids";
import { capped } from "~/lib/numbers";
import { snippetOf } from "~/lib/text";
import { addDays, dayIn, type Instant, seconds, startOfDay } from "~/lib/time";
import { WAITING_COUNTED } from "~/lib/waiting";
import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import type { Bounds, Clause } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/text";
import { isViewer } from "../access.server";
import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "../labels";
import { ACTIVE_STATUSES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "../model";
import { TICKET_SEARCH } from "../queries.server";
import { type ListedTicket, type StatusFilter, type TicketFilter, ticketList } from "./definition";

type TicketCriteria = ListCriteria<TicketFilter["sort"]> & {
  organizationId?: string | null;
  status?: StatusFilter | null;
  priority?: TicketPriority | null;
  /** Limits the list to the tickets of an assignee; null: of nobody. */
  assigneeId?: string | null;
  dueBefore?: Instant;
  viewerId?: string;
};

function criteriaOf(filter: TicketFilter, viewer: ListViewer): TicketCriteria {
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

function clauses(criteria: Partial<TicketCriteria>): Clause[] {
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
    all.push({ key: "viewer", where: isViewer(viewerId), token: { has: `~${viewerId}.` } });
  }
  return all;
}

/** What is due is few: there the days are a condition, as the due time is in a search. */
function bounds({ dueBefore, search, from, until }: Partial<TicketCriteria>): Bounds {
  if (dueBefore !== undefined && !search) return { column: "due_rank", until: dueBefore };
  return {
    column: "opened_rank",
    from: from === undefined ? undefined : firstRankAt(from),
    until: until === undefined ? undefined : firstRankAt(until),
  };
}

/** Returns the first `opened_rank` of a second. */
const firstRankAt = (at: Instant): number => Math.floor(at / seconds(1)) * 2_097_152;

/** Reads a count that triggers maintain: by status, of all tickets or of one organization. Null where there is none. */
function maintainedCount(db: Db, criteria: TicketCriteria): Promise<number> | null {
  const { search, organizationId, status, priority, assigneeId, dueBefore, days } = criteria;
  if (search || priority || assigneeId !== undefined || dueBefore !== undefined || days) return null;
  const counts = organizationId ? countTicketsOf(db, organizationId) : countTickets(db);
  return counts.then((counted) => counted[status ?? "all"]);
}

export type TicketCounts = Record<TicketStatus | "active" | "all", number>;

type ByStatus = Partial<Record<TicketStatus, number>>;

const sumOf = (counts: ByStatus, statuses: readonly TicketStatus[]): number =>
  statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);

const withSums = (counts: ByStatus): TicketCounts => ({
  open: 0,
  in_progress: 0,
  waiting_for_customer: 0,
  resolved: 0,
  closed: 0,
  ...counts,
  active: sumOf(counts, ACTIVE_STATUSES),
  all: sumOf(counts, TICKET_STATUSES),
});

export async function countTickets(db: Db): Promise<TicketCounts> {
  return withSums(await readTotals(db, ["ticket.closed", "ticket.waiting_for_customer"]));
}

/** Counts the active tickets that no counter knows, in an index and no further than is shown. */
export async function countTicketViews(db: Db, userId: string, now: Instant) {
  const rows = (index: string, condition: SQL) =>
    sql`SELECT 1 FROM support_tickets t INDEXED BY ${sql.raw(index)} WHERE ${ACTIVE.where} AND ${condition}`;
  const upTo = (index: string, condition: SQL) => countUpTo(rows(index, condition), WAITING_COUNTED);
  const [counts] = await db.all<Record<"late" | "unassigned" | "mine", number>>(sql`SELECT
    ${upTo("active_tickets_by_due", sql`t.due_rank < ${now}`)} AS late,
    ${upTo("active_tickets_of_assignee", sql`t.assigned_to IS NULL`)} AS unassigned,
    ${upTo("active_tickets_of_assignee", sql`t.assigned_to = ${userId}`)} AS mine`);
  const { late = 0, unassigned = 0, mine = 0 } = counts ?? {};
  const counted = (count: number) => capped(count, WAITING_COUNTED);
  return { late: counted(late), unassigned: counted(unassigned), mine: counted(mine) };
}

export const countOpenTickets = (db: Db): Promise<number> => readTotal(db, "ticket.open");

async function countTicketsOf(db: Db, organizationId: string): Promise<TicketCounts> {
  const [counts] = await db.all<ByStatus>(sql`
    SELECT open, in_progress, waiting_for_customer, resolved, closed FROM ticket_counts
    WHERE organization_id = ${organizationId}`);
  return withSums(counts ?? {});
}

/** Describes a row as it is read: what depends on the clock, the search and the viewer is added for the page. */
export type ReadTicket = Omit<ListedTicket, "due" | "matched" | "organizationPath" | "formerAssignee"> & {
  organizationId: string;
  assignee: string | null;
  dueAt: Instant | null;
  /** Tells when the ticket is promised to be resolved; null while that is paused, or not promised. */
  resolveBy: Instant | null;
  /** Tells when the last word was ours; null while the client waits for one. */
  answeredAt: Instant | null;
  waitingSince: Instant | null;
};

type StoredRow = Omit<ReadTicket, "number" | "isPrivate"> & { number: number; isPrivate: 0 | 1 };

type ExportedRow = Pick<ReadTicket, "title" | "organization" | "creator" | "createdAt" | "category"> &
  Pick<ReadTicket, "priority" | "status" | "assignee" | "dueAt"> & {
    number: number;
    oldNumber: string | null;
    /** Holds the id of the member of staff who opened it for the client; null: the client did. */
    openedBy: string | null;
    description: string;
    resolvedAt: Instant | null;
    closedAt: Instant | null;
  };

/** Limits how much of a description a row shows, in characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 110;

const COMMON = `t.number, t.title, t.creator_name AS creator, t.created_at AS createdAt, t.category, t.priority, t.status`;

export const LOOKUPS = {
  organization: "(SELECT o.name FROM organizations o WHERE o.id = t.organization_id)",
  assignee: "(SELECT u.full_name FROM users u WHERE u.id = t.assigned_to)",
} as const;

/** Reads how the promises of a ticket stand, all of it from its own row. */
export const PROMISES = `t.due_at AS dueAt, json_extract(t.promise_json, '$.resolution.dueAt') AS resolveBy,
  iif(json_extract(t.promise_json, '$.firstResponseOver') AND NOT json_extract(t.promise_json, '$.clientWaits'),
    t.last_message_at, NULL) AS answeredAt, t.waiting_since AS waitingSince`;

/** Lists what is read for a row of the page, and for a line of the file. No message of a ticket is ever read. */
const ROW_COLUMNS = `t.id, t.version, ${COMMON}, t.old_number AS oldNumber, substr(t.description, 1, ${SNIPPET_LENGTH + 1}) AS snippet,
  ${PROMISES}, t.is_private AS isPrivate, t.organization_id AS organizationId, t.assigned_to AS assigneeId`;
const FILE_COLUMNS = `${COMMON}, t.due_at AS dueAt, t.old_number AS oldNumber, t.opened_by AS openedBy, t.description, t.resolved_at AS resolvedAt, t.closed_at AS closedAt,
  ${LOOKUPS.organization} AS organization, ${LOOKUPS.assignee} AS assignee`;

const viewOf = ({ number, snippet, isPrivate, ...row }: StoredRow): ReadTicket => ({
  ...row,
  number: referenceNumber("ticket", number),
  snippet: snippetOf(snippet, SNIPPET_LENGTH),
  isPrivate: isPrivate === 1,
});

const FILE_CELLS = {
  Number: (row) => referenceNumber("ticket", row.number),
  "Old number": (row) => row.oldNumber,
  Title: (row) => row.title,
  Organization: (row) => row.organization,
  "Opened by": (row) => (row.openedBy === null ? row.creator : `Support, for ${row.creator}`),
  Priority: (row) => PRIORITY_LABELS[row.priority],
  Category: (row) => row.category,
  Status: (row) => TICKET_STATUS_LABELS[row.status],
  Assignee: (row) => row.assignee,
  "Created (UTC)": (row) => inUtc(row.createdAt),
  "Created (site time)": (row, zone) => formatInstant(row.createdAt, zone, "datetime"),
  "Reply due (UTC)": (row) => inUtc(row.dueAt),
  "Resolved (UTC)": (row) => inUtc(row.resolvedAt),
  "Closed (UTC)": (row) => inUtc(row.closedAt),
  Description: (row) => row.description,
} satisfies Record<string, (row: ExportedRow, zone: string) => CsvCell>;

export const ticketRows = defineRows({
  list: ticketList,
  table: "support_tickets",
  visibleTo: {
    any: () => ({}),
    // Staff alone open this list. Who is none and holds its ability would see what they may see in any case.
    organization: ({ userId, membership }): { organizationId?: string; viewerId?: string } => ({
      organizationId: membership?.organizationId,
      viewerId: userId,
    }),
  },
  criteriaOf,
  clauses,
  maintainedCount,
  bounds,
  orders: {
    created: {
      columns: { opened_rank: "number" },
      indexes: {
        tickets_in_order: [],
        active_tickets_in_order: ["active"],
        organization_tickets: ["organization"],
      },
    },
    due: {
      columns: { due_rank: "number", number: "number" },
      indexes: {
        active_tickets_by_due: ["active"],
        active_tickets_of_organization: ["active", "organization"],
        active_tickets_of_assignee: ["active", "assignee"],
      },
    },
  },
  search: TICKET_SEARCH,
  limits: { scan: 40 },
  lookups: LOOKUPS,
  columns: ROW_COLUMNS,
  view: viewOf,
  csv: { columns: FILE_COLUMNS, cells: FILE_CELLS },
});
