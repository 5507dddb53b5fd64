import { sql } from "drizzle-orm";
import { getSettings } from "~/features/settings/queries.server";
import { addDays, clockIn, dayIn, hours, type Instant, minutes, zonedInstant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type ClaimedMail, giveBackMails } from "./claim-outbox.server";
import type { MailKind } from "./model";

/** Names the mails that people cause themselves and wait for, and those that come at a time of their own. */
const NEVER_HELD: readonly MailKind[] = ["ticket-received", "daily-summary", "letter"];

type Quiet = { id: string; from: string; until: string };

/**
 * Returns the claimed mails that may leave now. Those about what happens, to somebody in their quiet hours, are put
 * back until these end, and take further events in until then; urgent ones, receipts, summaries and mail to addresses
 * do not wait.
 */
export async function withoutQuietHours(ctx: Pick<Ctx, "db" | "now">, claimed: ClaimedMail[]): Promise<ClaimedMail[]> {
  const ids = claimed
    .filter(({ kind, isForReader, isUrgent }) => isForReader && !isUrgent && !NEVER_HELD.some((one) => one === kind))
    .map(({ id }) => id);
  if (ids.length === 0) return claimed;
  const rows = await ctx.db.all<Quiet>(sql`
    SELECT o.id, q.from_clock AS "from", q.until_clock AS until FROM json_each(${JSON.stringify(ids)}) wanted
    CROSS JOIN outbox o ON o.id = wanted.value CROSS JOIN quiet_hours q ON q.user_id = o.user_id`);
  if (rows.length === 0) return claimed;
  const { timeZone } = await getSettings(ctx.db);
  const now = ctx.now();
  const held = claimed.flatMap(({ id, leaseUntil }) => {
    const quiet = rows.find((row) => row.id === id);
    const at = quiet ? quietUntil(timeZone, now, quiet) : null;
    return at === null ? [] : [{ id, leaseUntil, at }];
  });
  await giveBackMails(ctx, held);
  return claimed.filter(({ id }) => !held.some((one) => one.id === id));
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
