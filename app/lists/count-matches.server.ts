import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MatchCount } from "./match-count";
import { type Plan, planOf, scanLimitOf } from "./plan.server";
import { selectRange } from "./range-sql.server";
import { readCandidates } from "./read-page.server";
import type { RowQuery, RowSource } from "./row-source.server";
import { searchMatches } from "./search-query.server";

/** Limits how far matching rows are counted where no count is maintained, unless the list says otherwise. */
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
  const most = source.limits?.count ?? COUNT_LIMIT;
  const rows = selectUpTo(most + 1, source, { query, plan });
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${rows})`);
  const count = row?.count ?? 0;
  return { count: Math.min(count, most), more: count > most ? "certainly" : false };
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
