import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { rateLimitAttempts } from "~/db/schema/sessions";
import type { Instant } from "~/lib/time";
import { type LimitType, RATE_LIMITS } from "./rate-limits";

export type LimitAnswer = { allowed: true } | { allowed: false; retryAt: Instant };

/**
 * Reserves, counts and decides in one statement, so that a burst cannot slip through between reading and writing.
 * The attempt that reaches the limit is still admitted and starts the block; attempts during a block are neither
 * counted nor do they lengthen it.
 *
 * Throws when D1 cannot write: what the limit protects then answers 503. Limits fail closed.
 */
export async function takeLimit(db: Db, type: LimitType, identifier: string, now: Instant): Promise<LimitAnswer> {
  const { limit, memory, block } = RATE_LIMITS[type];
  const t = rateLimitAttempts;
  const length =
    block === "ladder"
      ? sql`min(900000, 60000 * (1 << min(4, ${t.attempts} + 1 - ${limit})))`
      : sql`${block as number}`;
  const remembered = sql`${t.last_attempt_at} >= ${now - memory}`;
  const admitted = await db
    .insert(t)
    .values({ attempt_type: type, identifier, attempts: 1, blocked_until: null, last_attempt_at: now })
    .onConflictDoUpdate({
      target: [t.attempt_type, t.identifier],
      set: {
        attempts: sql`case when ${remembered} then ${t.attempts} + 1 else 1 end`,
        blocked_until: sql`case when ${remembered} and ${t.attempts} + 1 >= ${limit} then ${now} + ${length} end`,
        last_attempt_at: now,
      },
      setWhere: sql`${t.blocked_until} is null or ${t.blocked_until} <= ${now}`,
    })
    .returning({ attempts: t.attempts });
  if (admitted.length > 0) return { allowed: true };

  const [row] = await db
    .select({ blockedUntil: t.blocked_until })
    .from(t)
    .where(sql`${t.attempt_type} = ${type} and ${t.identifier} = ${identifier}`)
    .limit(1);
  return { allowed: false, retryAt: row?.blockedUntil ?? now };
}

/** Forgets the attempts after a success. Returns the statement; the caller's batch carries it out. */
export function clearLimit(db: Db, type: LimitType, identifier: string) {
  return db
    .update(rateLimitAttempts)
    .set({ attempts: 0, blocked_until: null })
    .where(sql`${rateLimitAttempts.attempt_type} = ${type} and ${rateLimitAttempts.identifier} = ${identifier}`);
}

/** Gives a reserved attempt back, when it turned out that nothing was tried (hashing saturated, an outage). */
export function giveBackLimit(db: Db, type: LimitType, identifier: string) {
  return db
    .update(rateLimitAttempts)
    .set({ attempts: sql`max(0, ${rateLimitAttempts.attempts} - 1)`, blocked_until: null })
    .where(sql`${rateLimitAttempts.attempt_type} = ${type} and ${rateLimitAttempts.identifier} = ${identifier}`);
}
