import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { dayAfter } from "~/lib/time";
import type { SubmissionStatus } from "../model";

/** Holds the first and the last of some days, both inclusive. `from` null: ever. */
type Days = { from: string | null; to: string };

/**
 * Counts the submissions of some days, of one status or of all: adds up the days of the first and last month and the
 * whole months between, at most 62 rows and one for each month.
 */
export async function countDays(db: Db, { from, to }: Days, status: SubmissionStatus | null): Promise<number> {
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
