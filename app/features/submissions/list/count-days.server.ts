import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { addDays } from "~/lib/time";
import type { SubmissionStatus } from "../model";
import { type Periods, periodsIn } from "../queries.server";

/** Holds the first and the last day of a range, both inclusive. `from` null: without a first day. */
type Days = { from: string | null; to: string };

/**
 * Counts the submissions of a range of days, of one status or of all. Adds up the maintained counts: the days of the
 * first and the last month and the whole months between, so at most 62 rows and one for each month.
 */
export async function countDays(db: Db, days: Days, status: SubmissionStatus | null): Promise<number> {
  if (days.from !== null && days.from > days.to) return 0;
  const column = sql.raw(status ?? "new + contacted + resolved");
  const ranges = periodsOf(days).map((range) => sql`SELECT ${column} AS count FROM ${periodsIn(range)}`);
  const [sum] = await db.all<{ count: number }>(
    sql`SELECT coalesce(sum(count), 0) AS count FROM (${sql.join(ranges, sql` UNION ALL `)})`,
  );
  return sum?.count ?? 0;
}

/** Returns the ranges of periods that cover the days. A period is a day, `2026-11-18`, or a month, `m2026-11`. */
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
