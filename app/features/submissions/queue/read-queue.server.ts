import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import { siteCalendar } from "~/features/settings/calendar";
import { getSettings } from "~/features/settings/queries.server";
import { type CappedCount, COUNT_LIMIT, capped } from "~/lib/capped-count";
import { type Due, dueOf, shortDay } from "~/lib/due";
import { referenceNumber } from "~/lib/reference-number";
import { snippetOf } from "~/lib/text";
import { clockIn, dayIn, type Instant } from "~/lib/time";
import type { QueueOwner, WaitingItem, WaitingQueue } from "~/lib/waiting";
import type { Ctx } from "~/platform/context.server";
import { countSubmissions } from "../queries.server";
import { replyDueAt } from "../reply-target";
import { submissionPath } from "../subject";

/** Limits the items that the dashboard shows. */
export const QUEUE_LENGTH = 10;

/** Limits how much of a message an item shows, in characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 120;

type Source = { index: string; where: SQL };

/** Returns which submissions of a queue wait, and by which index they are read, oldest first. */
function sourceOf(owner: QueueOwner, userId: string): Source {
  if (owner === "all") {
    return { index: "submissions_by_status", where: sql`t.held_reason IS NULL AND t.status_rank = 0` };
  }
  const whose = owner === "me" ? sql`t.owner_id = ${userId}` : sql`t.owner_id IS NULL`;
  return { index: "submissions_waiting", where: sql`t.held_reason IS NULL AND t.status = 'new' AND ${whose}` };
}

const from = ({ index, where }: Source): SQL =>
  sql`FROM contact_submissions t INDEXED BY ${sql.raw(index)} WHERE ${where}`;

/**
 * Reads who waits for an answer, the oldest first, in one round trip. Every submission is promised its answer after the
 * same open time, so the oldest promises are those of the oldest submissions, unless the hours have changed.
 */
export async function readQueue(
  { db, now }: Pick<Ctx, "db" | "now">,
  { userId }: Pick<Actor, "userId">,
  owner: QueueOwner,
): Promise<WaitingQueue> {
  const at = now();
  const [settings, counts, oldest, mine, unowned, rows] = await Promise.all([
    getSettings(db),
    countSubmissions(db),
    listOldest(db),
    countWaiting(db, sourceOf("me", userId)),
    countWaiting(db, sourceOf("none", userId)),
    listWaiting(db, sourceOf(owner, userId)),
  ]);
  const calendar = siteCalendar(settings);
  const clock = { zone: calendar.zone, now: at };
  return {
    items: rows
      .map(({ dueAt, ...row }) => toItem(row, dueOf({ ...clock, dueAt, answeredAt: null }), clock))
      .sort((one, other) => one.due.dueAt - other.due.dueAt),
    counts: { all: { count: counts.new, isMore: false }, me: mine, none: unowned },
    late: capped(oldest.filter((dueAt) => dueAt < at).length),
    next: dueOf({
      ...clock,
      dueAt: oldest.length > 0 ? Math.min(...oldest) : replyDueAt(calendar, at),
      answeredAt: null,
    }),
  };
}

/** Lists until when the oldest waiting submissions were promised an answer. */
async function listOldest(db: Db): Promise<Instant[]> {
  const rows = await db.all<{ at: Instant }>(sql`
    SELECT t.reply_due_at AS at ${from(sourceOf("all", ""))} ORDER BY t.created_at, t.id LIMIT ${COUNT_LIMIT + 1}`);
  return rows.map(({ at }) => at);
}

async function countWaiting(db: Db, source: Source): Promise<CappedCount> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (SELECT 1 ${from(source)} LIMIT ${COUNT_LIMIT + 1})`);
  return capped(row?.count ?? 0);
}

type WaitingRow = {
  id: string;
  number: number;
  name: string;
  company: string | null;
  snippet: string | null;
  dueAt: Instant;
  owner: string | null;
};

const listWaiting = (db: Db, source: Source) =>
  db.all<WaitingRow>(sql`
    SELECT t.id, t.number, t.first_name || ' ' || t.last_name AS name, t.company,
      substr(t.message, 1, ${SNIPPET_LENGTH + 1}) AS snippet, t.reply_due_at AS dueAt,
      (SELECT u.full_name FROM users u WHERE u.id = t.owner_id) AS owner
    ${from(source)} ORDER BY t.created_at, t.id LIMIT ${QUEUE_LENGTH}`);

function toItem(
  { number, company, snippet, ...row }: Omit<WaitingRow, "dueAt">,
  due: Due,
  clock: { zone: string; now: Instant },
): WaitingItem {
  return {
    ...row,
    number: referenceNumber("submission", number),
    to: submissionPath(row.id),
    organization: company,
    snippet: snippetOf(snippet, SNIPPET_LENGTH),
    due,
    mark: null,
    promise: promiseInWords(due, clock),
    take: "take",
  };
}

/** Returns what was promised: "promised by Nov 18, 10:13", "by 14:26", or how long an answer may take. */
function promiseInWords({ state, dueAt }: Due, { zone, now }: { zone: string; now: Instant }): string {
  if (state === "later") return "1 business day";
  const [day, time] = [dayIn(zone, dueAt), clockIn(zone, dueAt)];
  const moment = day === dayIn(zone, now) ? time : `${shortDay(day)}, ${time}`;
  return state === "late" ? `promised by ${moment}` : `by ${moment}`;
}
