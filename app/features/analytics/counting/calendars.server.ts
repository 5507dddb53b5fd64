import { desc, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { calendarsInForce, ticketsToCount } from "~/db/schema/figures";
import { siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { Calendar } from "~/lib/calendar";
import type { Ctx } from "~/platform/context.server";
import type { Calendars } from "../facts/derive-facts";

/** Limits the calendars that are remembered; older tickets are measured by the oldest of them. */
const REMEMBERED = 100;

/**
 * Returns which calendar was in force when, and remembers the one of now if it is new: open time until a reply is
 * counted by the calendar of the ticket's creation, however often hours change later. Days begin in the zone of now; if
 * that is new, everything is counted again.
 */
export async function keepCalendars({ db, now }: Pick<Ctx, "db" | "now">): Promise<Calendars> {
  const [rows, settings] = await Promise.all([
    db.select().from(calendarsInForce).orderBy(desc(calendarsInForce.since)).limit(REMEMBERED),
    getSettings(db),
  ]);
  const current = siteCalendar(settings);
  const known = rows.map(({ since, calendar }) => ({ since, calendar: JSON.parse(calendar) as Calendar }));
  const newest = known[0];
  if (!newest || JSON.stringify(newest.calendar) !== JSON.stringify(current)) {
    const since = newest ? now() : 0;
    await remember(db, {
      since,
      calendar: current,
      isNewZone: newest !== undefined && newest.calendar.zone !== current.zone,
    });
    known.unshift({ since, calendar: current });
  }
  return {
    zone: current.zone,
    at: (instant) => (known.find(({ since }) => since <= instant) ?? known.at(-1))?.calendar ?? current,
  };
}

type Found = { since: number; calendar: Calendar; isNewZone: boolean };

async function remember(db: Db, { since, calendar, isNewZone }: Found): Promise<void> {
  const row = { since, calendar: JSON.stringify(calendar) };
  await db.batch([
    db.insert(calendarsInForce).values(row).onConflictDoUpdate({ target: calendarsInForce.since, set: row }),
    db
      .insert(ticketsToCount)
      .select(sql`SELECT number, 1 FROM support_tickets WHERE ${isNewZone}`)
      .onConflictDoUpdate({ target: ticketsToCount.number, set: { changes: sql`${ticketsToCount.changes} + 1` } }),
  ]);
}
