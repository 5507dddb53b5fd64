import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { mailPauses } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { describeError } from "~/lib/errors";
import { dayIn, days, hours, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/text";
import { isSecurityMail, type MailKind, SECURITY_MAIL } from "./kinds";
import { ADDRESS_HELD } from "./model";

/**
 * Mail pauses while the quota of its provider is used up: the provider has refused a mail, or as many have left today
 * as `MAIL_DAILY_LIMIT` says. After a refusal the most important mail is tried now and then: quotas are also raised by
 * hand, and some come back bit by bit.
 */

export type MailPause = {
  since: Instant;
  retryAt: Instant;
  reason: string;
};

/** Reasons that our own count gives. From the first on only security mail leaves. */
const RESERVE_LEFT = "daily_limit_reserve";
const NONE_LEFT = "daily_limit";
const IS_OWN_COUNT = sql.raw(`reason IN ('${RESERVE_LEFT}', '${NONE_LEFT}')`);

/** The rest of each day's quota is kept for security mail. */
const ORDINARY_PERCENT = 80;

/** How many mails may leave on one day. */
type DailyLimit = { all: number; ordinary: number };

/** Null: it is not set, or no number to go by. */
export function dailyLimit({ MAIL_DAILY_LIMIT: text = "" }: Ctx["config"]): DailyLimit | null {
  const all = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return all > 0 ? { all, ordinary: Math.ceil((all * ORDINARY_PERCENT) / 100) } : null;
}

const SENT = "mails_sent";

/** Providers count by the day of UTC. */
const dayOf = (now: Instant): number => Math.floor(now / days(1));
const midnightAfter = (now: Instant): Instant => (dayOf(now) + 1) * days(1);

export const sentToday = (now: Instant): SQL => sql`coalesce((SELECT attempts FROM rate_limit_attempts
  WHERE attempt_type = ${SENT} AND identifier = ${String(dayOf(now))}), 0)`;

export function sentOfLimit(sent: number, config: Ctx["config"]): string {
  const [shown, all] = [sent, dailyLimit(config)?.all].map((count) => count?.toLocaleString("en-US"));
  return all ? `${shown} of ${all}` : `${shown}`;
}

export const isRefusedUntilLater = (now: Instant): SQL =>
  sql`EXISTS (SELECT 1 FROM mail_pauses WHERE retry_at > ${now} AND NOT ${IS_OWN_COUNT})`;

/** Belongs directly behind the statement that records a mail as sent. */
export function countSentMail(ctx: Pick<Ctx, "config" | "db" | "now">): Statement[] {
  const { db } = ctx;
  const now = ctx.now();
  return [
    db
      .insert(rateLimitAttempts)
      .select(sql`SELECT ${SENT}, ${String(dayOf(now))}, 1, NULL, ${now} WHERE changes() = 1`)
      .onConflictDoUpdate({
        target: [rateLimitAttempts.attempt_type, rateLimitAttempts.identifier],
        set: { attempts: sql`${rateLimitAttempts.attempts} + 1`, last_attempt_at: now },
      }),
    ...pauseByCount(ctx),
  ];
}

/** Null in SQL: it lets mail leave. */
function reasonByCount({ config, now }: Pick<Ctx, "config" | "now">): SQL {
  const limit = dailyLimit(config);
  if (!limit) return sql`NULL`;
  const sent = sentToday(now());
  return sql`(CASE WHEN ${sent} >= ${limit.all} THEN ${NONE_LEFT} WHEN ${sent} >= ${limit.ordinary} THEN ${RESERVE_LEFT} END)`;
}

/** Also ends such a pause: a new day may have begun, or the limit have been raised, or taken away. */
export function pauseByCount(ctx: Pick<Ctx, "config" | "db" | "now">) {
  const { db } = ctx;
  const now = ctx.now();
  const reason = reasonByCount(ctx);
  return [
    db.delete(mailPauses).where(sql`${IS_OWN_COUNT} AND (reason IS NOT ${reason} OR retry_at <= ${now})`),
    db
      .insert(mailPauses)
      .select(sql`SELECT 1, ${now}, ${midnightAfter(now)}, ${reason} WHERE ${reason} IS NOT NULL`)
      .onConflictDoNothing(),
  ] as const;
}

/** Has a row when the pause is not as our own count says, as after a change of the limit. */
export const isCountUnsettled = (ctx: Pick<Ctx, "config" | "now">): SQL => sql`SELECT 1 AS id
  WHERE (SELECT reason FROM mail_pauses WHERE ${IS_OWN_COUNT}) IS NOT ${reasonByCount(ctx)}
    AND NOT EXISTS (SELECT 1 FROM mail_pauses WHERE NOT ${IS_OWN_COUNT})`;

const PROBE_INTERVAL = hours(1);
/** Spreads what installations try when a new day begins at their provider. */
const MIDNIGHT_SPREAD = minutes(15);

export const nextProbe = (now: Instant, random: number): Instant =>
  Math.min(now + PROBE_INTERVAL, midnightAfter(now) + Math.floor(random * MIDNIGHT_SPREAD));

export async function readMailPause(db: Db): Promise<MailPause | null> {
  const [pause] = await db
    .select({ since: mailPauses.since, retryAt: mailPauses.retry_at, reason: mailPauses.reason })
    .from(mailPauses)
    .limit(1);
  return pause ?? null;
}

/** The same for every address. When it cannot be read, a page says nothing. */
export async function isMailDelayed(
  { db, log, request }: Pick<Ctx, "db" | "log" | "request">,
  kind: MailKind,
): Promise<boolean> {
  try {
    const pause = await readMailPause(db);
    return pause !== null && !(pause.reason === RESERVE_LEFT && isSecurityMail(kind));
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

/** What our own count says stays. */
export async function endMailPause(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<void> {
  await ctx.db.batch([ctx.db.delete(mailPauses), ...pauseByCount(ctx)]);
}

/**
 * Returns the SQL of a mail's state as pages show it: what waits for its address is held, and what waits during a pause
 * is delayed. `outbox`: its alias.
 */
export const shownMailStatus = (outbox: string): string =>
  `CASE WHEN ${outbox}.status = 'pending' AND ${outbox}.last_error = '${ADDRESS_HELD}' THEN 'held'
    WHEN ${outbox}.status = 'pending' AND EXISTS (SELECT 1 FROM mail_pauses p
      WHERE p.reason <> '${RESERVE_LEFT}' OR ${outbox}.kind NOT IN (${SECURITY_MAIL.map((kind) => `'${kind}'`).join(", ")}))
    THEN 'delayed' ELSE ${outbox}.status END`;

/** Says until when mail waits, and why: the end of a sentence such as "3 mails wait". */
export function pauseWords(
  { since, retryAt, reason }: MailPause,
  { config, now }: Pick<Ctx, "config" | "now">,
  zone: string,
): string {
  const today = dayIn(zone, now());
  const clock = (at: Instant) => formatInstant(at, zone, dayIn(zone, at) === today ? "time" : "short");
  if (reason === RESERVE_LEFT || reason === NONE_LEFT) {
    const count = dailyLimit(config)?.all.toLocaleString("en-US");
    const mails = count ? `today’s ${count} mails` : "today’s mails";
    return reason === NONE_LEFT
      ? ` until ${clock(retryAt)}: ${mails} are sent`
      : ` until ${clock(retryAt)}: ${ORDINARY_PERCENT}% of ${mails} are sent; sign-in mail still leaves`;
  }
  const quota = reason.includes("monthly") ? "monthly quota" : "daily quota";
  return `: the mail provider’s ${quota} is used up, since ${clock(since)}; tries again at ${clock(retryAt)}`;
}
