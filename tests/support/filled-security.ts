import { sql } from "drizzle-orm";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { WEDNESDAY } from "./context";
import { numbers } from "./filled-lists";

/** Holds the time of the newest row of filled tables; the others came before it. */
const NEWEST = WEDNESDAY - minutes(1);

/** Fills MFA events back in time, a minute apart; one of four failed. One is of Zelda Quirke Wu. */
export async function fillMfaEvents({ db }: Ctx, _userId: string, range: [number, number]) {
  await db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status)
    VALUES ('usr_scale_1', ${NEWEST}, ${NEWEST}, 'one@scale.example', 'Ada Becker', 'ada becker', 'active'),
      ('usr_scale_2', ${NEWEST}, ${NEWEST}, 'two@scale.example', 'Zelda Quirke Wu', 'zelda quirke wu', 'active')
    ON CONFLICT DO NOTHING`);
  await db.run(sql`
    INSERT INTO mfa_audit_log(user_id, action, method, success, failure_reason, ip_address, created_at)
    ${numbers(range)} SELECT iif(i = 150, 'usr_scale_2', 'usr_scale_1'),
      CASE i % 20 WHEN 5 THEN 'backup_code_used' WHEN 7 THEN 'setup' ELSE 'verify_challenge' END,
      iif(i % 20 = 5, 'backup_code', 'totp'), i % 4 <> 0, iif(i % 4 = 0, 'wrong_code', NULL),
      '203.0.113.' || i % 250, ${NEWEST} - i * 60000 FROM n`);
}

/** Fills accounts of which one in three has a second factor, and one in nine backup codes. */
export async function fillFactors(ctx: Ctx, _userId: string, range: [number, number]) {
  // Accounts of their own: the lists of a file share a database.
  await ctx.db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status, listed_role)
    ${numbers(range)} SELECT printf('usr_f%06d', i), ${NEWEST} - i * 1000, ${NEWEST}, 'f' || i || '@scale.example',
      'Ada Becker', CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE printf('ada becker %05d', i * 7919 % 20011) END,
      'active', CASE WHEN i % 20 = 0 THEN 'admin' WHEN i % 10 = 1 THEN 'moderator' ELSE 'user' END FROM n`);
  await ctx.db.run(sql`
    INSERT INTO user_mfa_settings(user_id, is_enabled, last_totp_step, updated_at)
    ${numbers(range)} SELECT printf('usr_f%06d', i), 1, 59833800, ${NEWEST} FROM n WHERE i % 3 = 0`);
  await ctx.db.run(sql`
    INSERT INTO mfa_backup_codes(id, user_id, set_id, salt, code_hash, used_at, created_at)
    ${numbers(range)} SELECT printf('cod_%d_%d', i, c.value), printf('usr_f%06d', i), 'set', 'salt', c.value,
      iif(c.value = 3, ${NEWEST}, NULL), ${NEWEST}
    FROM n JOIN json_each('[0,1,2,3,4,5,6,7,8,9]') c WHERE i % 9 = 0`);
}

/**
 * Fills what the monitoring page reads beside the events: alerts, blocked sign-ins, and sessions, many of them over.
 */
export async function fillMonitoring(ctx: Ctx, userId: string, range: [number, number]) {
  await fillMfaEvents(ctx, userId, range);
  const { db } = ctx;
  await db.run(sql`
    INSERT INTO security_alerts(id, kind, subject, user_id, severity, attempts, opened_at, last_at, closed_at,
      acknowledged_by, acknowledged_name)
    ${numbers(range)} SELECT printf('alr_%06d', i), 'suspicious_activity', i, 'usr_scale_1', 'high', 5, ${NEWEST} - i,
      ${NEWEST} - i, iif(i % 2, NULL, ${NEWEST} - i), iif(i % 2, NULL, ${userId}), iif(i % 2, NULL, 'Avery') FROM n`);
  await db.run(sql`
    INSERT INTO rate_limit_attempts(attempt_type, identifier, attempts, blocked_until, last_attempt_at)
    ${numbers(range)} SELECT iif(i % 3, 'login_account', 'login_ip'), iif(i % 3, 'anon:' || i, '203.0.113.' || i), 7,
      iif(i % 2, NULL, ${WEDNESDAY} + i), ${NEWEST} FROM n`);
  await db.run(sql`
    INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at,
      reauth_at, ip_prefix)
    ${numbers(range)} SELECT 'hash_' || i, 'usr_scale_1', 0, 2, ${NEWEST} - i, ${NEWEST} - i,
      iif(i % 3, ${WEDNESDAY} + 1, ${NEWEST}), ${WEDNESDAY} + 1, ${NEWEST}, '203.0.113.0/24' FROM n`);
}
