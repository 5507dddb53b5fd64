import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { CsvCell } from "~/lib/csv";
import { referenceNumber } from "~/lib/reference-number";
import type { Instant } from "~/lib/time";
import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import { type Clause, searchByNumber } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/time";
import { PRIORITY_LABELS, STATUS_LABELS } from "../copy";
import type { TicketPriority, TicketStatus } from "../model";
import { type ClientTicketFilter, clientTicketList } from "./definition";

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
  const isOwn = sql`instr(t.viewers, ${own}) > 0`;
  return sees === "own"
    ? { key: "seen", where: isOwn, token: { has: own } }
    : { key: "seen", where: sql`(t.is_private = 0 OR ${isOwn})`, token: { hasAny: ["shared", own] } };
}

/** Describes a row as it is read. */
export type ClientTicketRow = {
  id: string;
  number: number;
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
  promiseJson: string;
  assignee: string | null;
};

/** Reads the name of the member of staff who has a ticket. */
const LOOKUPS = { assignee: "(SELECT u.full_name FROM users u WHERE u.id = t.assigned_to)" } as const;

const COLUMNS = `t.id, t.number, t.title, t.status, t.priority, t.category, t.is_private AS isPrivate,
  t.created_by AS createdBy, t.creator_name AS creator, t.opened_by AS openedBy, t.created_at AS createdAt, t.resolved_at AS resolvedAt,
  t.closed_at AS closedAt, t.last_message_at AS lastMessageAt, t.promise_json AS promiseJson`;

type FileRow = Omit<ClientTicketRow, "assignee"> & { description: string };

const inUtc = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Lists the columns of the file. */
const FILE_CELLS = {
  Number: (row) => referenceNumber("ticket", row.number),
  Title: (row) => row.title,
  "Opened by": (row) => (row.openedBy === null ? row.creator : `Support, for ${row.creator}`),
  Priority: (row) => PRIORITY_LABELS[row.priority],
  Category: (row) => row.category,
  Status: (row) => STATUS_LABELS[row.status],
  "Created (UTC)": (row) => inUtc(row.createdAt),
  "Created (site time)": (row, zone) => formatInstant(row.createdAt, zone, "datetime"),
  "Resolved (UTC)": (row) => inUtc(row.resolvedAt),
  "Closed (UTC)": (row) => inUtc(row.closedAt),
  Description: (row) => row.description,
} satisfies Record<string, (row: FileRow, zone: string) => CsvCell>;

/** Defines the rows of the portal's list of tickets, the database part: table, indexes, search, who sees what. */
export const clientTicketRows = defineRows({
  list: clientTicketList,
  table: "support_tickets",
  visibleTo: { any: limitsOf, organization: limitsOf },
  criteriaOf,
  clauses,
  orders: { created: { columns: { number: "number" }, indexes: { organization_tickets: ["organization"] } } },
  // `searchMatches` in lists/search-query.server.ts builds the SQL of the search.
  search: searchByNumber("ticket_search", { rowIdIndex: "support_tickets_number_unique", order: "created" }),
  lookups: LOOKUPS,
  columns: COLUMNS,
  view: (row: ClientTicketRow) => row,
  csv: { columns: `${COLUMNS}, t.description`, cells: FILE_CELLS },
});
