import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MatchCount } from "./match-count";
import { planOf, scanLimitOf } from "./plan.server";
import { selectRange } from "./range-sql.server";
import { readCandidates } from "./read-page.server";
import type { RowQuery, RowSource } from "./row-source.server";
import { searchMatches } from "./search-query.server";

/** Limits how far matches are counted where no count is kept. */
const COUNT_LIMIT = 150;

/** Counts the rows that meet a query up to 150; of a plan that filters, those among the rows of its first page. */
export async function countMatches(
  db: Db,
  source: RowSource,
  { query, columns }: { query: RowQuery; columns: string },
): Promise<MatchCount> {
  const plan = planOf(source, query);
  const scanLimit = scanLimitOf(plan);
  if (scanLimit) {
    const range = { from: null, ascending: query.ascending, limit: scanLimit, columns };
    const { matching, last } = await readCandidates(db, source, query, range);
    return { count: matching.length, more: last ? "possibly" : false };
  }
  const range = { from: null, ascending: false, limit: COUNT_LIMIT + 1 };
  const found =
    plan.kind === "search"
      ? sql`SELECT 1 ${searchMatches(source, query, range)} LIMIT ${range.limit}`
      : selectRange({ ...source, joins: undefined }, query, { ...range, kind: "complete", columns: "1" });
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${found})`);
  const count = row?.count ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT ? "certainly" : false };
}
