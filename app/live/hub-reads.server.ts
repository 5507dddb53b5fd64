import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { type Audience, canListen, type Listener, organizationAudience } from "~/access/live-events";
import { lacksRequiredMfa, type OrganizationRole, platformRole } from "~/access/model";
import { MFA_REQUIRED_SINCE, validSession } from "~/db/account-conditions";
import type { LiveEventType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import { REPLAY_LIMIT } from "./protocol";

export type LiveSession = {
  sid: string;
  exp: Instant;
  name: string;
  listener: Listener;
  canListen: boolean;
};

export type StoredEvent = {
  seq: number;
  type: LiveEventType;
  id: string;
  label: string;
  actor_id: string | null;
  at: Instant;
};

export type DeliveryData = {
  /** A session that is missing here has ended. */
  sessions: ReadonlyMap<string, LiveSession>;
  events: StoredEvent[];
  newestSeq: number;
};

type SessionRow = {
  sid: string;
  exp: number;
  aal: number;
  user_id: string;
  name: string;
  role: string | null;
  mfa: number | null;
  mfa_required_since: number | null;
  organization_id: string | null;
  organization_role: OrganizationRole | null;
};

type SessionsQuery = { audience: Audience; sids: string[]; now: Instant };
type DeliveryQuery = SessionsQuery & { afterSeq: number };

/** One round trip and one snapshot, from the primary: a replica may still have a session that has ended. */
export async function readForDelivery(d1: D1Database, query: DeliveryQuery): Promise<DeliveryData> {
  const { audience, afterSeq } = query;
  const primary = d1.withSession("first-primary");
  const statements = [
    validSessions(query),
    sql`
      SELECT seq, type, subject_id AS id, label, actor_id, at FROM live_events
      WHERE audience = ${audience} AND seq > ${afterSeq} ORDER BY seq DESC LIMIT ${REPLAY_LIMIT + 1}`,
    sql`SELECT coalesce(max(seq), 0) AS seq FROM live_events WHERE audience = ${audience}`,
  ].map((query) => prepared(primary, query));
  const [sessions, events, newest] = await primary.batch<unknown>(statements);
  return {
    sessions: sessionsById((sessions?.results ?? []) as SessionRow[], query),
    events: ((events?.results ?? []) as StoredEvent[]).reverse(),
    newestSeq: ((newest?.results ?? []) as { seq: number }[])[0]?.seq ?? 0,
  };
}

export async function readSessions(d1: D1Database, query: SessionsQuery): Promise<ReadonlyMap<string, LiveSession>> {
  const { results } = await prepared(d1.withSession("first-primary"), validSessions(query)).all<SessionRow>();
  return sessionsById(results, query);
}

const validSessions = ({ audience, sids, now }: SessionsQuery): SQL => sql`
  SELECT s.id_hash AS sid, s.abs_expires_at AS exp, s.aal, s.user_id, u.full_name AS name, r.role, f.is_enabled AS mfa,
    CASE WHEN f.is_enabled = 1 THEN NULL ELSE ${MFA_REQUIRED_SINCE} END AS mfa_required_since,
    m.organization_id, m.role AS organization_role
  FROM json_each(${JSON.stringify(sids)}) AS connected
  JOIN sessions s ON s.id_hash = connected.value
  JOIN users u ON u.id = s.user_id
  LEFT JOIN user_roles r ON r.user_id = u.id
  LEFT JOIN user_mfa_settings f ON f.user_id = u.id
  LEFT JOIN organization_memberships m
    ON m.user_id = u.id AND m.organization_id = ${organizationOf(audience)} AND m.status = 'active'
  WHERE ${validSession(now)}`;

const sessionsById = (rows: SessionRow[], query: SessionsQuery): ReadonlyMap<string, LiveSession> =>
  new Map(rows.map((row) => [row.sid, liveSession(row, query)]));

const dialect = new SQLiteAsyncDialect();

/** Builds a statement of D1, because drizzle's own batch does not support raw queries with values. */
function prepared(primary: D1DatabaseSession, query: SQL): D1PreparedStatement {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return primary.prepare(text).bind(...params);
}

const ORGANIZATION_PREFIX = organizationAudience("");

const organizationOf = (audience: Audience): string | null =>
  audience.startsWith(ORGANIZATION_PREFIX) ? audience.slice(ORGANIZATION_PREFIX.length) : null;

function liveSession(row: SessionRow, { audience, now }: SessionsQuery): LiveSession {
  const { organization_id: organizationId, organization_role: role } = row;
  const platform = platformRole(row.role);
  const mfaEnabled = row.mfa === 1;
  const listener: Listener = {
    userId: row.user_id,
    // In an organization only the membership counts, as in the portal: staff hear no more than its other people.
    role: audience === "staff" ? platform : "user",
    aal: row.aal,
    mfaEnabled,
    membership: organizationId && role ? { organizationId, role } : null,
  };
  // As the guards of pages do: whoever has not set up a factor in time may do nothing else.
  const isOverdue = lacksRequiredMfa({ role: platform, mfaRequiredSince: row.mfa_required_since, mfaEnabled }, now);
  return {
    sid: row.sid,
    exp: row.exp,
    name: row.name,
    listener,
    canListen: !isOverdue && canListen(listener, audience),
  };
}
