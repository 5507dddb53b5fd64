import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { CsvCell } from "~/lib/csv";
import { inUtc } from "~/lib/csv";
import { referenceNumber } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import type { Clause } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/text";
import { isViewer, type TicketViewer } from "../access.server";
import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "../labels";
import { TICKET_STATUSES, type TicketPriority, type TicketStatus } from "../model";
import { TICKET_SEARCH } from "../queries.server";
import { type ClientTicketFilter, clientTicketList, type VisibleCounts } from "./definition";

type ClientTicketCriteria = ListCriteria<ClientTicketFilter["sort"]> & {
  organizationId?: string;
  status?: TicketStatus | null;
  priority?: TicketPriority | null;
  /** Names the member who sees a part of the organization's tickets only: shared ones and their own, or just these. */
  seenBy?: { userId: string; sees: "shared" | "own" };
};

const criteriaOf = (filter: ClientTicketFilter, viewer: ListViewer): ClientTicketCriteria => ({
  ...commonCriteria(filter, viewer),
  status: filter.status,
  priority: filter.priority,
});

/** Limits what somebody sees, as `visibleToClient` does for a single ticket. */
function limitsOf({ userId, membership }: Actor): { organizationId?: string; seenBy?: ClientTicketCriteria["seenBy"] } {
  if (membership?.role !== "member") return { organizationId: membership?.organizationId };
  const { organizationId, visibility } = membership;
  return { organizationId, seenBy: { userId, sees: visibility === "all" ? "shared" : "own" } };
}

function clauses({ organizationId, status, priority, seenBy }: Partial<ClientTicketCriteria>): Clause[] {
  const all: Clause[] = [];
  if (organizationId) {
    const where = sql`t.organization_id = ${organizationId}`;
    all.push({ key: "organization", where, token: { has: `@${organizationId}.` } });
  }
  if (seenBy) all.push(seenClause(seenBy));
  if (status) {
    all.push({ key: "status", where: sql`t.status = ${status}`, token: { has: `s.${status.charAt(0)}` } });
  }
  if (priority) {
    all.push({ key: "priority", where: sql`t.priority = ${priority}`, token: { has: `p.${priority.charAt(0)}` } });
  }
  return all;
}

function seenClause({ userId, sees }: NonNullable<ClientTicketCriteria["seenBy"]>): Clause {
  const own = `~${userId}.`;
  const isOwn = isViewer(userId);
  return sees === "own"
    ? { key: "seen", where: isOwn, token: { has: own } }
    : { key: "seen", where: sql`(t.is_private = 0 OR ${isOwn})`, token: { hasAny: ["shared", own] } };
}

export type ClientTicketRow = {
  id: string;
  number: number;
  oldNumber: string | null;
  title: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  isPrivate: 0 | 1;
  createdBy: string | null;
  creator: string;
  /** Holds the id of the member of staff who opened it for the client; null: the client did. */
  openedBy: string | null;
  createdAt: Instant;
  resolvedAt: Instant | null;
  closedAt: Instant | null;
  lastMessageAt: Instant;
  slaJson: string;
  assignee: string | null;
};

const LOOKUPS = { assignee: "(SELECT u.full_name FROM users u WHERE u.id = t.assigned_to)" } as const;

const COLUMNS = `t.id, t.number, t.old_number AS oldNumber, t.title, t.status, t.priority, t.category, t.is_private AS isPrivate,
  t.created_by AS createdBy, t.creator_name AS creator, t.opened_by AS openedBy, t.created_at AS createdAt, t.resolved_at AS resolvedAt,
  t.closed_at AS closedAt, t.last_message_at AS lastMessageAt, t.promise_json AS slaJson`;

const FILE_CELLS = {
  Number: (row) => referenceNumber("ticket", row.number),
  Title: (row) => row.title,
  "Opened by": (row) => (row.openedBy === null ? row.creator : `Support, for ${row.creator}`),
  Priority: (row) => PRIORITY_LABELS[row.priority],
  Category: (row) => row.category,
  Status: (row) => TICKET_STATUS_LABELS[row.status],
  "Created (UTC)": (row) => inUtc(row.createdAt),
  "Created (site time)": (row, zone) => formatInstant(row.createdAt, zone, "datetime"),
  "Resolved (UTC)": (row) => inUtc(row.resolvedAt),
  "Closed (UTC)": (row) => inUtc(row.closedAt),
  Description: (row) => row.description,
} satisfies Record<string, (row: Omit<ClientTicketRow, "assignee"> & { description: string }, zone: string) => CsvCell>;

export const clientTicketRows = defineRows({
  list: clientTicketList,
  table: "support_tickets",
  visibleTo: { any: limitsOf, organization: limitsOf },
  criteriaOf,
  clauses,
  orders: { created: { columns: { opened_rank: "number" }, indexes: { organization_tickets: ["organization"] } } },
  search: TICKET_SEARCH,
  lookups: LOOKUPS,
  columns: COLUMNS,
  view: (row: ClientTicketRow) => row,
  csv: { columns: `${COLUMNS}, t.description`, cells: FILE_CELLS },
});

type ByStatus = Partial<Record<TicketStatus | "closed_after_resolved", number>>;

const COUNTED = [...TICKET_STATUSES, "closed_after_resolved"] as const;

/**
 * Limits how many tickets are counted one by one, where no count is maintained: each is three rows read, and a page may
 * read 400.
 */
const COUNT_LIMIT = 90;

/**
 * Counts the tickets that a client sees, by status. For owner and admins the counts are maintained. From those of a
 * member private tickets of others are taken away, and where colleagues are kept apart their own are counted: a limited
 * number, beyond which there are no counts (null).
 */
export async function countVisible(
  db: Db,
  { userId, organizationId, role }: TicketViewer,
  visibility: "all" | "own",
): Promise<VisibleCounts | null> {
  if (role !== "member") return sumUp(await maintainedCounts(db, organizationId));
  const ofOrganization = `search_state : "@${organizationId}."`;
  const own = `search_state : "~${userId}."`;
  if (visibility === "own") {
    const counted = await countMatches(db, `${ofOrganization} AND ${own}`);
    return counted && sumUp(counted);
  }
  const [all, hidden] = await Promise.all([
    maintainedCounts(db, organizationId),
    countMatches(db, `(${ofOrganization} AND search_state : "private") NOT ${own}`),
  ]);
  if (!hidden) return null;
  return sumUp(Object.fromEntries(COUNTED.map((name) => [name, (all[name] ?? 0) - (hidden[name] ?? 0)])));
}

async function maintainedCounts(db: Db, organizationId: string): Promise<ByStatus> {
  const [counts] = await db.all<ByStatus>(sql`
    SELECT open, in_progress, waiting_for_customer, resolved, closed, closed_after_resolved FROM ticket_counts
    WHERE organization_id = ${organizationId}`);
  return counts ?? {};
}

/** Counts what matches in the search index, by status. Null: more than the limit. */
async function countMatches(db: Db, match: string): Promise<ByStatus | null> {
  const rows = await db.all<{ status: TicketStatus; count: number; resolvedBefore: number }>(sql`
    SELECT t.status, count(*) AS count, total(t.resolved_at < t.closed_at) AS resolvedBefore FROM (
      SELECT f.rowid AS opened_rank FROM ticket_search f WHERE f.ticket_search MATCH ${match} LIMIT ${COUNT_LIMIT + 1}) found
    CROSS JOIN support_tickets t INDEXED BY tickets_in_order ON t.opened_rank = found.opened_rank
    GROUP BY t.status`);
  const counts: ByStatus = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  counts.closed_after_resolved = rows.find(({ status }) => status === "closed")?.resolvedBefore ?? 0;
  return sumUp(counts).all > COUNT_LIMIT ? null : counts;
}

const sumUp = (counts: ByStatus): VisibleCounts => {
  const { closed_after_resolved: closedAfterResolved = 0, ...byStatus } = counts;
  const complete = { open: 0, in_progress: 0, waiting_for_customer: 0, resolved: 0, closed: 0, ...byStatus };
  const all = TICKET_STATUSES.reduce((sum, status) => sum + complete[status], 0);
  return { ...complete, all, solved: complete.resolved + closedAfterResolved };
};
