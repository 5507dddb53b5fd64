import type { Db } from "~/db/client.server";
import { mailPauses } from "~/db/schema/outbox";
import { describeError } from "~/lib/errors";
import { days, hours, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { ADDRESS_HELD } from "./model";

/**
 * While the provider's quota is used up, only the most important mail is tried now and then: quotas are also raised by
 * hand, and some come back bit by bit.
 */

export type MailPause = {
  since: Instant;
  retryAt: Instant;
  reason: string;
};

const PROBE_INTERVAL = hours(1);
/** Spreads what installations try when a new day begins at their provider. */
const MIDNIGHT_SPREAD = minutes(15);

export function nextProbe(now: Instant, random: number): Instant {
  const midnight = (Math.floor(now / days(1)) + 1) * days(1);
  return Math.min(now + PROBE_INTERVAL, midnight + Math.floor(random * MIDNIGHT_SPREAD));
}

export async function readMailPause(db: Db): Promise<MailPause | null> {
  const [pause] = await db
    .select({ since: mailPauses.since, retryAt: mailPauses.retry_at, reason: mailPauses.reason })
    .from(mailPauses)
    .limit(1);
  return pause ?? null;
}

/** The same for every address. When it cannot be read, a page says nothing. */
export async function isMailDelayed({ db, log, request }: Pick<Ctx, "db" | "log" | "request">): Promise<boolean> {
  try {
    return (await readMailPause(db)) !== null;
  } catch (error) {
    log("warn", { event: "mail_pause_not_read", request_id: request.id, error: describeError(error) });
    return false;
  }
}

export async function pauseMail({ db, now }: Pick<Ctx, "db" | "now">, reason: string, random: number): Promise<void> {
  const pause = { retry_at: nextProbe(now(), random), reason };
  await db
    .insert(mailPauses)
    .values({ id: 1, since: now(), ...pause })
    .onConflictDoUpdate({ target: mailPauses.id, set: pause });
}

export async function endMailPause({ db }: Pick<Ctx, "db">): Promise<void> {
  await db.delete(mailPauses);
}

/**
 * Returns the SQL of a mail's state as pages show it: what waits for its address is held, and what waits during a pause
 * is delayed. `outbox`: its alias.
 */
export const shownMailStatus = (outbox: string): string =>
  `CASE WHEN ${outbox}.status = 'pending' AND ${outbox}.last_error = '${ADDRESS_HELD}' THEN 'held' WHEN ${outbox}.status = 'pending' AND EXISTS (SELECT 1 FROM mail_pauses) THEN 'delayed' ELSE ${outbox}.status END`;
