import { sql } from "drizzle-orm";
import { getSettings } from "~/features/settings/queries.server";
import { addDays, clockIn, dayIn, hours, type Instant, minutes, zonedInstant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { isMailKind, MAIL_KINDS } from "./kinds";
import { type LeasedMail, releaseMails } from "./lease-outbox.server";

type Quiet = { id: string; from: string; until: string };

/** Mails about what happens wait for the end of their reader's quiet hours, and take further events in until then. */
export async function withoutQuietHours(ctx: Pick<Ctx, "db" | "now">, leased: LeasedMail[]): Promise<LeasedMail[]> {
  const ids = leased
    .filter(
      ({ kind, isForReader, isUrgent }) =>
        isForReader && !isUrgent && !(isMailKind(kind) && MAIL_KINDS[kind].ignoresQuietHours),
    )
    .map(({ id }) => id);
  if (ids.length === 0) return leased;
  const rows = await ctx.db.all<Quiet>(sql`
    SELECT o.id, q.from_clock AS "from", q.until_clock AS until FROM json_each(${JSON.stringify(ids)}) wanted
    CROSS JOIN outbox o ON o.id = wanted.value CROSS JOIN quiet_hours q ON q.user_id = o.user_id`);
  if (rows.length === 0) return leased;
  const { timeZone } = await getSettings(ctx.db);
  const now = ctx.now();
  const held = leased.flatMap(({ id, leaseUntil }) => {
    const quiet = rows.find((row) => row.id === id);
    const at = quiet ? quietUntil(timeZone, now, quiet) : null;
    return at === null ? [] : [{ id, leaseUntil, at }];
  });
  await releaseMails(ctx, held);
  return leased.filter(({ id }) => !held.some((one) => one.id === id));
}

/** Returns when the quiet hours end in which a time falls, by the clock of a zone. Null: it falls in none. */
function quietUntil(zone: string, at: Instant, { from, until }: Omit<Quiet, "id">): Instant | null {
  const clock = clockIn(zone, at);
  const isQuiet = from < until ? clock >= from && clock < until : from > until && (clock >= from || clock < until);
  if (!isQuiet) return null;
  const today = dayIn(zone, at);
  const [hour = 0, minute = 0] = until.split(":").map(Number);
  return zonedInstant(zone, clock < until ? today : addDays(today, 1), hours(hour) + minutes(minute));
}
