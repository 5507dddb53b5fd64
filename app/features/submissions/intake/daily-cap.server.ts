import { sql } from "drizzle-orm";
import { claimKey, commit, type Db } from "~/db/client.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { addDays, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { SUBMISSIONS_PATH } from "../subject";

/** Counts the submissions of a day: all of them, and those that were counted and announced. */
type ReceivedCounts = { all: number; announced: number };

/** Sets the multiple of the daily limit above which submissions count as an attack and are not stored. */
const FLOOD_FACTOR = 10;

/** Returns the name of a day's counter of submissions, held or not: what is held must not fill the database either. */
export const receivedCounter = (day: string): string => `submission.arrived.${day}`;

/** Tells whether a day has as many announced submissions as it may: further ones are held for review. */
export const isOverCap = ({ announced }: ReceivedCounts, cap: number): boolean => announced >= cap;

/** Tells whether a day has so many submissions that further ones are not stored. */
export const isFlood = ({ all }: ReceivedCounts, cap: number): boolean => all >= cap * FLOOD_FACTOR;

/**
 * Counts recent submissions by day. The caller passes the day later, because the settings, which decide it, are read in
 * the same round trip.
 */
export async function countReceived(db: Db, now: Instant): Promise<(day: string) => ReceivedCounts> {
  const utcDay = new Date(now).toISOString().slice(0, 10);
  const days = [-1, 0, 1].map((offset) => addDays(utcDay, offset));
  const listed = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  const [received, counted] = await Promise.all([
    db.all<{ name: string; value: number }>(
      sql`SELECT name, value FROM totals WHERE name IN ${listed(days.map(receivedCounter))}`,
    ),
    db.all<{ period: string; value: number }>(
      sql`SELECT period, new + contacted + resolved AS value FROM submission_counts WHERE period IN ${listed(days)}`,
    ),
  ]);
  return (day) => ({
    all: received.find(({ name }) => name === receivedCounter(day))?.value ?? 0,
    announced: counted.find(({ period }) => period === day)?.value ?? 0,
  });
}

/** Tells the provider that the daily limit was crossed: one mail a day, however many submissions cross it at once. */
export async function alertOverCap(
  ctx: Ctx,
  { day, cap, to }: { day: string; cap: number; to: string },
): Promise<void> {
  const queued = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: `over-cap:${day}`, scope: "over-cap", resultLocation: day, at: ctx.now() }),
    enqueueMail(ctx, "submissions-over-cap", {
      to,
      about: null,
      data: { day, cap, path: `${SUBMISSIONS_PATH}?view=held` },
    }),
  ]);
  if (queued) ctx.after(deliverOutbox(ctx));
}
