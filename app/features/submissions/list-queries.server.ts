import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { type Page, type PageRequest, pageOf } from "~/lib/paging";
import { recordNumber } from "~/lib/record-number";
import { days, type Instant } from "~/lib/time";
import type { SubmissionScope } from "./list-filter";
import { BULK_LIMIT, type MatchCount, type SubmissionStatus } from "./model";
import { byTerm, edgeOfReach, phrase, planOf, type Stretch, stretchOf } from "./scope-sql.server";

export type SubmissionRow = {
  id: string;
  /** As people quote it: `L-1001`. */
  number: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
  /** Raised by every change: a bulk action leaves alone what has changed since the list was drawn. */
  version: number;
};

/** Matches are counted up to here, see `MatchCount`. */
const COUNT_LIMIT = 500;

/** A longer stretch of days is not added up day by day. */
const MAX_DAYS = days(92);

const LISTED = sql.raw(
  "t.id, t.number, t.first_name || ' ' || t.last_name AS name, t.email, t.phone, t.company, t.status, t.version, t.created_at AS at",
);

type ListedRow = Omit<SubmissionRow, "number" | "submittedAt"> & { number: number; at: Instant };

export type SubmissionPage = Page<SubmissionRow> & {
  /** The search looked at as many candidates as it may and did not fill the page: `older` leads further. */
  unfinished: boolean;
};

/** One page of requests. Reads in proportion to the page, however many requests there are. */
export async function listSubmissions(db: Db, page: PageRequest, scope: SubmissionScope = {}): Promise<SubmissionPage> {
  const plan = planOf(scope);
  const ascending = (scope.sort === "oldest") !== Boolean(page.before);
  const stretch: Stretch = { from: page.after ?? page.before, ascending, limit: page.size + 1 };
  const [read, edge] = await Promise.all([
    db.all<ListedRow>(sql`SELECT ${LISTED} ${stretchOf(scope, stretch)}`),
    edgeOfReach(db, scope, stretch),
  ]);
  const keyed = read.map((row) => ({ row, id: row.id, at: byTerm(plan) ? row.number : row.at }));
  const { rows, newer, older } = pageOf(page, keyed);
  const shown = rows.map(({ row: { at, number, ...row } }) => ({
    ...row,
    number: recordNumber("submission", number),
    submittedAt: at,
  }));
  const unfinished = edge !== null && read.length <= page.size;
  if (!unfinished) return { rows: shown, newer, older, unfinished };
  return page.before
    ? { rows: shown, newer: edge, older, unfinished }
    : { rows: shown, newer, older: edge, unfinished };
}

/** How many requests match, where no maintained total says so. Reads at most `COUNT_LIMIT` + 1 of them. */
export async function countMatches(db: Db, scope: SubmissionScope): Promise<MatchCount> {
  if (scope.days && (scope.until ?? Number.POSITIVE_INFINITY) - (scope.from ?? 0) <= MAX_DAYS) {
    const [sum] = await db.all<{ count: number }>(
      sql`SELECT coalesce(sum(value), 0) AS count FROM totals
        WHERE name BETWEEN ${`submission.day.${scope.days.from}`} AND ${`submission.day.${scope.days.to}`}`,
    );
    return { count: sum?.count ?? 0, more: false };
  }
  const limit = COUNT_LIMIT + 1;
  const start = { from: null, ascending: false, limit };
  const found =
    planOf(scope) === "term"
      ? sql`SELECT 1 FROM submission_search WHERE submission_search MATCH ${phrase(scope.search ?? "")} LIMIT ${limit}`
      : sql`SELECT 1 ${stretchOf(scope, start)}`;
  const [[row], edge] = await Promise.all([
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${found})`),
    edgeOfReach(db, scope, start),
  ]);
  const count = row?.count ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT || edge !== null };
}

/** A request as a bulk action names it: with the version its row was drawn from. */
export type Picked = { id: string; version: number };

/** The newest requests of a scope, as many as one bulk action takes. */
export async function pickMatches(db: Db, scope: SubmissionScope): Promise<Picked[]> {
  return db.all<Picked>(
    sql`SELECT t.id, t.version ${stretchOf(scope, { from: null, ascending: scope.sort === "oldest", limit: BULK_LIMIT, whole: true })}`,
  );
}

/** What an export says of a request. */
export type ExportedRow = {
  id: string;
  number: number;
  first_name: string;
  last_name: string;
  email: string;
  phone: string | null;
  company: string | null;
  message: string | null;
  status: SubmissionStatus;
  created_at: Instant;
};

const EXPORTED = sql.raw(
  "t.id, t.number, t.first_name, t.last_name, t.email, t.phone, t.company, t.message, t.status, t.created_at",
);

/** One stretch of a scope for an export, from the row before it on. */
export async function readForExport(
  db: Db,
  scope: SubmissionScope,
  { after, limit }: { after: ExportedRow | null; limit: number },
): Promise<ExportedRow[]> {
  const from = after && { at: byTerm(planOf(scope)) ? after.number : after.created_at, id: after.id };
  const ascending = scope.sort === "oldest";
  return db.all<ExportedRow>(sql`SELECT ${EXPORTED} ${stretchOf(scope, { from, ascending, limit, whole: true })}`);
}

/** Chosen requests for an export, newest first. */
export async function readPickedForExport(db: Db, ids: readonly string[]): Promise<ExportedRow[]> {
  return db.all<ExportedRow>(
    sql`SELECT ${EXPORTED} FROM contact_submissions t
      WHERE t.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) ORDER BY t.created_at DESC, t.id DESC`,
  );
}
