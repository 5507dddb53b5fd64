import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { validSession } from "~/db/valid-session";
import { type CappedCount, COUNT_LIMIT, capped } from "~/lib/capped-count";
import type { Instant } from "~/lib/time";
import { LOCKED_PERSON } from "./alerts/due-alerts.server";
import { personOf } from "./alerts/queries.server";
import {
  COUNTED_EVENTS,
  type Coverage,
  LOCKOUT_TYPES,
  LONGEST_IDLE,
  type Lockout,
  type MfaEvent,
  SHOWN_EVENTS,
  SHOWN_LOCKOUTS,
} from "./model";
import { aboutText } from "./subject.server";

export type StoredEvent = Omit<MfaEvent, "id" | "succeeded"> & { id: number; success: number };

/** Lists what is read of an MFA event, over `t` and the person `u`. */
export const EVENT_COLUMNS = `t.id, t.user_id AS userId, u.full_name AS name, u.email, t.action, t.method, t.success,
  t.failure_reason AS failure, t.ip_address AS ip, t.created_at AS at`;

/** Turns a stored event into the row that is shown. */
export const eventView = ({ id, success, ...event }: StoredEvent): MfaEvent => ({
  id: String(id),
  ...event,
  succeeded: success === 1,
});

/** Holds what the latest events say: how many of them succeeded, and the newest ones themselves. */
type RecentEvents = { counted: number; failed: number; newest: MfaEvent[] };

/** Reads the latest events. Only the newest of them are read with their people. */
export async function readRecentEvents(db: Db): Promise<RecentEvents> {
  const [results, rows] = await Promise.all([
    db.all<{ success: number }>(sql`
      SELECT success FROM mfa_audit_log INDEXED BY mfa_audit_by_time
      WHERE created_at > 0 ORDER BY created_at DESC, id DESC LIMIT ${COUNTED_EVENTS}`),
    db.all<StoredEvent>(sql`
      SELECT ${sql.raw(EVENT_COLUMNS)} FROM (
        SELECT * FROM mfa_audit_log INDEXED BY mfa_audit_by_time
        WHERE created_at > 0 ORDER BY created_at DESC, id DESC LIMIT ${SHOWN_EVENTS}) t
      LEFT JOIN users u ON u.id = t.user_id ORDER BY t.created_at DESC, t.id DESC`),
  ]);
  const failed = results.filter(({ success }) => success === 0).length;
  return { counted: results.length, failed, newest: rows.map(eventView) };
}

/** Reads how many people have a second factor, of those who can sign in: counts that triggers maintain. */
export async function readCoverage(db: Db): Promise<Coverage> {
  const totals = await db.all<{ name: string; value: number }>(sql`
    SELECT name, value FROM totals
    WHERE name IN ('factor.staff.on', 'factor.staff.off', 'factor.client.on', 'factor.client.off')`);
  const of = (side: string) => {
    const [on = 0, off = 0] = ["on", "off"].map(
      (state) => totals.find(({ name }) => name === `factor.${side}.${state}`)?.value,
    );
    return { on, all: on + off };
  };
  return { staff: of("staff"), clients: of("client") };
}

/** Counts the sessions that are valid now, as far as counting is cheap. */
export async function countSessions(db: Db, now: Instant): Promise<CappedCount> {
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
    SELECT 1 FROM sessions s INDEXED BY sessions_by_use CROSS JOIN users u ON u.id = s.user_id
    WHERE s.last_seen_at > ${now - LONGEST_IDLE} AND ${validSession(now)} LIMIT ${COUNT_LIMIT + 1})`);
  return capped(row?.count ?? 0);
}

type StoredLockout = {
  type: string;
  identifier: string;
  attempts: number;
  blockedUntil: Instant;
  userId: string | null;
  name: string | null;
  email: string | null;
};

/** Lists the sign-ins that are blocked now, those that are blocked longest first. */
export async function listLockouts(db: Db, now: Instant): Promise<Lockout[]> {
  const rows = await db.all<StoredLockout>(sql`
    SELECT l.type, l.identifier, l.attempts, l.blockedUntil, u.id AS userId, u.full_name AS name, u.email FROM (
      SELECT attempt_type AS type, identifier, attempts, blocked_until AS blockedUntil, ${LOCKED_PERSON} AS user_id
      FROM rate_limit_attempts INDEXED BY blocked_attempts
      WHERE blocked_until > ${now} AND attempt_type IN ${[...LOCKOUT_TYPES]}
      ORDER BY blocked_until DESC LIMIT ${SHOWN_LOCKOUTS}) l
    LEFT JOIN users u ON u.id = l.user_id ORDER BY l.blockedUntil DESC`);
  return rows.map((row) => {
    const person = personOf(row);
    const about = aboutText(person, { source: row.type, identifier: row.identifier });
    return {
      id: `${row.type} ${about} ${row.blockedUntil}`,
      type: row.type,
      person,
      about,
      attempts: row.attempts,
      blockedUntil: row.blockedUntil,
    };
  });
}
