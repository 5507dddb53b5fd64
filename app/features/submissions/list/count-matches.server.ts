import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { dayAfter } from "~/lib/time";
import type { MatchCount, SubmissionStatus } from "../model";
import type { SubmissionScope } from "./list-filter";
import { sift } from "./list-queries.server";
import { isAscending, reachOf, stretchOf, wayOf } from "./scope-sql.server";
import { hitsOf } from "./search-sql.server";

/** Where no count is kept, matches are counted up to here. */
const COUNT_LIMIT = 150;

/**
 * How many requests match. Exact for days and a status, from the counts kept per day and month; what is searched for,
 * set aside, mine or to be taken up again is counted up to 150; what has to be sifted as far as it was sifted.
 */
export async function countMatches(db: Db, scope: SubmissionScope): Promise<MatchCount> {
  const { search, held, ownerId, followUpBy, days, status } = scope;
  if (days && !search && !held && !ownerId && !followUpBy) {
    return { count: await countDays(db, days, status ?? null), more: false };
  }
  const reach = reachOf(scope);
  if (reach) {
    const { fitting, edge } = await sift(db, scope, { from: null, ascending: isAscending(scope), limit: reach });
    return { count: fitting.length, more: edge ? "possibly" : false };
  }
  const place = { from: null, ascending: false, limit: COUNT_LIMIT + 1 };
  const found =
    wayOf(scope) === "hits"
      ? sql`SELECT 1 ${hitsOf(scope, place)} LIMIT ${place.limit}`
      : sql`SELECT 1 ${stretchOf(scope, place)}`;
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${found})`);
  const count = row?.count ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT ? "certainly" : false };
}

type Days = NonNullable<SubmissionScope["days"]>;

/** Adds up the days of the first and last month and the whole months between: at most 62 rows and one for each month. */
async function countDays(db: Db, { from, to }: Days, status: SubmissionStatus | null): Promise<number> {
  if (from !== null && from > to) return 0;
  const column = sql.raw(status ?? "new + contacted + resolved");
  const [sum] = await db.all<{ count: number }>(
    sql`SELECT coalesce(sum(${column}), 0) AS count FROM submission_counts WHERE ${sql.join(periodsOf(from, to), sql` OR `)}`,
  );
  return sum?.count ?? 0;
}

const monthOf = (day: string) => day.slice(0, 7);

function periodsOf(from: string | null, to: string): SQL[] {
  const between = (first: string, last: string) => sql`period BETWEEN ${first} AND ${last}`;
  if (from !== null && monthOf(from) === monthOf(to)) return [between(from, to)];
  const beforeLastMonth = `m${monthOf(dayAfter(`${monthOf(to)}-01`, -1))}`;
  const lastDays = between(`${monthOf(to)}-01`, to);
  if (from === null) return [between("m", beforeLastMonth), lastDays];
  const firstDays = between(from, `${monthOf(from)}-31`);
  const afterFirstMonth = `m${monthOf(dayAfter(`${monthOf(from)}-28`, 4))}`;
  return [firstDays, between(afterFirstMonth, beforeLastMonth), lastDays];
}
