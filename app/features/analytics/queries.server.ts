import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Counts } from "./facts/counts";
import type { Figures, Period } from "./model";
import { type CountsOfDay, sumFigures } from "./sum-figures";

type Asked = { from: string; to: string; organizationId?: string };

/** Holds the days of a period as they are stored, and what was active before its first day, by age. */
export type StoredDays = { days: CountsOfDay[]; backlogBefore: number[]; uncounted: number };

/**
 * Reads the figures of a period: of one organization, or of all of them. One round trip, one row for each of its days,
 * and the four small numbers of each month before it.
 */
export async function readFigures(db: Db, { from, to, organizationId }: Asked): Promise<Figures> {
  const period: Period = { from, to, organizationId: organizationId ?? null };
  const stored = await readStoredDays(db, period);
  return figuresOf(period, stored);
}

/** Returns the figures of a period that stored days contain. */
export const figuresOf = (period: Period, { days, backlogBefore, uncounted }: StoredDays): Figures =>
  sumFigures(period, days, { backlog: backlogAt(period.to, { days, backlogBefore }), uncounted });

/** Returns the active tickets at the end of a day, by age. */
export function backlogAt(day: string, { days, backlogBefore }: Omit<StoredDays, "uncounted">): Figures["backlog"] {
  const at = (age: number) =>
    days.reduce(
      (sum, each) => (each.day <= day ? sum + (each.counts[`backlog.${age}`] ?? 0) : sum),
      backlogBefore[age] ?? 0,
    );
  return [at(0), at(1), at(2), at(3)];
}

/** Reads the stored days of a period. */
export async function readStoredDays(db: Db, { from, to, organizationId }: Period): Promise<StoredDays> {
  const owner = organizationId ?? "";
  const month = from.slice(0, 7);
  const [rows, [before], [waiting]] = await Promise.all([
    db.all<{ day: string; counts: string }>(sql`
      SELECT day, counts FROM daily_figures
      WHERE organization_id = ${owner} AND day BETWEEN ${from} AND ${to} ORDER BY day`),
    db.all<Record<"b0" | "b1" | "b2" | "b3", number | null>>(sql`
      SELECT sum(backlog_0) AS b0, sum(backlog_1) AS b1, sum(backlog_2) AS b2, sum(backlog_3) AS b3 FROM (
        SELECT backlog_0, backlog_1, backlog_2, backlog_3 FROM backlog_months
        WHERE organization_id = ${owner} AND month < ${month}
        UNION ALL SELECT backlog_0, backlog_1, backlog_2, backlog_3 FROM daily_figures
        WHERE organization_id = ${owner} AND day >= ${`${month}-01`} AND day < ${from})`),
    db.all<{ uncounted: number }>(sql`SELECT count(*) AS uncounted FROM (SELECT 1 FROM tickets_to_count LIMIT 1000)`),
  ]);
  return {
    days: rows.map(({ day, counts }) => ({ day, counts: JSON.parse(counts) as Counts })),
    backlogBefore: [before?.b0 ?? 0, before?.b1 ?? 0, before?.b2 ?? 0, before?.b3 ?? 0],
    uncounted: waiting?.uncounted ?? 0,
  };
}
