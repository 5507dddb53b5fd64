import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import {
  type AlertKind,
  type AlertSeverity,
  LOCKOUT_HIGH_AT,
  LOCKOUT_TYPES,
  SUSPICIOUS_AT,
  SUSPICIOUS_HIGH_AT,
  SUSPICIOUS_WINDOW,
} from "../model";

/** Limits the alerts of each kind that one run raises; the next one continues. */
export const MAX_DUE = 50;

/** Describes what an alert is to be raised for. */
export type DueAlert = {
  kind: AlertKind;
  subject: string;
  userId: string | null;
  /** Names the person to those who are told at once; null where no account is known. */
  fullName: string | null;
  email: string | null;
  severity: AlertSeverity;
  attempts: number;
  lastAt: Instant;
  /** Holds the severity of the open alert that it belongs to; null: there is none. */
  openAs: AlertSeverity | null;
};

type Evidence = { kind: SQL; subject: SQL; lastAt: SQL; attempts: SQL };

/**
 * Builds the condition that an alert tells of these attempts already: an open one, or one that somebody has
 * acknowledged knowing them. Suspicious codes include the failed ones.
 */
export const isCovered = ({ kind, subject, lastAt, attempts }: Evidence): SQL => sql`EXISTS (
  SELECT 1 FROM security_alerts c INDEXED BY alerts_by_subject
  WHERE c.subject = ${subject} AND c.last_at >= ${lastAt} AND c.attempts >= ${attempts}
    AND (c.kind = ${kind} OR (c.kind = 'suspicious_activity' AND ${kind} = 'failed_mfa')))`;

const COLUMNS = sql`d.kind, d.subject, d.user_id AS userId, u.full_name AS fullName, u.email, d.severity, d.attempts,
  d.last_at AS lastAt, a.severity AS openAs`;

/** Joins the open alert of what is due, and leaves out what is told already. */
const JOINED = sql`
  LEFT JOIN security_alerts a ON a.kind = d.kind AND a.subject = d.subject AND a.closed_at IS NULL
  WHERE NOT ${isCovered({
    kind: sql`d.kind`,
    subject: sql`d.subject`,
    lastAt: sql`d.last_at`,
    attempts: sql`d.attempts`,
  })}
  ORDER BY d.attempts DESC LIMIT ${MAX_DUE}`;

/**
 * Lists the people whose codes failed within the last hour, over an index of failures by time: three are suspicious,
 * five are a high alert, and fewer are an alert of their own where a sign-in was meant.
 */
export const listFailedFactors = (db: Db, now: Instant): Promise<DueAlert[]> =>
  db.all<DueAlert>(sql`
    SELECT ${COLUMNS} FROM (
      SELECT user_id, user_id AS subject, count(*) AS attempts, max(created_at) AS last_at,
        iif(count(*) >= ${SUSPICIOUS_AT}, 'suspicious_activity', 'failed_mfa') AS kind,
        iif(count(*) >= ${SUSPICIOUS_HIGH_AT}, 'high', 'medium') AS severity
      FROM mfa_audit_log INDEXED BY failed_mfa_events
      WHERE success = 0 AND created_at > ${now - SUSPICIOUS_WINDOW} GROUP BY user_id
      HAVING count(*) >= ${SUSPICIOUS_AT} OR max(action = 'verify_challenge')) d
    JOIN users u ON u.id = d.user_id ${JOINED}`);

/** Lists the sign-ins that are blocked now, over an index of blocks. */
export const listLockouts = (db: Db, now: Instant): Promise<DueAlert[]> =>
  db.all<DueAlert>(sql`
    SELECT ${COLUMNS} FROM (
      SELECT 'account_lockout' AS kind, attempt_type || ' ' || identifier AS subject,
        (SELECT id FROM users WHERE id = ${LOCKED_PERSON}) AS user_id, attempts, last_attempt_at AS last_at,
        iif(attempts >= ${LOCKOUT_HIGH_AT}, 'high', 'medium') AS severity
      FROM rate_limit_attempts INDEXED BY blocked_attempts
      WHERE blocked_until > ${now} AND attempt_type IN ${[...LOCKOUT_TYPES]}) d
    LEFT JOIN users u ON u.id = d.user_id ${JOINED}`);

/** Selects the id of the person whose sign-in a limit is about; NULL for a network or an address without an account. */
export const LOCKED_PERSON = sql`CASE attempt_type WHEN 'mfa' THEN identifier
  WHEN 'login_device' THEN substr(identifier, 1, instr(identifier, ':') - 1)
  WHEN 'login_account' THEN iif(identifier LIKE 'user:%', substr(identifier, 6), NULL) END`;
