import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { jobGroups } from "~/db/schema/infrastructure";
import { outbox } from "~/db/schema/outbox";
import { type MailPause, readMailPause } from "~/features/mail/mail-pause.server";
import { getSettings } from "~/features/settings/queries.server";
import { durationInWords } from "~/lib/due";
import { plural } from "~/lib/text";
import { dayIn, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/time";

type HealthCheck = { ok: boolean; detail: string };
type Health = { healthy: boolean; checks: Record<"d1" | "outbox" | "cron", HealthCheck> };

/** Limits the age of waiting mail: older mail means that nobody is sending it. */
const OUTBOX_LIMIT = minutes(15);
const CRON_LIMIT = minutes(15);

/**
 * Probes what every page needs. Only a database that does not respond makes the site unhealthy: waiting mail and a late
 * schedule are reported, but taking the site out of service would help neither.
 */
export async function checkHealth(ctx: Pick<Ctx, "db" | "now">): Promise<Health> {
  const now = ctx.now();
  try {
    const [[waiting], groups, pause] = await Promise.all([
      readWaitingMail(ctx.db, now),
      ctx.db.select({ ranAt: jobGroups.ran_at }).from(jobGroups),
      readMailPause(ctx.db),
    ]);
    const mailAge = waiting?.oldest ? now - waiting.oldest : null;
    return {
      healthy: true,
      checks: {
        d1: { ok: true, detail: "Responding" },
        outbox: pause
          ? { ok: false, detail: await pauseWords(ctx, pause) }
          : {
              ok: mailAge === null || mailAge < OUTBOX_LIMIT,
              detail: mailAge === null ? "No mail waiting" : `Oldest mail has waited ${durationInWords(mailAge)}`,
            },
        cron: checkRuns(
          groups.map(({ ranAt }) => ranAt),
          now,
        ),
      },
    };
  } catch {
    const unknown = { ok: false, detail: "Unknown" };
    return { healthy: false, checks: { d1: { ok: false, detail: "Not responding" }, outbox: unknown, cron: unknown } };
  }
}

/** Limits how far waiting mails are counted. */
const COUNTED = 100;

/** Says how much mail waits for the provider's quota, since when, and until when at least. */
async function pauseWords(
  { db, now }: Pick<Ctx, "db" | "now">,
  { since, retryAt, reason }: MailPause,
): Promise<string> {
  const [[waiting], { timeZone }] = await Promise.all([
    db.all<{ count: number }>(sql`
      SELECT count(*) AS count FROM (SELECT 1 FROM ${outbox} INDEXED BY outbox_by_status
        WHERE status = 'pending' LIMIT ${COUNTED + 1})`),
    getSettings(db),
  ]);
  const today = dayIn(timeZone, now());
  const clock = (at: Instant) => formatInstant(at, timeZone, dayIn(timeZone, at) === today ? "time" : "short");
  const count = waiting?.count ?? 0;
  const mails = count > COUNTED ? `${COUNTED}+ mails` : plural(count, "mail");
  const quota = reason.includes("monthly") ? "monthly quota" : "daily quota";
  const verb = count === 1 ? "waits" : "wait";
  return `${mails} ${verb}: the mail provider’s ${quota} is used up, since ${clock(since)}; tries again at ${clock(retryAt)}`;
}

/** Limits the mails that are looked through for those that have failed, the oldest first. */
const LOOKED_AT = 100;

/**
 * Reads since when the oldest mail waits that should have left. One that is held back, such as for somebody's quiet
 * hours, waits from the time at which it may leave; one that failed does since it was written, however late it is
 * tried again.
 */
const readWaitingMail = (db: Db, now: Instant): Promise<{ oldest: Instant | null }[]> =>
  db.all(sql`
    SELECT min(since) AS oldest FROM (
      SELECT created_at AS since FROM (SELECT last_error, created_at FROM ${outbox} INDEXED BY outbox_by_status
        WHERE status = 'pending' ORDER BY created_at LIMIT ${LOOKED_AT}) WHERE last_error IS NOT NULL
      UNION ALL ${dueSince(0, now)} UNION ALL ${dueSince(1, now)})`);

/** Queries since when the first mail of a priority is due, however many are held back. */
const dueSince = (priority: 0 | 1, now: Instant): SQL => sql`
  SELECT * FROM (SELECT next_at FROM ${outbox} INDEXED BY outbox_due WHERE status IN ('pending', 'sending')
    AND priority = ${priority} AND next_at <= ${now} AND +status = 'pending' ORDER BY next_at LIMIT 1)`;

/** Judges by the group of jobs that ran longest ago: each of them has a trigger of its own, which may be missing. */
function checkRuns(ranAt: readonly (Instant | null)[], now: Instant): HealthCheck {
  const ran = ranAt.filter((at) => at !== null);
  if (ran.length === 0) return { ok: true, detail: "Has not run yet" };
  if (ran.length < ranAt.length) return { ok: false, detail: "A part has not run yet" };
  const age = now - Math.min(...ran);
  return { ok: age < CRON_LIMIT, detail: lastRun(age) };
}

const lastRun = (age: number) => (age < minutes(2) ? "Ran just now" : `Ran ${durationInWords(age)} ago`);
