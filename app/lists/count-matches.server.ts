import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MatchCount } from "./match-count";
import type { ListPage } from "./model";
import type { PageRequest } from "./paging.server";
import { type Plan, planOf, scanLimitOf } from "./plan.server";
import { selectRange } from "./range-sql.server";
import { readCandidates } from "./read-page.server";
import type { RowQuery, RowSource } from "./row-source.server";
import { searchMatches } from "./search-query.server";

/** Limits how far matching rows are counted where no count is maintained. */
const COUNT_LIMIT = 150;

/**
 * Counts the matching rows up to a limit. A plan with a scan limit counts the matches among the rows that the first
 * page scans.
 */
export async function countMatches(
  db: Db,
  source: RowSource,
  { query, columns }: { query: RowQuery; columns: string },
): Promise<MatchCount> {
  const plan = planOf(source, query);
  const scanLimit = scanLimitOf(plan, source);
  if (scanLimit) {
    const range = { from: null, ascending: query.ascending, limit: scanLimit, columns };
    const { matching, last } = await readCandidates(db, source, query, range);
    return { count: matching.length, more: last ? "possibly" : false };
  }
  const rows = selectUpTo(COUNT_LIMIT + 1, source, { query, plan });
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${rows})`);
  const count = row?.count ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT ? "certainly" : false };
}

/** Describes a page that was read, and by which request. */
type ReadPage = { page: ListPage<unknown>; request: PageRequest; isScan: boolean };

/**
 * Returns what a page alone tells of the number of matching rows: all of them where it has no neighbours. A list that
 * is not scanned has a full page before or after one with neighbours.
 */
export function countByPage({ page, request, isScan }: ReadPage): MatchCount {
  const { rows, previous, next, scanned } = page;
  const isFirst = request.after === null && request.before === null;
  if (previous === null && next === null && (isFirst || rows.length > 0 || !isScan))
    return { count: rows.length, more: false };
  if (!isScan) return { count: request.size, more: "certainly" };
  return { count: rows.length, more: scanned === null && next !== null ? "certainly" : "possibly" };
}

/** Builds the statement that reads matching rows to count them. Matches of a search are counted in its index. */
function selectUpTo(limit: number, source: RowSource, { query, plan }: { query: RowQuery; plan: Plan }): SQL {
  const range = { from: null, ascending: false, limit };
  if (plan.kind === "search") return sql`SELECT 1 ${searchMatches(source, query, range)} LIMIT ${limit}`;
  return selectRange({ ...source, joins: undefined, lookups: undefined }, query, {
    ...range,
    kind: "complete",
    columns: "1",
  });
}
