import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { rateLimitAttempts } from "~/db/schema/sessions";
import type { Instant } from "~/lib/time";
import { type LimitType, RATE_LIMITS } from "./rate-limits";

type LimitDecision = { allowed: true } | { allowed: false; retryAt: Instant };

/**
 * Counts an attempt and decides whether it is allowed, in one statement, so that parallel requests cannot exceed the
 * limit. The attempt that reaches the limit is still allowed and starts the block. Attempts during a block are not
 * counted and do not extend it.
 *
 * Throws when D1 cannot write, so that the response is 503: no attempt is allowed without being counted.
 */
export async function takeLimit(
  db: Pick<Db, "insert" | "select">,
  type: LimitType,
  identifier: string,
  now: Instant,
): Promise<LimitDecision> {
  const { limit, resetAfter, block } = RATE_LIMITS[type];
  const t = rateLimitAttempts;
  const duration =
    block === "escalating" ? sql`min(900000, 60000 * (1 << min(4, ${t.attempts} + 1 - ${limit})))` : sql`${block}`;
  const isRecent = sql`${t.last_attempt_at} >= ${now - resetAfter}`;
  const counted = await db
    .insert(t)
    .values({ attempt_type: type, identifier, attempts: 1, blocked_until: null, last_attempt_at: now })
    .onConflictDoUpdate({
      target: [t.attempt_type, t.identifier],
      set: {
        attempts: sql`case when ${isRecent} then ${t.attempts} + 1 else 1 end`,
        blocked_until: sql`case when ${isRecent} and ${t.attempts} + 1 >= ${limit} then ${now} + ${duration} end`,
        last_attempt_at: now,
      },
      setWhere: sql`${t.blocked_until} is null or ${t.blocked_until} <= ${now}`,
    })
    .returning({ attempts: t.attempts });
  if (counted.length > 0) return { allowed: true };

  const [row] = await db
    .select({ blockedUntil: t.blocked_until })
    .from(t)
    .where(sql`${t.attempt_type} = ${type} and ${t.identifier} = ${identifier}`)
    .limit(1);
  return { allowed: false, retryAt: row?.blockedUntil ?? now };
}

/**
 * Counts an attempt in the present hour, day or whatever `resetAfter` of the limit is, each counted by itself: somebody
 * who goes on slowly never reaches the limit. Returns when they may go on; null: now.
 */
export async function takeLimitOfPeriod(
  db: Pick<Db, "insert" | "select">,
  type: LimitType,
  identifier: string,
  now: Instant,
): Promise<Instant | null> {
  const { resetAfter } = RATE_LIMITS[type];
  const period = Math.floor(now / resetAfter);
  const limit = await takeLimit(db, type, `${identifier}:${period}`, now);
  return limit.allowed ? null : (period + 1) * resetAfter;
}

/** Returns the statement that resets the attempts after a success, for the caller's batch. */
export function clearLimit(db: Db, type: LimitType, identifier: string) {
  return db
    .update(rateLimitAttempts)
    .set({ attempts: 0, blocked_until: null })
    .where(sql`${rateLimitAttempts.attempt_type} = ${type} and ${rateLimitAttempts.identifier} = ${identifier}`);
}

/**
 * Builds the condition of attempts whose identifiers begin with the owner's id and a colon: a range of the primary key.
 */
export const limitsOf = (type: LimitType, owner: string): SQL => {
  const { attempt_type, identifier } = rateLimitAttempts;
  // The semicolon follows the colon.
  return sql`${attempt_type} = ${type} AND ${identifier} > ${`${owner}:`} AND ${identifier} < ${`${owner};`}`;
};

/** Returns the statement that resets all attempts of a type that belong to an owner. */
export const clearLimitsOf = (db: Db, type: LimitType, owner: string) =>
  db.update(rateLimitAttempts).set({ attempts: 0, blocked_until: null }).where(limitsOf(type, owner));

/** Returns the statement that takes back one counted attempt, after a full hash queue or an outage. */
export function giveBackLimit(db: Db, type: LimitType, identifier: string) {
  return db
    .update(rateLimitAttempts)
    .set({ attempts: sql`max(0, ${rateLimitAttempts.attempts} - 1)`, blocked_until: null })
    .where(sql`${rateLimitAttempts.attempt_type} = ${type} and ${rateLimitAttempts.identifier} = ${identifier}`);
}
