import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { CsvCell } from "~/lib/csv";
import { referenceNumber } from "~/lib/ids";
import type { ModerationReason } from "~/lib/moderation";
import { snippetOf } from "~/lib/text";
import { addDays, dayIn, type Instant, seconds } from "~/lib/time";
import { commonCriteria, type ListCriteria, type ListViewer, lastDays } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import type { Clause, SearchIndex } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/text";
import { SUBMISSION_STATUS_LABELS } from "../labels";
import { type ListedSubmission, SUBMISSION_STATUSES, type SubmissionStatus } from "../model";
import { countSubmissions, FIRST_RESPONSE, type Periods, periodsIn } from "../queries.server";
import { type SubmissionFilter, submissionList } from "./definition";

/** The SQL is in `lists/search-sql.server.ts`; triggers keep the table. */
const SUBMISSION_SEARCH: SearchIndex = {
  table: "submission_search",
  textColumn: "search_text",
  tokenColumn: "search_state",
  foldedText: "t.search_text",
  rowIdColumn: "search_id",
  rowIdIndex: "submissions_found",
  order: "submitted",
  rowIdOrder: { column: "created_at", firstRowIdAt: (at) => Math.floor(at / seconds(1)) * 65_536 },
};

const STATUS_TOKENS: Record<SubmissionStatus | "held", string> = {
  new: "s.n",
  contacted: "s.c",
  resolved: "s.r",
  held: "s.h",
};

/** Ids of people begin with "usr_". */
const ownerToken = (userId: string): string => `@${userId}.`;

/** Stands in the token of every owner. */
const ANY_OWNER_TOKEN = "@usr_";

/** Both inclusive; `from` null: without a first day. */
type Days = { from: string | null; to: string };

/**
 * From the maintained counts: the days of the first and last month and the whole months between, at most 62 rows and
 * one a month.
 */
async function countDays(db: Db, days: Days, status: SubmissionStatus | null): Promise<number> {
  if (days.from !== null && days.from > days.to) return 0;
  const column = sql.raw(status ?? "new + contacted + resolved");
  const ranges = periodsOf(days).map((range) => sql`SELECT ${column} AS count FROM ${periodsIn(range)}`);
  const [sum] = await db.all<{ count: number }>(
    sql`SELECT coalesce(sum(count), 0) AS count FROM (${sql.join(ranges, sql` UNION ALL `)})`,
  );
  return sum?.count ?? 0;
}

/** A period is a day, `2026-11-18`, or a month, `m2026-11`. */
function periodsOf({ from, to }: Days): Periods[] {
  const lastMonth = monthOf(to);
  const wholeMonthsEnd = `m${monthBefore(lastMonth)}`;
  const daysOfLastMonth: Periods = [`${lastMonth}-01`, to];
  if (from === null) return [["m", wholeMonthsEnd], daysOfLastMonth];
  const firstMonth = monthOf(from);
  if (firstMonth === lastMonth) return [[from, to]];
  return [[from, `${firstMonth}-31`], [`m${monthAfter(firstMonth)}`, wholeMonthsEnd], daysOfLastMonth];
}

const monthOf = (day: string) => day.slice(0, 7);
const monthBefore = (month: string) => monthOf(addDays(`${month}-01`, -1));
const monthAfter = (month: string) => monthOf(addDays(`${month}-28`, 4));

const RECENT_DAYS = 7;

type SubmissionCriteria = ListCriteria<SubmissionFilter["sort"]> & {
  inModeration?: boolean;
  status?: SubmissionStatus | null;
  /** Null: of nobody. */
  ownerId?: string | null;
  followUpBy?: string;
};

export function criteriaOf(filter: SubmissionFilter, viewer: ListViewer): SubmissionCriteria {
  const days = filter.recent ? lastDays(RECENT_DAYS, viewer) : {};
  return {
    ...commonCriteria({ ...filter, ...days }, viewer),
    inModeration: filter.view === "held",
    status: filter.status,
    ...(filter.view === "mine" || filter.owner === "me" ? { ownerId: viewer.actor.userId } : {}),
    ...(filter.owner === "none" ? { ownerId: null } : {}),
    ...(filter.view === "follow_up" ? { followUpBy: dayIn(viewer.zone, viewer.now) } : {}),
  };
}

const IN_MODERATION: Clause = {
  key: "held",
  where: sql`t.held_reason IS NOT NULL`,
  token: { has: STATUS_TOKENS.held },
  isRare: true,
};
const COUNTED: Clause = {
  key: "counted",
  where: sql`t.held_reason IS NULL`,
  token: { lacks: STATUS_TOKENS.held },
};
const WITHOUT_OWNER: Clause = {
  key: "no_owner",
  where: sql`t.owner_id IS NULL`,
  token: { lacks: ANY_OWNER_TOKEN },
};
const TO_FOLLOW_UP: Clause = {
  key: "to_follow_up",
  where: sql`t.follow_up_on IS NOT NULL AND t.status <> 'resolved'`,
  isRare: true,
};

const statusRank = (status: SubmissionStatus): SQL => sql.raw(String(SUBMISSION_STATUSES.indexOf(status)));

function clauses({ selectedIds, inModeration, status, ownerId, followUpBy }: Partial<SubmissionCriteria>): Clause[] {
  const all: Clause[] = selectedIds ? [] : [inModeration ? IN_MODERATION : COUNTED];
  if (status) {
    // A held submission is found as held, whatever its status.
    const token = inModeration ? {} : { token: { has: STATUS_TOKENS[status] } };
    all.push({ key: "status", where: sql`t.status_rank = ${statusRank(status)}`, ...token });
  }
  if (ownerId) all.push({ key: "owner", where: sql`t.owner_id = ${ownerId}`, token: { has: ownerToken(ownerId) } });
  if (ownerId === null) all.push(WITHOUT_OWNER);
  if (followUpBy) all.push(TO_FOLLOW_UP, { key: "due", where: sql`t.follow_up_on <= ${followUpBy}` });
  return all;
}

/** Null where there is none. */
function maintainedCount(db: Db, { search, inModeration, ownerId, followUpBy, days, status }: SubmissionCriteria) {
  if (search || ownerId !== undefined || followUpBy || (inModeration && (days || status))) return null;
  if (days) return countDays(db, days, status ?? null);
  return countSubmissions(db).then((counts) => counts[inModeration ? "held" : (status ?? "all")]);
}

type Sender = Pick<ListedSubmission, "email" | "phone" | "company" | "status" | "submittedAt"> & {
  number: number;
  first_name: string;
  last_name: string;
};

/** What depends on the clock is added for the page. */
export type ReadSubmission = Omit<ListedSubmission, "due"> & {
  answeredAt: Instant | null;
  replyDueAt: Instant;
  moderationReason: ModerationReason | null;
};

type StoredRow = Sender & Omit<ReadSubmission, keyof Sender | "name">;

const SENDER =
  "t.number, t.first_name, t.last_name, t.email, t.phone, t.company, t.status, t.created_at AS submittedAt";

/** In characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 80;

const ROW_COLUMNS = `t.id, t.version, ${SENDER}, t.held_reason AS moderationReason, t.reply_due_at AS replyDueAt, substr(t.message, 1, ${SNIPPET_LENGTH + 1}) AS snippet`;
const FILE_COLUMNS = `${SENDER}, t.message, t.source, t.campaign`;

const viewOf = ({ number, first_name, last_name, snippet, ...row }: StoredRow): ReadSubmission => ({
  ...row,
  snippet: snippetOf(snippet, SNIPPET_LENGTH),
  number: referenceNumber("submission", number),
  name: `${first_name} ${last_name}`,
});

const FILE_CELLS = {
  Number: (row) => referenceNumber("submission", row.number),
  "First name": (row) => row.first_name,
  "Last name": (row) => row.last_name,
  Email: (row) => row.email,
  Phone: (row) => row.phone,
  Company: (row) => row.company,
  Status: (row) => SUBMISSION_STATUS_LABELS[row.status],
  "Submitted (UTC)": (row) => new Date(row.submittedAt).toISOString(),
  "Submitted (site time)": (row, zone) => formatInstant(row.submittedAt, zone, "datetime"),
  Message: (row) => row.message,
  Source: (row) => row.source,
  Campaign: (row) => row.campaign,
} satisfies Record<
  string,
  (row: Sender & { message: string | null; source: string | null; campaign: string | null }, zone: string) => CsvCell
>;

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
        // First of those that answer as much: few are to be followed up.
        submissions_to_follow_up: ["counted", "to_follow_up"],
        submissions_by_owner: ["counted", "owner"],
        submissions_without_owner: ["counted", "no_owner"],
        submissions_held: ["held"],
      },
    },
    name: { columns: { name_key: "text", id: "text" }, indexes: { submissions_by_name: ["counted"] } },
    status: {
      columns: { status_rank: "number", created_at: "number", id: "text" },
      indexes: { submissions_by_status: ["counted"] },
    },
  },
  search: SUBMISSION_SEARCH,
  lookups: { owner: "(SELECT u.full_name FROM users u WHERE u.id = t.owner_id)", answeredAt: FIRST_RESPONSE },
  columns: ROW_COLUMNS,
  view: viewOf,
  csv: { columns: FILE_COLUMNS, cells: FILE_CELLS },
});
