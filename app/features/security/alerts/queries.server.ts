import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { type CappedCount, COUNT_LIMIT, capped } from "~/lib/capped-count";
import type { Instant } from "~/lib/time";
import { alertMessage } from "../copy";
import {
  type AcknowledgedAlert,
  type Alert,
  type AlertKind,
  type AlertSeverity,
  type NamedPerson,
  type OpenAlert,
  SHOWN_ACKNOWLEDGED,
  SHOWN_ALERTS,
} from "../model";
import { aboutText, partsOf } from "../subject.server";

type StoredPerson = { userId: string | null; name: string | null; email: string | null };

export type StoredAlert = StoredPerson & {
  id: string;
  kind: AlertKind;
  subject: string;
  severity: AlertSeverity;
  attempts: number;
  lastAt: Instant;
};

type StoredAcknowledged = StoredAlert & { acknowledgedBy: string; acknowledgedAt: Instant; note: string | null };

/** Returns the person of a row; null where no account is known, or it is gone. */
export const personOf = ({ userId, name, email }: StoredPerson): NamedPerson =>
  userId !== null && name !== null && email !== null ? { id: userId, name, email } : null;

const select = (columns: SQL, alerts: SQL): SQL => sql`
  SELECT a.id, a.kind, a.subject, a.severity, a.attempts, a.last_at AS lastAt, u.id AS userId, u.full_name AS name,
    u.email ${columns}
  FROM (${alerts}) a LEFT JOIN users u ON u.id = a.user_id`;

/** Lists the open alerts, newest first, as many as a page shows. */
export async function listOpenAlerts(db: Db): Promise<OpenAlert[]> {
  const open = sql`SELECT * FROM security_alerts INDEXED BY open_alerts WHERE closed_at IS NULL AND last_at > 0
    ORDER BY last_at DESC, id DESC LIMIT ${SHOWN_ALERTS}`;
  const counted = sql`, EXISTS (SELECT 1 FROM rate_limit_attempts r WHERE a.kind = 'account_lockout' AND r.attempts > 0
    AND r.attempt_type = substr(a.subject, 1, instr(a.subject, ' ') - 1)
    AND r.identifier = substr(a.subject, instr(a.subject, ' ') + 1)) AS isCounted`;
  const rows = await db.all<StoredAlert & { isCounted: 0 | 1 }>(
    sql`${select(counted, open)} ORDER BY a.last_at DESC, a.id DESC`,
  );
  return rows.map((row) => ({ ...viewOf(row), canUnlock: row.isCounted === 1 && row.userId !== null }));
}

/** Lists the alerts that were acknowledged last. */
export async function listAcknowledged(db: Db): Promise<AcknowledgedAlert[]> {
  const closed = sql`SELECT * FROM security_alerts INDEXED BY acknowledged_alerts WHERE acknowledged_by IS NOT NULL AND closed_at > 0
    ORDER BY closed_at DESC LIMIT ${SHOWN_ACKNOWLEDGED}`;
  const columns = sql`, a.acknowledged_name AS acknowledgedBy, a.closed_at AS acknowledgedAt, a.note`;
  const rows = await db.all<StoredAcknowledged>(sql`${select(columns, closed)} ORDER BY a.closed_at DESC`);
  return rows.map((row) => {
    const { acknowledgedBy, acknowledgedAt, note } = row;
    return { ...viewOf(row), acknowledgedBy, acknowledgedAt, note };
  });
}

/** Counts the open alerts, as far as counting is cheap. */
export async function countOpenAlerts(db: Db): Promise<CappedCount> {
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
    SELECT 1 FROM security_alerts INDEXED BY open_alerts WHERE closed_at IS NULL AND last_at > 0 LIMIT ${COUNT_LIMIT + 1})`);
  return capped(row?.count ?? 0);
}

function viewOf(row: StoredAlert): Alert {
  const { id, kind, severity, attempts, lastAt } = row;
  const parts = partsOf(row.subject);
  const person = personOf(row);
  return {
    id,
    kind,
    severity,
    person,
    about: aboutText(person, parts),
    message: alertMessage({ kind, attempts, source: parts.source }),
    lastAt,
  };
}
