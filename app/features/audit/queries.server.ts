import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { hours, type Instant } from "~/lib/time";
import type { ActivityCounts } from "./model";

/** Limits how far recent events are counted. */
const RECENT_LIMIT = 100;

/** Reads the counts that triggers maintain: three rows, however many events there are. */
export async function countTotals(db: Db): Promise<Pick<ActivityCounts, "all" | "submissions" | "people">> {
  const totals = await db.all<{ name: string; value: number }>(
    sql`SELECT name, value FROM totals WHERE name IN ('activity.all', 'activity.submission', 'activity.people')`,
  );
  const valueOf = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  return {
    all: valueOf("activity.all"),
    submissions: valueOf("activity.submission"),
    people: valueOf("activity.people"),
  };
}

/** Reads the figures of the activity screen: the maintained counts, and the last hour over an index. */
export async function countActivity(db: Db, now: Instant): Promise<ActivityCounts> {
  const [totals, [recent]] = await Promise.all([
    countTotals(db),
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT 1 FROM audit_events WHERE at >= ${now - hours(1)} LIMIT ${RECENT_LIMIT})`),
  ]);
  const count = recent?.count ?? 0;
  return { ...totals, lastHour: { count, more: count === RECENT_LIMIT } };
}
