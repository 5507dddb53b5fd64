import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { addDays, dayIn, minutes, startOfDay } from "~/lib/time";
import type { ReportRequest } from "./model";

export type RoleCounts = Record<"admin" | "moderator" | "user", number>;

/** Holds the accounts that were created in each month of a period, `YYYY-MM`, and all that there are. */
export type UserFigures = { months: readonly ({ month: string } & RoleCounts)[]; now: RoleCounts };

const NONE: RoleCounts = { admin: 0, moderator: 0, user: 0 };

/** Is the longest time that lies on one day in every time zone there is. */
const STEP = minutes(15);

/** Reads how many accounts were created, in one round trip, from an index that has no more than time and role. */
export async function readUserFigures(
  db: Db,
  { from, to }: Pick<ReportRequest, "from" | "to">,
  zone: string,
): Promise<UserFigures> {
  const [start, end] = [startOfDay(zone, from), startOfDay(zone, addDays(to, 1))];
  const [rows, totals] = await Promise.all([
    db.all<{ step: number; role: keyof RoleCounts; count: number }>(sql`
      SELECT created_at / ${sql.raw(String(STEP))} AS step, listed_role AS role, count(*) AS count
      FROM users INDEXED BY users_by_creation WHERE created_at >= ${start} AND created_at < ${end} GROUP BY 1, 2`),
    readTotals(db, ["user.admin", "user.user"]),
  ]);
  const months = new Map(monthsOf(from, to).map((month) => [month, { ...NONE }]));
  for (const { step, role, count } of rows) {
    const counts = months.get(dayIn(zone, step * STEP).slice(0, 7));
    if (counts) counts[role] += count;
  }
  return {
    months: [...months].map(([month, counts]) => ({ month, ...counts })),
    now: { admin: totals.admin ?? 0, moderator: totals.moderator ?? 0, user: totals.user ?? 0 },
  };
}

/** Lists the months of a range of days. */
function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = addDays(`${month}-01`, 31).slice(0, 7))
    months.push(month);
  return months;
}
