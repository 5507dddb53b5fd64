import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import type { ClocksToMove } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { Calendar } from "~/lib/calendar";
import type { TicketPriority } from "~/lib/ticket-words";
import type { Instant } from "~/lib/time";
import { dueIfResumed } from "./due-time";
import { type RulesRow, rulesColumns, rulesOf } from "./read-rules.server";
import type { PromiseRules } from "./rules";
import type { RunningPromise } from "./running";
import { advance, type PromiseState } from "./state";
import { promiseStateOf } from "./stored";

/** Limits the clocks that are counted; of more the settings say that there are more. */
const CLOCKS_COUNTED = 1_000;

/**
 * Tells whether a promise runs on a ticket `t` and is not missed yet. Its status is that of an index of active tickets.
 */
export const HAS_RUNNING_CLOCK: SQL = sql`t.status in ('open', 'in_progress', 'waiting_for_customer')
  AND (t.promise_json ->> '$.running.missed' = 0 OR t.promise_json ->> '$.resolution.missed' = 0)`;

type ClockRow = RulesRow & { priority: TicketPriority; json: string };

/**
 * Counts the promises that would be due at another time if the hours were these, for the question whether they shall
 * follow. `isMore`: there are more clocks than are counted.
 */
export async function countClocksThatMove(
  db: Db,
  calendar: Calendar,
  at: Instant,
): Promise<{ count: number; isMore: boolean }> {
  const [rows, targets] = await Promise.all([
    db.all<ClockRow>(sql`
      SELECT t.priority, t.promise_json AS json, ${rulesColumns}
      FROM support_tickets t CROSS JOIN organizations o ON o.id = t.organization_id
      WHERE ${HAS_RUNNING_CLOCK} ORDER BY t.number LIMIT ${CLOCKS_COUNTED + 1}`),
    getSettings(db),
  ]);
  const count = rows
    .slice(0, CLOCKS_COUNTED)
    .filter(({ priority, json, ...organization }) =>
      wouldMove(promiseStateOf(json, priority), rulesOf(organization, { ...targets, calendar }, at).rules, at),
    ).length;
  return { count, isMore: rows.length > CLOCKS_COUNTED };
}

/** Tells whether a promise of a ticket is due at another time if its hours change. One that is paused goes on now. */
function wouldMove(state: PromiseState, rules: PromiseRules, at: Instant): boolean {
  const changed = advance(state, { type: "calendar-changed", at }, rules).state;
  const due = (promise: RunningPromise | null) => promise && dueIfResumed(promise, at);
  return due(state.running) !== due(changed.running) || due(state.resolution) !== due(changed.resolution);
}

/** Tells whether a promise that runs on a ticket is counted by other hours than these. */
export const isCountedOtherwise = ({ running, resolution }: PromiseState, calendar: Calendar): boolean =>
  [running, resolution].some(
    (promise) => promise && !promise.missed && JSON.stringify(promise.calendar) !== JSON.stringify(calendar),
  );

const KEY = "clocksToMove";

/**
 * Returns the statement that lets the promises that run follow the hours that its batch saves: the job `move-clocks`
 * does it, a few tickets at a time.
 */
export function moveRunningClocks(db: Db, { at, by }: { at: Instant; by: string }): Statement {
  const toMove: ClocksToMove = { since: at, doneUpTo: 0 };
  const row = { value_json: JSON.stringify(toMove), updated_at: at, updated_by: by };
  return db
    .insert(settings)
    .values({ key: KEY, ...row })
    .onConflictDoUpdate({ target: settings.key, set: { ...row, version: sql`${settings.version} + 1` } });
}

/** Returns the statement that leaves the promises that run as they are: those of earlier hours that still wait, too. */
export const keepRunningClocks = (db: Db): Statement => db.delete(settings).where(eq(settings.key, KEY));

/**
 * Remembers how far the move of the clocks has come, null when it is done, unless somebody has ordered another since.
 */
export async function recordMoved(db: Db, before: ClocksToMove, doneUpTo: number | null): Promise<void> {
  const isThis = sql`${settings.key} = ${KEY} AND ${settings.value_json} = ${JSON.stringify(before)}`;
  if (doneUpTo === null) await db.delete(settings).where(isThis);
  else
    await db
      .update(settings)
      .set({ value_json: JSON.stringify({ ...before, doneUpTo }) })
      .where(isThis);
}
