import { sql } from "drizzle-orm";
import { validSession } from "~/db/account-conditions";
import { countRows, type Db } from "~/db/client.server";
import { withDevices } from "~/features/auth/sessions.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import type { CappedCount } from "~/lib/numbers";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { aboutText, countOpenAlerts, LOCKED_PERSON, listAcknowledged, listOpenAlerts, personOf } from "./alerts.server";
import {
  type ActiveSession,
  COUNTED_EVENTS,
  type FactorCoverage,
  LOCKOUT_TYPES,
  LONGEST_IDLE,
  type Lockout,
  type MfaEvent,
  SESSIONS_PER_PAGE,
  SHOWN_EVENTS,
  SHOWN_LOCKOUTS,
} from "./model";

export type StoredMfaEvent = Omit<MfaEvent, "id" | "succeeded"> & { id: number; success: number };

export const EVENT_COLUMNS = `t.id, t.user_id AS userId, u.full_name AS name, u.email, t.action, t.method, t.success,
  t.failure_reason AS failure, t.ip_address AS ip, t.created_at AS at`;

export const eventView = ({ id, success, ...event }: StoredMfaEvent): MfaEvent => ({
  id: String(id),
  ...event,
  succeeded: success === 1,
});

async function readRecentEvents(db: Db): Promise<{ counted: number; failed: number; newest: MfaEvent[] }> {
  const [results, rows] = await Promise.all([
    db.all<{ success: number }>(sql`
      SELECT success FROM mfa_audit_log INDEXED BY mfa_audit_by_time
      WHERE created_at > 0 ORDER BY created_at DESC, id DESC LIMIT ${COUNTED_EVENTS}`),
    db.all<StoredMfaEvent>(sql`
      SELECT ${sql.raw(EVENT_COLUMNS)} FROM (
        SELECT * FROM mfa_audit_log INDEXED BY mfa_audit_by_time
        WHERE created_at > 0 ORDER BY created_at DESC, id DESC LIMIT ${SHOWN_EVENTS}) t
      LEFT JOIN users u ON u.id = t.user_id ORDER BY t.created_at DESC, t.id DESC`),
  ]);
  const failed = results.filter(({ success }) => success === 0).length;
  return { counted: results.length, failed, newest: rows.map(eventView) };
}

export async function readCoverage(db: Db): Promise<FactorCoverage> {
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

const countSessions = (db: Db, now: Instant): Promise<CappedCount> =>
  countRows(
    db,
    sql`SELECT 1 FROM sessions s INDEXED BY sessions_by_use CROSS JOIN users u ON u.id = s.user_id
    WHERE s.last_seen_at > ${now - LONGEST_IDLE} AND ${validSession(now)}`,
  );

/** Those that are blocked longest first. */
async function listLockouts(db: Db, now: Instant): Promise<Lockout[]> {
  const rows = await db.all<{
    type: string;
    identifier: string;
    attempts: number;
    blockedUntil: Instant;
    userId: string | null;
    name: string | null;
    email: string | null;
  }>(sql`
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

export async function readMonitoring({ db, now }: Pick<Ctx, "db" | "now">) {
  const at = now();
  const { settings, value } = await readInSiteZone(db, () =>
    Promise.all([
      readRecentEvents(db),
      listOpenAlerts(db),
      countOpenAlerts(db),
      listAcknowledged(db),
      readCoverage(db),
      countSessions(db, at),
      listLockouts(db, at),
    ]),
  );
  const [events, alerts, alertCount, acknowledged, coverage, sessions, lockouts] = value;
  return { events, alerts, alertCount, acknowledged, coverage, sessions, lockouts, zone: settings.timeZone };
}

export type MonitoringRead = Awaited<ReturnType<typeof readMonitoring>>;

/** Some of them have ended without anybody saying so. */
const SESSIONS_SCANNED = 75;

type StoredSession = Omit<ActiveSession, "device"> & { sessionHash: string; isValid: number };

type Position = { lastSeenAt: Instant; id: number };

/** Those that were used last first. `next`: the position of the next page, as its address has it. */
export type SessionPage = { sessions: ActiveSession[]; next: string | null; zone: string };

export async function readOpenSessions(ctx: Ctx, before: string | null): Promise<SessionPage> {
  const from = positionIn(before) ?? { lastSeenAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  const { settings, value: rows } = await readInSiteZone(ctx.db, () => listSessions(ctx.db, ctx.now(), from));
  const valid = rows.filter(({ isValid }) => isValid === 1);
  const shown = await withDevices(ctx, valid.slice(0, SESSIONS_PER_PAGE));
  const sessions = shown.map(({ isValid: _, sessionHash: _secret, ...session }) => session);
  const last =
    valid.length > SESSIONS_PER_PAGE ? sessions.at(-1) : rows.length === SESSIONS_SCANNED ? rows.at(-1) : undefined;
  return { sessions, next: last ? `${last.lastSeenAt}.${last.id}` : null, zone: settings.timeZone };
}

const listSessions = (db: Db, now: Instant, { lastSeenAt, id }: Position): Promise<StoredSession[]> =>
  db.all<StoredSession>(sql`
    SELECT s.id, u.id AS userId, u.full_name AS name, u.email, u.is_staff AS isStaff, s.id_hash AS sessionHash,
      s.ip_prefix AS network, s.created_at AS startedAt, s.last_seen_at AS lastSeenAt, ${validSession(now)} AS isValid
    FROM (
      SELECT rowid AS id, * FROM sessions INDEXED BY sessions_by_use
      WHERE revoked_at IS NULL AND last_seen_at > ${now - LONGEST_IDLE}
        AND (last_seen_at, rowid) < (${lastSeenAt}, ${id})
      ORDER BY last_seen_at DESC, rowid DESC LIMIT ${SESSIONS_SCANNED}) s
    JOIN users u ON u.id = s.user_id ORDER BY s.last_seen_at DESC, s.id DESC`);

function positionIn(text: string | null): Position | null {
  const [, lastSeenAt, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return lastSeenAt && id ? { lastSeenAt: Number(lastSeenAt), id: Number(id) } : null;
}
