import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { RECENT_LIMIT } from "./criteria";
import type { MatchCount } from "./match-count";
import { type Plan, planOf, scanLimitOf } from "./plan.server";
import { selectRange } from "./range-sql.server";
import { countRecent, type PageInput, readCandidates } from "./read-page.server";
import type { RowQuery, RowSource } from "./row-source.server";
import { searchMatches } from "./search-query.server";

/** Limits how far matching rows are counted where no count is maintained. */
const COUNT_LIMIT = 150;

/**
 * Counts the matching rows up to a limit. A plan with a scan limit counts the matches among the rows that the first
 * page scans; a search of the newest rows counts all of their matches.
 */
export async function countMatches(db: Db, source: RowSource, input: PageInput): Promise<MatchCount> {
  const { query, columns } = input;
  const plan = planOf(source, query);
  if (plan.kind === "recent") {
    const { looked, matching } = await countRecent(db, source, input);
    return { count: matching, more: looked === RECENT_LIMIT ? "older" : false };
  }
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
