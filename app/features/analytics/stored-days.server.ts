import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import type { TicketPriority } from "~/lib/ticket-values";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { backlogAt, type Counts, type DayCounts, metricsOf } from "./counts";
import { type Backlog, type Days, daysOfRange, type Metrics, type Period, type Promises, weeksOf } from "./model";

/** The days of a period as they are stored. `backlogBefore`: what was active before the first of them, by age. */
export type StoredDays = { days: DayCounts[]; backlogBefore: Backlog; unmeasured: number };

export const storedMetrics = (period: Period, { days, backlogBefore, unmeasured }: StoredDays): Metrics =>
  metricsOf(period, days, { backlog: backlogAt(period.to, days, backlogBefore), unmeasured });

export async function readStoredDays(db: Db, { from, to, organizationId }: Period): Promise<StoredDays> {
  const owner = organizationId ?? "";
  const [rows, [before], [waiting]] = await Promise.all([
    db.all<{ day: string; counts: string }>(sql`
      SELECT day, counts FROM daily_metrics
      WHERE organization_id = ${owner} AND day BETWEEN ${from} AND ${to} ORDER BY day`),
    db.all<Record<"b0" | "b1" | "b2" | "b3", number | null>>(sql`
      SELECT sum(backlog_0) AS b0, sum(backlog_1) AS b1, sum(backlog_2) AS b2, sum(backlog_3) AS b3 FROM daily_metrics
      WHERE organization_id = ${owner} AND day < ${from}`),
    db.all<{ unmeasured: number }>(sql`
      SELECT max(EXISTS(SELECT 1 FROM days_to_sum), (SELECT count(*) FROM (
        SELECT 1 FROM support_tickets WHERE measured_version IS NOT version AND number > 0 LIMIT 1000))) AS unmeasured`),
  ]);
  return {
    days: rows.map(({ day, counts }) => ({ day, counts: JSON.parse(counts) as Counts })),
    backlogBefore: [before?.b0 ?? 0, before?.b1 ?? 0, before?.b2 ?? 0, before?.b3 ?? 0],
    unmeasured: waiting?.unmeasured ?? 0,
  };
}

const PROMISE_RANGE = 90;

/** What was promised in the last 90 days, kept and missed: in all, and week by week. One row for each day. */
export async function readPromises(ctx: Pick<Ctx, "db" | "now">): Promise<Promises> {
  const { value } = await readInSiteZone(ctx.db, async (zone) => {
    const days = daysOfRange(PROMISE_RANGE, dayIn(zone, ctx.now()));
    const stored = await readStoredDays(ctx.db, { ...days, organizationId: null });
    const metrics = (of: Days) => storedMetrics({ ...of, organizationId: null }, stored);
    const { created, promises, firstResponse, byPriority } = metrics(days);
    const repliesTo = (priority: TicketPriority) => {
      const { promises, firstResponse } = byPriority[priority];
      return { promises, firstResponse };
    };
    return {
      ...days,
      ...{ created, promises, firstResponse },
      byPriority: {
        low: repliesTo("low"),
        medium: repliesTo("medium"),
        high: repliesTo("high"),
        urgent: repliesTo("urgent"),
      },
      weeks: weeksOf(days).map((week) => ({ ...week, ...metrics(week).promises })),
    };
  });
  return value;
}
