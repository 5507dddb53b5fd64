import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import { commit, countRows, type Db, expectChange, expectThat } from "~/db/client.server";
import { securityAlerts } from "~/db/schema/security";
import { withoutLinks } from "~/features/mail/compose";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { NOTIFICATION_EVENTS } from "~/features/notifications/model";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import { getSettings } from "~/features/settings/queries.server";
import type { CappedCount } from "~/lib/numbers";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { networkPrefix } from "~/platform/request-headers.server";
import { formatInstant } from "~/ui/text";
import { alertMessage, SEVERITY_LABELS } from "./labels";
import {
  type AcknowledgedAlert,
  ALERT_MAIL_INTERVAL,
  type Alert,
  type AlertKind,
  type AlertSeverity,
  LOCKOUT_HIGH_AT,
  LOCKOUT_TYPES,
  type NamedPerson,
  type OpenAlert,
  SECURITY_PATH,
  SHOWN_ACKNOWLEDGED,
  SHOWN_ALERTS,
  SUSPICIOUS_AT,
  SUSPICIOUS_HIGH_AT,
  SUSPICIOUS_WINDOW,
} from "./model";

/** The type of a limit and its identifier, or only the id of a person. */
function partsOf(subject: string): { source: string; identifier: string } {
  const space = subject.indexOf(" ");
  return { source: space < 0 ? "" : subject.slice(0, space), identifier: subject.slice(space + 1) };
}

/**
 * A network by its beginning, an address without an account by a part of its hash: people type passwords into the field
 * for it.
 */
export function aboutText(person: NamedPerson, { source, identifier }: { source: string; identifier: string }): string {
  if (person) return person.name;
  if (source === "login_ip") return `Network ${networkPrefix(identifier.replace("/64", ""))}`;
  if (identifier.startsWith("anon:")) return `Address without an account (${identifier.slice(5, 13)})`;
  return "Account that is gone";
}

type StoredPerson = { userId: string | null; name: string | null; email: string | null };

type StoredAlert = StoredPerson & {
  id: string;
  kind: AlertKind;
  subject: string;
  severity: AlertSeverity;
  attempts: number;
  lastAt: Instant;
};

type StoredAcknowledged = StoredAlert & { acknowledgedBy: string; acknowledgedAt: Instant; note: string | null };

export const personOf = ({ userId, name, email }: StoredPerson): NamedPerson =>
  userId !== null && name !== null && email !== null ? { id: userId, name, email } : null;

const select = (columns: SQL, alerts: SQL): SQL => sql`
  SELECT a.id, a.kind, a.subject, a.severity, a.attempts, a.last_at AS lastAt, u.id AS userId, u.full_name AS name,
    u.email ${columns}
  FROM (${alerts}) a LEFT JOIN users u ON u.id = a.user_id`;

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

export const countOpenAlerts = (db: Db): Promise<CappedCount> =>
  countRows(db, sql`SELECT 1 FROM security_alerts INDEXED BY open_alerts WHERE closed_at IS NULL AND last_at > 0`);

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

/** Of each kind in one run; the next one continues. */
const MAX_DUE = 50;

type DueAlert = {
  kind: AlertKind;
  subject: string;
  userId: string | null;
  /** Null where no account is known. */
  fullName: string | null;
  email: string | null;
  severity: AlertSeverity;
  attempts: number;
  lastAt: Instant;
  /** Of the open alert that it belongs to; null: there is none. */
  openAs: AlertSeverity | null;
};

type Evidence = { kind: SQL; subject: SQL; lastAt: SQL; attempts: SQL };

/** An open one, or one that somebody has acknowledged knowing them. Suspicious codes include the failed ones. */
const isCovered = ({ kind, subject, lastAt, attempts }: Evidence): SQL => sql`EXISTS (
  SELECT 1 FROM security_alerts c INDEXED BY alerts_by_subject
  WHERE c.subject = ${subject} AND c.last_at >= ${lastAt} AND c.attempts >= ${attempts}
    AND (c.kind = ${kind} OR (c.kind = 'suspicious_activity' AND ${kind} = 'failed_mfa')))`;

const COLUMNS = sql`d.kind, d.subject, d.user_id AS userId, u.full_name AS fullName, u.email, d.severity, d.attempts,
  d.last_at AS lastAt, a.severity AS openAs`;

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
 * Within the last hour: three are suspicious, five a high alert, fewer an alert of their own where a sign-in was meant.
 */
const listFailedFactors = (db: Db, now: Instant): Promise<DueAlert[]> =>
  db.all<DueAlert>(sql`
    SELECT ${COLUMNS} FROM (
      SELECT user_id, user_id AS subject, count(*) AS attempts, max(created_at) AS last_at,
        iif(count(*) >= ${SUSPICIOUS_AT}, 'suspicious_activity', 'failed_mfa') AS kind,
        iif(count(*) >= ${SUSPICIOUS_HIGH_AT}, 'high', 'medium') AS severity
      FROM mfa_audit_log INDEXED BY failed_mfa_events
      WHERE success = 0 AND created_at > ${now - SUSPICIOUS_WINDOW} GROUP BY user_id
      HAVING count(*) >= ${SUSPICIOUS_AT} OR max(action = 'verify_challenge')) d
    JOIN users u ON u.id = d.user_id ${JOINED}`);

const listLockouts = (db: Db, now: Instant): Promise<DueAlert[]> =>
  db.all<DueAlert>(sql`
    SELECT ${COLUMNS} FROM (
      SELECT 'account_lockout' AS kind, attempt_type || ' ' || identifier AS subject,
        (SELECT id FROM users WHERE id = ${LOCKED_PERSON}) AS user_id, attempts, last_attempt_at AS last_at,
        iif(attempts >= ${LOCKOUT_HIGH_AT}, 'high', 'medium') AS severity
      FROM rate_limit_attempts INDEXED BY blocked_attempts
      WHERE blocked_until > ${now} AND attempt_type IN ${[...LOCKOUT_TYPES]}) d
    LEFT JOIN users u ON u.id = d.user_id ${JOINED}`);

/** NULL for a network or an address without an account. */
export const LOCKED_PERSON = sql`CASE attempt_type WHEN 'mfa' THEN identifier
  WHEN 'login_device' THEN substr(identifier, 1, instr(identifier, ':') - 1)
  WHEN 'login_account' THEN iif(identifier LIKE 'user:%', substr(identifier, 6), NULL) END`;

const EVENT = "security_alert";

/**
 * To every administrator who wants it, once and together. While alerts come in quick succession a mail waits for the
 * next ones, so that an attack does not fill the mailboxes.
 */
async function mailHighAlerts(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const [alerts, lastMail] = await Promise.all([listUnmailed(ctx), lastMailedAt(ctx)]);
  if (alerts.length === 0 || (lastMail !== null && lastMail > now - ALERT_MAIL_INTERVAL)) return;
  const [administrators, { timeZone }] = await Promise.all([listReaders(ctx), getSettings(ctx.db)]);
  const lines = alerts.map((alert) => {
    const parts = partsOf(alert.subject);
    const person = personOf(alert);
    // People choose their names themselves; the address of a network stays as it is.
    const term = aboutText(person && { ...person, name: withoutLinks(person.name) }, parts);
    const time = formatInstant(alert.lastAt, timeZone, "datetime");
    return { term, detail: `${alertMessage({ ...alert, source: parts.source })}, last at ${time}` };
  });
  const unmailed = sql`id IN (SELECT value FROM json_each(${JSON.stringify(alerts.map(({ id }) => id))}))
    AND mailed_at IS NULL AND closed_at IS NULL`;
  const isMailed = await commit(ctx.db, [
    expectThat(ctx.db, sql`(SELECT count(*) FROM security_alerts WHERE ${unmailed}) = ${alerts.length}`),
    ctx.db.update(securityAlerts).set({ mailed_at: now }).where(unmailed),
    ...enqueueMails(
      ctx,
      "security-alert",
      administrators.map(({ id, email }) => ({
        to: email,
        reader: id,
        about: { type: "user" as const, id },
        data: { alerts: lines, path: SECURITY_PATH },
      })),
    ),
  ]);
  if (isMailed) ctx.after(deliverOutbox(ctx));
}

const listReaders = ({ db }: Pick<Ctx, "db">): Promise<{ id: string; email: string }[]> =>
  db.all<{ id: string; email: string }>(sql`
    SELECT u.id, u.email FROM user_roles r JOIN users u ON u.id = r.user_id AND u.status = 'active'
    LEFT JOIN notification_preferences p ON p.user_id = u.id AND p.event = ${EVENT}
    WHERE r.role = 'admin' AND coalesce(p.by_mail, ${NOTIFICATION_EVENTS[EVENT].byMail ? 1 : 0}) LIMIT 200`);

const listUnmailed = ({ db }: Pick<Ctx, "db">): Promise<StoredAlert[]> =>
  db.all<StoredAlert>(sql`
    SELECT a.id, a.kind, a.subject, a.severity, a.attempts, a.last_at AS lastAt, u.id AS userId, u.full_name AS name,
      u.email
    FROM security_alerts a INDEXED BY alerts_to_mail LEFT JOIN users u ON u.id = a.user_id
    WHERE a.severity = 'high' AND a.mailed_at IS NULL AND a.closed_at IS NULL AND a.opened_at > 0 ORDER BY a.opened_at
    LIMIT ${SHOWN_ALERTS}`);

async function lastMailedAt({ db }: Pick<Ctx, "db">): Promise<Instant | null> {
  const [row] = await db.all<{ at: Instant | null }>(
    sql`SELECT max(mailed_at) AS at FROM security_alerts WHERE mailed_at IS NOT NULL`,
  );
  return row?.at ?? null;
}

/** A second run, or one at the same time, finds them raised. */
export async function raiseAlerts(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const now = ctx.now();
  const [factors, lockouts] = await Promise.all([listFailedFactors(ctx.db, now), listLockouts(ctx.db, now)]);
  let count = 0;
  let isCutShort = false;
  for (const due of [...factors, ...lockouts]) {
    if (await raise(ctx, due)) count += 1;
    isCutShort = ctx.budget.isUsedUp();
    if (isCutShort) break;
  }
  count += await endSingleFailures(ctx);
  await mailHighAlerts(ctx);
  if (count > 0) ctx.after(ctx.live.notify("staff"));
  return { count, more: isCutShort || factors.length === MAX_DUE || lockouts.length === MAX_DUE };
}

/** False if another run, or an administrator, was faster. */
function raise(ctx: Ctx, due: DueAlert): Promise<boolean> {
  const { kind, subject, userId, severity, attempts, lastAt, openAs } = due;
  const t = securityAlerts;
  const isNews = openAs === null || (openAs === "medium" && severity === "high");
  const covered = isCovered({
    kind: sql`${kind}`,
    subject: sql`${subject}`,
    lastAt: sql`${lastAt}`,
    attempts: sql`${attempts}`,
  });
  return commit(ctx.db, [
    expectThat(ctx.db, sql`NOT ${covered}`),
    ctx.db
      .insert(t)
      .values({
        id: ctx.newId("alr"),
        kind,
        subject,
        user_id: userId,
        severity,
        attempts,
        opened_at: ctx.now(),
        last_at: lastAt,
      })
      .onConflictDoUpdate({
        target: [t.kind, t.subject],
        targetWhere: isNull(t.closed_at),
        set: {
          severity: sql`iif(${t.severity} = 'high', 'high', excluded.severity)`,
          attempts: sql`max(${t.attempts}, excluded.attempts)`,
          last_at: sql`max(${t.last_at}, excluded.last_at)`,
        },
      }),
    expectChange(ctx.db),
    ...(kind === "suspicious_activity" ? [replaceSingleFailure(ctx, subject)] : []),
    ...(isNews ? notifyAdministrators(ctx, due) : []),
  ]);
}

/**
 * Of an alert that is new, or worse than before. Lists do not say whom it is about. Of a single failed code only where
 * it is staff's: clients mistype every day.
 */
function notifyAdministrators(ctx: Ctx, { kind, subject, userId, fullName, email, severity, attempts }: DueAlert) {
  const parts = partsOf(subject);
  const person = userId && fullName && email ? { id: userId, name: fullName, email } : null;
  const message = alertMessage({ kind, attempts, source: parts.source });
  const isOfInterest =
    kind === "failed_mfa" ? sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND is_staff = 1)` : sql`1`;
  return [
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "mfa_event",
      subject: { type: "user", id: userId },
      label: `${SEVERITY_LABELS[severity]} alert, ${aboutText(person, parts)}: ${message}`,
      onlyIf: isOfInterest,
    }),
    ...notifyPeople(ctx, {
      subject: { type: "user", id: userId ?? "" },
      label: sql`${`${SEVERITY_LABELS[severity]}, ${message}`}`,
      itemId: "",
      recipients: [{ event: "security_alert", people: sql`${activeStaff} AND r.role = 'admin' AND ${isOfInterest}` }],
      actor: { userId: null, fullName: "" },
      mail: null,
    }),
  ];
}

const openFailure = eq(securityAlerts.kind, "failed_mfa");

/** A wider alert tells of it too. */
const replaceSingleFailure = (ctx: Pick<Ctx, "db" | "now">, subject: string) =>
  ctx.db
    .update(securityAlerts)
    .set({ closed_at: ctx.now() })
    .where(and(openFailure, eq(securityAlerts.subject, subject), isNull(securityAlerts.closed_at)));

/** Nothing followed within the hour: somebody had mistyped a code. */
async function endSingleFailures(ctx: Pick<Ctx, "db" | "now">): Promise<number> {
  const t = securityAlerts;
  const isOver = and(openFailure, isNull(t.closed_at), lte(t.last_at, ctx.now() - SUSPICIOUS_WINDOW));
  const found = await ctx.db.select({ id: t.id }).from(t).where(isOver).limit(1);
  if (found.length === 0) return 0;
  const ended = await ctx.db.update(t).set({ closed_at: ctx.now() }).where(isOver);
  return ended.meta.changes;
}
