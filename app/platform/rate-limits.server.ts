import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { type Duration, days, hours, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "./context.server";

const MIB = 1024 * 1024;

type Limit = {
  limit: number;
  resetAfter: Duration;
  /** `escalating`: 1, 2, 4, 8, then 15 minutes. */
  block: Duration | "escalating";
};

/** With `escalating`, `resetAfter` must be longer than the longest block. */
export const RATE_LIMITS = {
  login_account: { limit: 5, resetAfter: hours(12), block: "escalating" },
  login_device: { limit: 10, resetAfter: hours(12), block: "escalating" },
  login_ip: { limit: 30, resetAfter: minutes(15), block: minutes(15) },
  mfa: { limit: 10, resetAfter: hours(1), block: minutes(15) },
  reset_addr: { limit: 3, resetAfter: hours(1), block: hours(1) },
  reset_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  signup_addr: { limit: 3, resetAfter: hours(1), block: hours(1) },
  signup_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  verify_addr: { limit: 3, resetAfter: hours(1), block: hours(1) },
  email_change_user: { limit: 3, resetAfter: hours(1), block: hours(1) },
  email_change_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  organization_user: { limit: 5, resetAfter: days(1), block: days(1) },
  invite_org: { limit: 20, resetAfter: days(1), block: days(1) },
  invite_new_org: { limit: 5, resetAfter: days(1), block: days(1) },
  /** What administrators send in batches, to people of all organizations. */
  invite_batch: { limit: 300, resetAfter: days(1), block: days(1) },
  /** To one mailbox a day: of one sender, of all organizations nobody has reviewed, of everybody. */
  invite_addr: { limit: 3, resetAfter: days(1), block: days(1) },
  invite_addr_new: { limit: 5, resetAfter: days(1), block: days(1) },
  invite_addr_all: { limit: 10, resetAfter: days(1), block: days(1) },
  link_ip: { limit: 20, resetAfter: hours(1), block: minutes(15) },
  link_user: { limit: 10, resetAfter: hours(1), block: minutes(15) },
  copy_addr: { limit: 5, resetAfter: hours(1), block: hours(1) },
  copy_user: { limit: 30, resetAfter: days(1), block: days(1) },
  copy_org: { limit: 30, resetAfter: days(1), block: days(1) },
  solved_user: { limit: 10, resetAfter: hours(1), block: hours(1) },
  closure_user: { limit: 3, resetAfter: days(1), block: days(1) },
  codes_user: { limit: 10, resetAfter: hours(1), block: minutes(15) },
  setup_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  contact_addr: { limit: 5, resetAfter: hours(1), block: hours(1) },
  contact_ip: { limit: 20, resetAfter: hours(1), block: hours(1) },
  ticket_user: { limit: 30, resetAfter: hours(1), block: hours(1) },
  ticket_org: { limit: 100, resetAfter: hours(1), block: hours(1) },
  ticket_new_org: { limit: 10, resetAfter: days(1), block: days(1) },
  ticket_staff: { limit: 300, resetAfter: hours(1), block: hours(1) },
  mail_test_user: { limit: 10, resetAfter: hours(1), block: hours(1) },
  change_user: { limit: 60, resetAfter: hours(1), block: hours(1) },
  change_org: { limit: 300, resetAfter: hours(1), block: hours(1) },
  change_new_org: { limit: 40, resetAfter: days(1), block: days(1) },
  change_staff: { limit: 1_000, resetAfter: hours(1), block: hours(1) },
  /** Of one sender: further ones wait in the list of held mails. */
  mail_sender: { limit: 40, resetAfter: hours(1), block: hours(1) },
  mail_domain: { limit: 100, resetAfter: hours(1), block: hours(1) },
  files_user: { limit: 60, resetAfter: hours(1), block: minutes(15) },
  file_bytes_user: { limit: 500 * MIB, resetAfter: days(1), block: days(1) },
  file_bytes_new_user: { limit: 50 * MIB, resetAfter: days(1), block: days(1) },
  /** Mails as they came, of which one may have 25 MB. */
  mail_files_user: { limit: 60, resetAfter: hours(1), block: minutes(15) },
  search_user: { limit: 120, resetAfter: minutes(1), block: minutes(1) },
  export_user: { limit: 10, resetAfter: hours(1), block: hours(1) },
  export_more_user: { limit: 120, resetAfter: hours(1), block: hours(1) },
  /** In twelfths of an archive: ten whole ones, in as many pieces as a download breaks into. */
  archive_user: { limit: 120, resetAfter: hours(1), block: hours(1) },
  /** Wrong keys. A right one is never counted. */
  backup_ip: { limit: 60, resetAfter: hours(1), block: hours(1) },
  csp_ip: { limit: 60, resetAfter: hours(1), block: days(1) },
} as const satisfies Record<string, Limit>;

export type LimitType = keyof typeof RATE_LIMITS;

/**
 * One statement, so that parallel requests cannot exceed the limit. The attempt that reaches it is allowed and starts
 * the block; those during a block do not extend it. Throws when D1 cannot write: none is uncounted.
 */
export async function takeLimit(
  db: Pick<Db, "insert" | "select">,
  type: LimitType,
  identifier: string,
  now: Instant,
  weight = 1,
): Promise<{ allowed: true } | { allowed: false; retryAt: Instant }> {
  const { limit, resetAfter, block } = RATE_LIMITS[type];
  const t = rateLimitAttempts;
  const duration =
    block === "escalating" ? sql`min(900000, 60000 * (1 << min(4, ${t.attempts} + 1 - ${limit})))` : sql`${block}`;
  const isRecent = sql`${t.last_attempt_at} >= ${now - resetAfter}`;
  const counted = await db
    .insert(t)
    .values({ attempt_type: type, identifier, attempts: weight, blocked_until: null, last_attempt_at: now })
    .onConflictDoUpdate({
      target: [t.attempt_type, t.identifier],
      set: {
        attempts: sql`case when ${isRecent} then ${t.attempts} + ${weight} else ${weight} end`,
        blocked_until: sql`case when ${isRecent} and ${t.attempts} + ${weight} >= ${limit} then ${now} + ${duration} end`,
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

/** Each period is counted by itself: who goes on slowly never reaches the limit. */
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

export function clearLimit(db: Db, type: LimitType, identifier: string) {
  return db
    .update(rateLimitAttempts)
    .set({ attempts: 0, blocked_until: null })
    .where(sql`${rateLimitAttempts.attempt_type} = ${type} and ${rateLimitAttempts.identifier} = ${identifier}`);
}

export const limitsOf = (type: LimitType, owner: string): SQL => {
  const { attempt_type, identifier } = rateLimitAttempts;
  // The semicolon follows the colon.
  return sql`${attempt_type} = ${type} AND ${identifier} > ${`${owner}:`} AND ${identifier} < ${`${owner};`}`;
};

export const clearLimitsOf = (db: Db, type: LimitType, owner: string) =>
  db.update(rateLimitAttempts).set({ attempts: 0, blocked_until: null }).where(limitsOf(type, owner));

export function giveBackLimit(db: Db, type: LimitType, identifier: string) {
  return db
    .update(rateLimitAttempts)
    .set({ attempts: sql`max(0, ${rateLimitAttempts.attempts} - 1)`, blocked_until: null })
    .where(sql`${rateLimitAttempts.attempt_type} = ${type} and ${rateLimitAttempts.identifier} = ${identifier}`);
}

export const giveBackLimitOfPeriod = (db: Db, type: LimitType, identifier: string, now: Instant) =>
  giveBackLimit(db, type, `${identifier}:${Math.floor(now / RATE_LIMITS[type].resetAfter)}`);

/** Counts a search of a person, in the round trip of the reads that are asked for beside it. */
export async function countSearch(
  { db, now }: Pick<Ctx, "db" | "now">,
  userId: string,
  text: string | null,
): Promise<Instant | null> {
  if (!text) return null;
  return takeLimitOfPeriod({ select: db.select, insert: db.insertBesideReads }, "search_user", userId, now());
}
