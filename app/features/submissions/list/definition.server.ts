import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { CsvCell } from "~/lib/csv";
import { referenceNumber } from "~/lib/reference-number";
import { type Instant, seconds } from "~/lib/time";
import { defineRows } from "~/lists/define-rows.server";
import type { Clause } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/time";
import { STATUS_LABELS } from "../copy";
import { type ListedSubmission, SUBMISSION_STATUSES, type SubmissionStatus } from "../model";
import { countSubmissions, FIRST_RESPONSE } from "../queries.server";
import { countDays } from "./count-days.server";
import { criteriaOf, type SubmissionCriteria, submissionList } from "./definition";

/** Holds the filter token of each status in the full-text index. The column `search_state` contains them. */
const STATUS_TOKENS: Record<SubmissionStatus | "held", string> = {
  new: "s.n",
  contacted: "s.c",
  resolved: "s.r",
  held: "s.h",
};

const HELD: Clause = {
  key: "held",
  where: sql`t.held_reason IS NOT NULL`,
  token: { has: STATUS_TOKENS.held },
  isRare: true,
};
const COUNTED: Clause = {
  key: "counted",
  where: sql`t.held_reason IS NULL`,
  token: { lacks: STATUS_TOKENS.held },
  inShortGramTable: true,
};
const TO_FOLLOW_UP: Clause = {
  key: "to_follow_up",
  where: sql`t.follow_up_on IS NOT NULL AND t.status <> 'resolved'`,
  isRare: true,
};

const statusRank = (status: SubmissionStatus): SQL => sql.raw(String(SUBMISSION_STATUSES.indexOf(status)));

function clauses({ selectedIds, held, status, ownerId, followUpBy }: Partial<SubmissionCriteria>): Clause[] {
  const all: Clause[] = selectedIds ? [] : [held ? HELD : COUNTED];
  if (status) {
    // A held submission is found as held, whatever its status.
    const token = held ? {} : { token: { has: STATUS_TOKENS[status] } };
    all.push({ key: "status", where: sql`t.status_rank = ${statusRank(status)}`, ...token });
  }
  if (ownerId) all.push({ key: "owner", where: sql`t.owner_id = ${ownerId}`, token: { has: `@${ownerId}.` } });
  if (followUpBy) all.push(TO_FOLLOW_UP, { key: "due", where: sql`t.follow_up_on <= ${followUpBy}` });
  return all;
}

/**
 * Reads a count that triggers maintain: by status, of held submissions, or by day and status. Null where there is none.
 */
function maintainedCount(db: Db, { search, held, ownerId, followUpBy, days, status }: SubmissionCriteria) {
  if (search || ownerId || followUpBy || (held && (days || status))) return null;
  if (days) return countDays(db, days, status ?? null);
  return countSubmissions(db).then((counts) => counts[held ? "held" : (status ?? "all")]);
}

type Sender = Pick<ListedSubmission, "email" | "phone" | "company" | "status" | "submittedAt"> & {
  number: number;
  first_name: string;
  last_name: string;
};

/** Describes a row as it is read: what depends on the clock is added for the page. */
export type ReadSubmission = Omit<ListedSubmission, "due"> & { answeredAt: Instant | null };

type StoredRow = Sender & Omit<ReadSubmission, keyof Sender | "name">;

type ExportedRow = Sender & {
  message: string | null;
  source: string | null;
  campaign: string | null;
};

const SENDER =
  "t.number, t.first_name, t.last_name, t.email, t.phone, t.company, t.status, t.created_at AS submittedAt";

/** Limits how much of a message is read for a row, in characters. */
const SNIPPET_LENGTH = 80;

/**
 * Defines the rows of the list of submissions, the database part: table, conditions, indexes, search, CSV. Address,
 * filters and orders are in `definition.ts`. The SQL is built from it in `lists/`: the search by
 * `search-query.server.ts`, the page by `range-sql.server.ts`.
 */
export const submissionRows = defineRows({
  list: submissionList,
  table: "contact_submissions",
  visibleTo: { any: () => ({}) },
  criteriaOf,
  clauses,
  maintainedCount,
  bounds: ({ from, until }) => ({ column: "created_at", from, until }),
  orders: {
    submitted: {
      columns: { created_at: "number", id: "text" },
      indexes: {
        submissions_newest: ["counted"],
        submissions_by_status: ["counted", "status"],
        submissions_by_owner: ["counted", "owner"],
        submissions_held: ["held"],
        submissions_to_follow_up: ["counted", "to_follow_up"],
      },
    },
    name: { columns: { name_key: "text", id: "text" }, indexes: { submissions_by_name: ["counted"] } },
    status: {
      columns: { status_rank: "number", created_at: "number", id: "text" },
      indexes: { submissions_by_status: ["counted"] },
    },
  },
  // The search: `submission_search MATCH 'search_text : "term" AND search_state : "s.n"'`, and for one or two
  // characters `submission_letters MATCH …`. The function `searchMatches` in lists/search-query.server.ts builds
  // the SQL.
  search: {
    table: "submission_search",
    textColumn: "search_text",
    tokenColumn: "search_state",
    shortGramTable: "submission_letters",
    foldedColumn: "search_text",
    rowIdColumn: "search_id",
    order: "submitted",
    rowIdOrder: { column: "created_at", firstRowIdAt: (at) => Math.floor(at / seconds(1)) * 65_536 },
  },
  lookups: { owner: "(SELECT u.full_name FROM users u WHERE u.id = t.owner_id)", answeredAt: FIRST_RESPONSE },
  columns: `t.id, t.version, ${SENDER}, substr(t.message, 1, ${SNIPPET_LENGTH}) AS snippet`,
  view: ({ number, first_name, last_name, snippet, ...row }: StoredRow): ReadSubmission => ({
    ...row,
    snippet: snippet?.replace(/\s+/g, " ").trim() || null,
    number: referenceNumber("submission", number),
    name: `${first_name} ${last_name}`,
  }),
  csv: {
    columns: `${SENDER}, t.message, t.source, t.campaign`,
    cells: {
      Number: (row: ExportedRow): CsvCell => referenceNumber("submission", row.number),
      "First name": (row) => row.first_name,
      "Last name": (row) => row.last_name,
      Email: (row) => row.email,
      Phone: (row) => row.phone,
      Company: (row) => row.company,
      Status: (row) => STATUS_LABELS[row.status],
      "Submitted (UTC)": (row) => new Date(row.submittedAt).toISOString(),
      "Submitted (site time)": (row, zone) => formatInstant(row.submittedAt, zone, "datetime"),
      Message: (row) => row.message,
      Source: (row) => row.source,
      Campaign: (row) => row.campaign,
    },
  },
});
