import { sql } from "drizzle-orm";
import { addDays, dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { DayKey } from "../facts/day-row";
import { keepCalendars } from "./calendars.server";
import { addUpRanges } from "./count-figures.server";
import { countTickets } from "./count-tickets.server";
import { recountDays } from "./recount-days.server";

/** Sets how many days are counted again each night, and how much of them at a time. */
const COMPARED_DAYS = 7;
const TICKETS_OF_CHUNK = 100;
const DAYS_OF_CHUNK = 40;

/**
 * Counts the last days again: the facts of every ticket that counts on them, then the days from the facts. What differs
 * is mended and logged, because nothing should. What has just changed and waits to be counted is left to the next run.
 */
export async function compareFigures(ctx: Pick<Ctx, "db" | "now" | "log">): Promise<{ count: number }> {
  const { db } = ctx;
  const calendars = await keepCalendars(ctx);
  const until = dayIn(calendars.zone, ctx.now());
  const from = addDays(until, 1 - COMPARED_DAYS);
  const numbers = await db.all<{ number: number }>(sql`
    SELECT DISTINCT t.number FROM daily_figures f CROSS JOIN ticket_facts i
      ON i.organization_id = f.organization_id AND i.day = f.day
    CROSS JOIN support_tickets t ON t.id = i.ticket_id
    WHERE f.day BETWEEN ${from} AND ${until} AND f.organization_id > ''
      AND NOT EXISTS (SELECT 1 FROM tickets_to_count c WHERE c.number = t.number)
    ORDER BY t.number`);
  let count = 0;
  for (const chunk of chunksOf(numbers, TICKETS_OF_CHUNK)) {
    // They are in no queue: no number of changes is taken out of it.
    const due = chunk.map(({ number }) => ({ number, changes: 0 }));
    const different = (await countTickets(db, due, { calendars, until })) ?? 0;
    if (different > 0) ctx.log("error", { event: "figures_mended", kind: "tickets", count: different });
    count += different;
  }
  const keys = await db.all<DayKey>(sql`
    SELECT organization_id AS organizationId, day FROM daily_figures WHERE day BETWEEN ${from} AND ${until}
    UNION SELECT '', day FROM daily_figures WHERE day BETWEEN ${from} AND ${until}`);
  for (const chunk of chunksOf(keys, DAYS_OF_CHUNK)) {
    const wrong = (await recountDays(db, chunk, until)) ?? [];
    for (const { organizationId, day } of wrong)
      ctx.log("error", { event: "figures_mended", kind: "day", reason: day, object_id: organizationId });
    count += wrong.length;
  }
  // A day that was wrong may have led to a range that is.
  if (count > 0) await addUpRanges(db, until);
  return { count };
}

function* chunksOf<Item>(items: readonly Item[], size: number) {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
