import { sql } from "drizzle-orm";
import { outbox } from "~/db/schema/outbox";
import { getSettings } from "~/features/settings/queries.server";
import { addDays, clockIn, dayIn, hours, type Instant, minutes, zonedInstant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { ClaimedMail } from "./claim-outbox.server";
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
  const held = rows.flatMap(({ id, ...quiet }) => {
    const at = quietUntil(timeZone, ctx.now(), quiet);
    return at === null ? [] : [{ id, at }];
  });
  if (held.length === 0) return claimed;
  const each = sql`json_each(${JSON.stringify(held)})`;
  await ctx.db
    .update(outbox)
    .set({
      status: "pending",
      lease_until: null,
      attempts: sql`${outbox.attempts} - 1`,
      next_at: sql`(SELECT value ->> 'at' FROM ${each} WHERE value ->> 'id' = ${outbox.id})`,
    })
    .where(
      sql`${outbox.id} IN (SELECT value ->> 'id' FROM ${each}) AND ${outbox.status} = 'sending'
        AND ${outbox.lease_until} = ${claimed[0]?.leaseUntil ?? 0}`,
    );
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
