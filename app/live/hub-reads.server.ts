import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { type Audience, canListen, type Listener, organizationAudience } from "~/access/live-events";
import { type OrganizationRole, platformRole } from "~/access/model";
import { isSessionAlive } from "~/db/session-conditions";
import type { LiveEventType } from "~/lib/live-event-types";
import type { Instant } from "~/lib/time";
import { REPLAY_LIMIT } from "./protocol";

/** A session that is alive at this moment. One that is not in the answer is over. */
export type LiveSession = {
  sid: string;
  /** The end of the session, however busy it is. */
  exp: Instant;
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

export type HubReading = {
  sessions: ReadonlyMap<string, LiveSession>;
  /** Oldest first; one more than is ever sent again, so that "too many" can be told from "just enough". */
  events: StoredEvent[];
  /** The newest event of the audience, 0 when there is none. */
  newest: number;
};

type SessionRow = {
  sid: string;
  exp: number;
  aal: number;
  user_id: string;
  role: string | null;
  mfa: number | null;
  organization_id: string | null;
  organization_role: OrganizationRole | null;
};

type Question = { audience: Audience; sids: string[]; afterSeq: number; now: Instant };

/**
 * Reads everything a delivery depends on, in one round trip and one snapshot: which of the sessions are alive, and what
 * has happened after `afterSeq`. From the primary: a lagging copy could still know a session that has ended.
 */
export async function readForDelivery(
  d1: D1Database,
  { audience, sids, afterSeq, now }: Question,
): Promise<HubReading> {
  const primary = d1.withSession("first-primary");
  const statements = [
    sql`
      SELECT s.id_hash AS sid, s.abs_expires_at AS exp, s.aal, s.user_id, r.role, f.is_enabled AS mfa,
        m.organization_id, m.role AS organization_role
      FROM json_each(${JSON.stringify(sids)}) AS wanted
      JOIN sessions s ON s.id_hash = wanted.value
      JOIN users u ON u.id = s.user_id
      LEFT JOIN user_roles r ON r.user_id = u.id
      LEFT JOIN user_mfa_settings f ON f.user_id = u.id
      LEFT JOIN organization_memberships m
        ON m.user_id = u.id AND m.organization_id = ${organizationOf(audience)} AND m.status = 'active'
      WHERE ${isSessionAlive(now)}`,
    sql`
      SELECT seq, type, subject_id AS id, label, actor_id, at FROM live_events
      WHERE audience = ${audience} AND seq > ${afterSeq} ORDER BY seq DESC LIMIT ${REPLAY_LIMIT + 1}`,
    sql`SELECT coalesce(max(seq), 0) AS seq FROM live_events WHERE audience = ${audience}`,
  ].map((query) => prepared(primary, query));
  const [sessions, events, newest] = await primary.batch<unknown>(statements);
  const sessionRows = (sessions?.results ?? []) as SessionRow[];
  return {
    sessions: new Map(sessionRows.map((row) => [row.sid, liveSession(row, audience)])),
    events: ((events?.results ?? []) as StoredEvent[]).reverse(),
    newest: ((newest?.results ?? []) as { seq: number }[])[0]?.seq ?? 0,
  };
}

const dialect = new SQLiteAsyncDialect();

/** Builds a statement of D1; drizzle's own batch takes no raw query that has values. */
function prepared(primary: D1DatabaseSession, query: SQL): D1PreparedStatement {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return primary.prepare(text).bind(...params);
}

const ORGANIZATION_PREFIX = organizationAudience("");

/** The organization of an audience; null for staff. */
const organizationOf = (audience: Audience): string | null =>
  audience.startsWith(ORGANIZATION_PREFIX) ? audience.slice(ORGANIZATION_PREFIX.length) : null;

function liveSession(row: SessionRow, audience: Audience): LiveSession {
  const { organization_id: organizationId, organization_role: role } = row;
  const listener: Listener = {
    userId: row.user_id,
    role: platformRole(row.role),
    aal: row.aal,
    mfaEnabled: row.mfa === 1,
    membership: organizationId && role ? { organizationId, role } : null,
  };
  return { sid: row.sid, exp: row.exp, listener, canListen: canListen(listener, audience) };
}
