import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { addDays } from "~/lib/time";
import type { SubmissionStatus } from "../model";

/** Holds the first and the last day of a range, both inclusive. `from` null: without a first day. */
type Days = { from: string | null; to: string };

/**
 * Counts the submissions of a range of days, of one status or of all. Adds up the maintained counts: the days of the
 * first and the last month and the whole months between, so at most 62 rows and one for each month.
 */
export async function countDays(db: Db, days: Days, status: SubmissionStatus | null): Promise<number> {
  if (days.from !== null && days.from > days.to) return 0;
  const column = sql.raw(status ?? "new + contacted + resolved");
  const [sum] = await db.all<{ count: number }>(
    sql`SELECT coalesce(sum(${column}), 0) AS count FROM submission_counts WHERE ${periodsOf(days)}`,
  );
  return sum?.count ?? 0;
}

/**
 * Returns the condition for the periods that cover the days. A period is a day, `2026-11-18`, or a month, `m2026-11`.
 */
function periodsOf({ from, to }: Days): SQL {
  const lastMonth = monthOf(to);
  const wholeMonthsEnd = `m${monthBefore(lastMonth)}`;
  const daysOfLastMonth = periods(`${lastMonth}-01`, to);
  if (from === null) return sql`${periods("m", wholeMonthsEnd)} OR ${daysOfLastMonth}`;
  const firstMonth = monthOf(from);
  if (firstMonth === lastMonth) return periods(from, to);
  const daysOfFirstMonth = periods(from, `${firstMonth}-31`);
  return sql`${daysOfFirstMonth} OR ${periods(`m${monthAfter(firstMonth)}`, wholeMonthsEnd)} OR ${daysOfLastMonth}`;
}

const periods = (first: string, last: string) => sql`period BETWEEN ${first} AND ${last}`;

const monthOf = (day: string) => day.slice(0, 7);
const monthBefore = (month: string) => monthOf(addDays(`${month}-01`, -1));
const monthAfter = (month: string) => monthOf(addDays(`${month}-28`, 4));
