import { sql } from "drizzle-orm";
import { siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { moveReplyTimes } from "~/features/submissions/changes.server";
import { changeAsSystem } from "~/features/tickets/change-ticket.server";
import { slaStateOf } from "~/features/tickets/sla/state";
import { HAS_RUNNING_CLOCK, isCountedOtherwise, recordMoved } from "~/features/tickets/sla/targets.server";
import type { Calendar } from "~/lib/calendar";
import type { Ctx } from "~/platform/context.server";
import { changeEach } from "./change-each.server";
import type { JobReport } from "./job";

/** Limits the tickets of one run; the next one continues. */
const MAX_TICKETS = 25;
/** Limits how often a ticket is tried that others change at the same moment. */
const ATTEMPTS = 5;

/**
 * Counts promises that run anew by the hours as they are now, those to submissions too, if whoever changed the hours
 * has chosen that. What was missed stays missed.
 */
export async function moveClocks(ctx: Ctx): Promise<JobReport> {
  const settings = await getSettings(ctx.db);
  const { clocksToMove } = settings;
  if (!clocksToMove) return { count: 0 };
  const calendar = siteCalendar(settings);
  const answers = clocksToMove.doneUpTo === 0 ? await moveReplyTimes(ctx.db, calendar, ctx.now()) : 0;
  const found = await ctx.db.all<{ id: string; number: number }>(sql`
    SELECT t.id, t.number FROM support_tickets t WHERE ${HAS_RUNNING_CLOCK} AND t.number > ${clocksToMove.doneUpTo}
    ORDER BY t.number LIMIT ${MAX_TICKETS}`);
  const { count, done, error } = await changeEach(ctx, found, ({ id }) => moveClock(ctx, id, calendar));
  const more = found.length === MAX_TICKETS || done.length < found.length;
  await recordMoved(ctx.db, clocksToMove, more ? (done.at(-1)?.number ?? 0) : null);
  if (error) throw error;
  return { count: count + answers, more };
}

/** Counts one promise anew, unless it is counted by these hours already. */
async function moveClock(ctx: Ctx, id: string, calendar: Calendar): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let isOther = false;
    const moved = await changeAsSystem(ctx, id, ({ promise, priority }) => {
      isOther = isCountedOtherwise(slaStateOf(promise.json, priority), calendar);
      if (!isOther) return null;
      return { promise: [{ type: "calendar-changed", at: ctx.now() }], audit: [], label: "Counted by new hours" };
    });
    if (moved || !isOther) return moved;
  }
  throw new Error("A ticket was changed by others too often");
}
