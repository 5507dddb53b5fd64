import { eq, sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { counters } from "~/db/schema/infrastructure";
import { dayIn, days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { RANGES } from "../definitions";
import type { DayKey } from "../facts/day-row";
import { keepCalendars } from "./calendars.server";
import { countTickets } from "./count-tickets.server";
import { recountDays } from "./recount-days.server";
import { expectWritten, readWritten, rebuiltRange } from "./write-figures.server";

/** Limits one run: how many chunks of tickets, and of days, and how large each is. The next run continues. */
const CHUNKS = 10;
const TICKETS_OF_CHUNK = 100;
const DAYS_OF_CHUNK = 20;

type CountingContext = Pick<Ctx, "budget" | "db" | "now">;

/**
 * Counts what has changed since the last run: tickets that were written to, and days on which a deleted ticket counted.
 * On a new day the ranges that end today are added up first. Right if it runs twice, late or not at all.
 */
export async function countFigures(ctx: CountingContext): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  const calendars = await keepCalendars(ctx);
  const until = dayIn(calendars.zone, ctx.now());
  await moveRanges(db, until);
  let count = 0;
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const due = await db.all<{ number: number; changes: number }>(
      sql`SELECT number, changes FROM tickets_to_count ORDER BY number LIMIT ${TICKETS_OF_CHUNK}`,
    );
    const keys = await db.all<DayKey>(
      sql`SELECT organization_id AS organizationId, day FROM days_to_count LIMIT ${DAYS_OF_CHUNK}`,
    );
    if (due.length + keys.length === 0) return { count, more: false };
    if (due.length > 0) await countTickets(db, due, { calendars, until });
    if (keys.length > 0) await recountDays(db, keys, { until });
    count += due.length + keys.length;
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

/** Returns a day as a number that a counter can hold. */
const numberOf = (day: string): number => Date.parse(day) / days(1);

/** Moves the ranges to a new last day. */
async function moveRanges(db: Db, until: string): Promise<void> {
  const [row] = await db.all<{ value: number }>(sql`SELECT value FROM counters WHERE name = 'figures_ranges_until'`);
  if (row?.value !== numberOf(until)) await sumRanges(db, until);
}

/** Adds up the ranges that end on a day from the figures of their days. */
export async function sumRanges(db: Db, until: string): Promise<void> {
  await commit(db, [
    ...expectWritten(db, await readWritten(db)),
    ...RANGES.flatMap((range) => rebuiltRange(db, range, until)),
    db
      .update(counters)
      .set({ value: numberOf(until) })
      .where(eq(counters.name, "figures_ranges_until")),
  ]);
}
