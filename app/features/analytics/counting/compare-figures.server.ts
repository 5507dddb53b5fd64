import { eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { counters } from "~/db/schema/infrastructure";
import { addDays, dayIn, days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { DayKey } from "../facts/day-row";
import { keepCalendars } from "./calendars.server";
import { sumRanges } from "./count-figures.server";
import { countTickets } from "./count-tickets.server";
import { recountDays } from "./recount-days.server";
import { WHOLE_SITE } from "./write-figures.server";

/** Sets how many days are counted again each night, how much at a time, and how much in one run. */
const COMPARED_DAYS = 7;
const TICKETS_OF_CHUNK = 100;
const ORGANIZATIONS_OF_CHUNK = 40;
const CHUNKS = 20;

/**
 * Holds how far a night's work has come: the day, and on it the ticket by its number, or below 0 the organization. Day
 * 0: nothing has begun.
 */
type Progress = { day: string | null; done: number };

type Comparing = Pick<Ctx, "db" | "log"> & { counting: Parameters<typeof countTickets>[2] };

/**
 * Counts the last days again, day by day and a limited part in each run: the facts of every ticket that counts on a
 * day, then the day of each organization from the facts, then that of all together. What differs is corrected and
 * logged, because nothing should. What has just changed and waits to be counted is left to the next night.
 */
export async function compareFigures(
  ctx: Pick<Ctx, "budget" | "db" | "now" | "log">,
): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  const calendars = await keepCalendars(ctx);
  const until = dayIn(calendars.zone, ctx.now());
  const comparing = { ...ctx, counting: { calendars, until } };
  const reached = await readProgress(db);
  let progress: Progress = reached.day === null ? { day: addDays(until, 1 - COMPARED_DAYS), done: 0 } : reached;
  let count = 0;
  for (let chunk = 0; chunk < CHUNKS && progress.day !== null && progress.day <= until; chunk += 1) {
    const compared = await compareChunk(comparing, { day: progress.day, done: progress.done });
    count += compared.count;
    progress = compared.progress;
    if (ctx.budget.isUsedUp()) break;
  }
  const more = progress.day !== null && progress.day <= until;
  await keepProgress(db, more ? progress : { day: null, done: 0 });
  // A day that was wrong may have led to a range that is.
  if (count > 0) await sumRanges(db, until);
  return { count, more };
}

type Compared = { count: number; progress: Progress };

async function compareChunk(ctx: Comparing, { day, done }: { day: string; done: number }): Promise<Compared> {
  if (done < 0) return compareOrganizations(ctx, day, -done - 1);
  const numbers = await ctx.db.all<{ number: number }>(sql`
    SELECT DISTINCT t.number FROM daily_figures f CROSS JOIN ticket_facts i
      ON i.organization_id = f.organization_id AND i.day = f.day
    CROSS JOIN support_tickets t ON t.id = i.ticket_id
    WHERE f.day = ${day} AND f.organization_id > '' AND t.number > ${done}
      AND NOT EXISTS (SELECT 1 FROM tickets_to_count c WHERE c.number = t.number)
    ORDER BY t.number LIMIT ${TICKETS_OF_CHUNK}`);
  const last = numbers.at(-1);
  if (!last) return { count: 0, progress: { day, done: -1 } };
  // They are in no queue: no number of changes is taken out of it.
  const due = numbers.map(({ number }) => ({ number, changes: 0 }));
  const different = (await countTickets(ctx.db, due, ctx.counting)) ?? [];
  const wrong = different.length > 0 ? await countUnchanged(ctx.db, different) : 0;
  if (wrong > 0) ctx.log("error", { event: "figures_corrected", kind: "tickets", count: wrong });
  return { count: wrong, progress: { day, done: last.number } };
}

/**
 * Counts those of some tickets that do not wait to be counted: the others have changed since the run began, and may
 * differ.
 */
async function countUnchanged(db: Db, ids: readonly string[]): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM json_each(${JSON.stringify(ids)}) i CROSS JOIN support_tickets t ON t.id = i.value
    WHERE NOT EXISTS (SELECT 1 FROM tickets_to_count c WHERE c.number = t.number)`);
  return row?.count ?? 0;
}

/** Adds up a day of the organizations after one, by their number, and after the last of them that of all together. */
async function compareOrganizations({ db, log, counting }: Comparing, day: string, after: number): Promise<Compared> {
  const rows = await db.all<{ id: string; number: number }>(sql`
    SELECT o.id, o.number FROM organizations o INDEXED BY organizations_in_order
    CROSS JOIN daily_figures f ON f.organization_id = o.id AND f.day = ${day}
    WHERE o.number > ${after} ORDER BY o.number LIMIT ${ORGANIZATIONS_OF_CHUNK}`);
  const last = rows.at(-1);
  const keys: DayKey[] = last
    ? rows.map(({ id }) => ({ organizationId: id, day }))
    : [{ organizationId: WHOLE_SITE, day }];
  const wrong = (await recountDays(db, keys, { until: counting.until, withWhole: !last })) ?? [];
  for (const { organizationId } of wrong)
    log("error", { event: "figures_corrected", kind: "day", reason: day, object_id: organizationId });
  const progress = last ? { day, done: -last.number - 1 } : { day: addDays(day, 1), done: 0 };
  return { count: wrong.length, progress };
}

const DAY = "figures_compared_day";
const DONE = "figures_compared_to";

async function readProgress(db: Db): Promise<Progress> {
  const rows = await db.all<{ name: string; value: number }>(
    sql`SELECT name, value FROM counters WHERE name IN (${DAY}, ${DONE})`,
  );
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  const day = valueOf(DAY);
  return { day: day === 0 ? null : new Date(day * days(1)).toISOString().slice(0, 10), done: valueOf(DONE) };
}

const keepProgress = (db: Db, { day, done }: Progress) =>
  db.batch([
    db
      .update(counters)
      .set({ value: day === null ? 0 : Date.parse(day) / days(1) })
      .where(eq(counters.name, DAY)),
    db.update(counters).set({ value: done }).where(eq(counters.name, DONE)),
  ]);
