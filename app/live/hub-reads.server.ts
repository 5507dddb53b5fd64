import type { Instant } from "~/lib/time";
import type { Audience } from "./audiences";
import { type LiveEventType, REPLAY_LIMIT } from "./protocol";

/** A session that is alive at this moment. One that is not among the answers is over. */
export type LiveSession = {
  sid: string;
  /** The end of the session, however busy it is. */
  exp: Instant;
  role: string;
  mayListen: boolean;
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

/** The conditions are those under which a request counts as signed in: the ledger decides, here as there. */
const SESSIONS = `
  SELECT s.id_hash AS sid, s.abs_expires_at AS exp, s.aal AS aal, coalesce(r.role, 'user') AS role,
    EXISTS (SELECT 1 FROM organization_memberships m
      WHERE m.user_id = s.user_id AND m.status = 'active' AND 'org:' || m.organization_id = ?3) AS is_member
  FROM json_each(?1) AS wanted
  JOIN sessions s ON s.id_hash = wanted.value
  JOIN users u ON u.id = s.user_id
  LEFT JOIN user_roles r ON r.user_id = u.id
  WHERE s.revoked_at IS NULL AND s.epoch = u.auth_epoch AND u.status = 'active'
    AND s.abs_expires_at > ?2 AND s.idle_expires_at > ?2`;

const EVENTS = `
  SELECT seq, type, subject_id AS id, label, actor_id, at FROM live_events
  WHERE audience = ?1 AND seq > ?2 ORDER BY seq DESC LIMIT ${REPLAY_LIMIT + 1}`;

const NEWEST = "SELECT coalesce(max(seq), 0) AS newest FROM live_events WHERE audience = ?1";

type SessionRow = { sid: string; exp: number; aal: number; role: string; is_member: number };

const mayListen = (audience: Audience, row: SessionRow) =>
  audience === "staff" ? row.aal === 2 && (row.role === "admin" || row.role === "moderator") : row.is_member === 1;

/**
 * Everything a delivery depends on, in one round trip and one snapshot: which of the sessions are alive, and what has
 * happened after `afterSeq`. Read from the primary: a lagging copy could still know a session that has ended.
 */
export async function readForDelivery(
  d1: D1Database,
  { audience, sids, afterSeq, now }: { audience: Audience; sids: string[]; afterSeq: number; now: Instant },
): Promise<HubReading> {
  const primary = d1.withSession("first-primary");
  const [sessions, events, newest] = await primary.batch<unknown>([
    primary.prepare(SESSIONS).bind(JSON.stringify(sids), now, audience),
    primary.prepare(EVENTS).bind(audience, afterSeq),
    primary.prepare(NEWEST).bind(audience),
  ]);
  const rows = (sessions?.results ?? []) as SessionRow[];
  const alive = rows.map((row) => ({
    sid: row.sid,
    exp: row.exp,
    role: row.role,
    mayListen: mayListen(audience, row),
  }));
  return {
    sessions: new Map(alive.map((session) => [session.sid, session])),
    events: ((events?.results ?? []) as StoredEvent[]).reverse(),
    newest: ((newest?.results ?? []) as { newest: number }[])[0]?.newest ?? 0,
  };
}
