import type { CsvCell } from "~/lib/csv";
import { referenceNumber } from "~/lib/reference-number";
import { snippetOf } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { formatInstant } from "~/ui/time";
import { PRIORITY_LABELS, STATUS_LABELS } from "../copy";
import type { ListedTicket } from "./model";

/** Describes a row as it is read: what depends on the clock, the search and the viewer is added for the page. */
export type ReadTicket = Omit<ListedTicket, "due" | "matched" | "organizationPath" | "formerAssignee"> & {
  organizationId: string;
  assignee: string | null;
  dueAt: Instant | null;
  /** Tells when the ticket is promised to be resolved; null while that is paused, or not promised. */
  resolveBy: Instant | null;
};

type StoredRow = Omit<ReadTicket, "number" | "isPrivate"> & { number: number; isPrivate: 0 | 1 };

type ExportedRow = Pick<ReadTicket, "title" | "organization" | "creator" | "createdAt" | "category"> &
  Pick<ReadTicket, "priority" | "status" | "assignee" | "dueAt"> & {
    number: number;
    /** Holds the id of the member of staff who opened it for the client; null: the client did. */
    openedBy: string | null;
    description: string;
    resolvedAt: Instant | null;
    closedAt: Instant | null;
  };

/** Limits how much of a description a row shows, in characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 110;

const COMMON = `t.number, t.title, t.creator_name AS creator, t.created_at AS createdAt, t.category, t.priority, t.status,
  t.due_at AS dueAt`;

/** Reads names of other tables. */
export const LOOKUPS = {
  organization: "(SELECT o.name FROM organizations o WHERE o.id = t.organization_id)",
  assignee: "(SELECT u.full_name FROM users u WHERE u.id = t.assigned_to)",
} as const;

/**
 * Reads when a ticket is promised to be resolved: no order and no filter goes by it, so it has no column of its own.
 */
const RESOLVE_BY = "json_extract(t.promise_json, '$.resolution.dueAt')";

/** Lists what is read for a row of the page, and for a line of the file. No message of a ticket is ever read. */
export const ROW_COLUMNS = `t.id, t.version, ${COMMON}, substr(t.description, 1, ${SNIPPET_LENGTH + 1}) AS snippet,
  ${RESOLVE_BY} AS resolveBy, t.is_private AS isPrivate, t.organization_id AS organizationId, t.assigned_to AS assigneeId`;
export const FILE_COLUMNS = `${COMMON}, t.opened_by AS openedBy, t.description, t.resolved_at AS resolvedAt, t.closed_at AS closedAt,
  ${LOOKUPS.organization} AS organization, ${LOOKUPS.assignee} AS assignee`;

/** Returns a row as the page shows it. */
export const viewOf = ({ number, snippet, isPrivate, ...row }: StoredRow): ReadTicket => ({
  ...row,
  number: referenceNumber("ticket", number),
  snippet: snippetOf(snippet, SNIPPET_LENGTH),
  isPrivate: isPrivate === 1,
});

const inUtc = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Lists the columns of the file. */
export const FILE_CELLS = {
  Number: (row) => referenceNumber("ticket", row.number),
  Title: (row) => row.title,
  Organization: (row) => row.organization,
  "Opened by": (row) => (row.openedBy === null ? row.creator : `Support, for ${row.creator}`),
  Priority: (row) => PRIORITY_LABELS[row.priority],
  Category: (row) => row.category,
  Status: (row) => STATUS_LABELS[row.status],
  Assignee: (row) => row.assignee,
  "Created (UTC)": (row) => inUtc(row.createdAt),
  "Created (site time)": (row, zone) => formatInstant(row.createdAt, zone, "datetime"),
  "Reply due (UTC)": (row) => inUtc(row.dueAt),
  "Resolved (UTC)": (row) => inUtc(row.resolvedAt),
  "Closed (UTC)": (row) => inUtc(row.closedAt),
  Description: (row) => row.description,
} satisfies Record<string, (row: ExportedRow, zone: string) => CsvCell>;
