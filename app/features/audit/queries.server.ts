import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { fold } from "~/lib/text";
import { hours, type Instant } from "~/lib/time";
import {
  type ActivityEntry,
  type ActivityFilter,
  activityEntry,
  mentions,
  type PathOf,
  type StoredActivity,
} from "./activity";

export const ACTIVITY_PAGE = 50;

/** A search looks at so many events and then offers to look further back. */
const SEARCH_REACH = 75;

/** Recent events are counted up to here. */
const RECENT_LIMIT = 100;

export type ActivityPage = {
  /** Newest first. */
  entries: ActivityEntry[];
  /** The number from which the next page goes on, or null at the beginning of the record. */
  before: number | null;
  /** How far the search looked where that filled no page; `before` leads further back. Null: nothing is left out. */
  looked: { count: number; backTo: Instant } | null;
};

/** One page of what has happened, back from an event or from now. Reads the page, or what a search may look at. */
export async function listActivity(
  db: Db,
  { type, q }: ActivityFilter,
  before: number | null,
  pathOf: PathOf,
): Promise<ActivityPage> {
  const search = fold(q);
  const limit = search ? SEARCH_REACH : ACTIVITY_PAGE + 1;
  const place = sql`id < ${before ?? Number.MAX_SAFE_INTEGER}`;
  const narrowed = type ? sql`activity_type = ${type} AND ${place}` : place;
  const rows = await db.all<StoredActivity>(sql`
    SELECT id, at, action, activity_type, actor_id, actor_name, actor_email, subject_type, subject_id, subject_label,
      meta_json
    FROM audit_events WHERE ${narrowed} ORDER BY id DESC LIMIT ${limit}`);
  const entries = rows.map((row) => activityEntry(row, pathOf));
  if (!search) {
    const shown = entries.slice(0, ACTIVITY_PAGE);
    return { entries: shown, before: entries.length > ACTIVITY_PAGE ? idOf(shown) : null, looked: null };
  }
  const matching = entries.filter((entry) => mentions(entry, search));
  const shown = matching.slice(0, ACTIVITY_PAGE);
  if (matching.length > ACTIVITY_PAGE) return { entries: shown, before: idOf(shown), looked: null };
  const last = entries.at(-1);
  if (!last || entries.length < SEARCH_REACH) return { entries: shown, before: null, looked: null };
  return { entries: shown, before: last.id, looked: { count: entries.length, backTo: last.at } };
}

const idOf = (entries: readonly ActivityEntry[]) => entries.at(-1)?.id ?? null;

export type ActivityCounts = {
  all: number;
  submissions: number;
  /** Done by people with an account. */
  people: number;
  /** Of the last hour; `more`: at least so many. */
  lastHour: { count: number; more: boolean };
};

/** The figures of the activity screen: three maintained ones, and the last hour over an index. */
export async function countActivity(db: Db, now: Instant): Promise<ActivityCounts> {
  const [totals, [recent]] = await Promise.all([
    db.all<{ name: string; value: number }>(
      sql`SELECT name, value FROM totals WHERE name IN ('activity.all', 'activity.submission', 'activity.people')`,
    ),
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT 1 FROM audit_events WHERE at >= ${now - hours(1)} LIMIT ${RECENT_LIMIT})`),
  ]);
  const count = recent?.count ?? 0;
  const valueOf = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  return {
    all: valueOf("activity.all"),
    submissions: valueOf("activity.submission"),
    people: valueOf("activity.people"),
    lastHour: { count, more: count === RECENT_LIMIT },
  };
}
