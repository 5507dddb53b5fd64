import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { addDays, type Instant, minutes, startOfDay } from "~/lib/time";
import type { ReportRequest } from "./model";

export type RoleCounts = Record<"admin" | "moderator" | "user", number>;

/** Holds the accounts that were created in each month of a period, `YYYY-MM`, and all that there are. */
export type UserFigures = { months: readonly ({ month: string } & RoleCounts)[]; now: RoleCounts };

const NONE: RoleCounts = { admin: 0, moderator: 0, user: 0 };

/** Holds the lengths of the steps by which accounts are counted, in minutes: quarters of an hour, and days of UTC. */
const QUARTER = 15;
const DAY = 1440;

/**
 * Reads how many accounts were created, in one round trip: a row for each day, and for the quarters of an hour of two
 * days a month, however many accounts there are.
 */
export async function readUserFigures(
  db: Db,
  { from, to }: Pick<ReportRequest, "from" | "to">,
  zone: string,
): Promise<UserFigures> {
  const months = monthsOf(from, to);
  const parts = months.flatMap((month) => {
    const first = month === from.slice(0, 7) ? from : `${month}-01`;
    const next = month === to.slice(0, 7) ? addDays(to, 1) : firstOfNext(month);
    return partsOf(startOfDay(zone, first), startOfDay(zone, next)).map((part) => ({ month, ...part }));
  });
  const [rows, totals] = await Promise.all([
    db.all<{ month: string } & RoleCounts>(sql`
      SELECT p.value ->> 'month' AS month, sum(c.admin) AS admin, sum(c.moderator) AS moderator, sum(c.user) AS user
      FROM json_each(${JSON.stringify(parts)}) p CROSS JOIN account_counts c
        ON c.length = p.value ->> 'length' AND c.step >= p.value ->> 'from' AND c.step < p.value ->> 'until'
      GROUP BY 1`),
    readTotals(db, ["user.admin", "user.user"]),
  ]);
  const counted = new Map(rows.map(({ month, ...counts }) => [month, counts]));
  return {
    months: months.map((month) => ({ month, ...(counted.get(month) ?? NONE) })),
    now: { admin: totals.admin ?? 0, moderator: totals.moderator ?? 0, user: totals.user ?? 0 },
  };
}

/** Cuts a time into whole days of UTC, and the quarters of an hour before and after them. */
function partsOf(start: Instant, end: Instant): { length: number; from: number; until: number }[] {
  const [first, last] = [Math.ceil(start / minutes(DAY)), Math.floor(end / minutes(DAY))];
  const quarters = (from: Instant, until: Instant) => ({
    length: QUARTER,
    from: from / minutes(QUARTER),
    until: until / minutes(QUARTER),
  });
  if (first > last) return [quarters(start, end)];
  return [
    quarters(start, first * minutes(DAY)),
    { length: DAY, from: first, until: last },
    quarters(last * minutes(DAY), end),
  ];
}

const firstOfNext = (month: string): string => `${addDays(`${month}-01`, 31).slice(0, 7)}-01`;

/** Lists the months of a range of days. */
function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = firstOfNext(month).slice(0, 7))
    months.push(month);
  return months;
}
