import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { type Audience, canListen, type Listener, organizationAudience } from "~/access/live-events";
import { lacksRequiredMfa } from "~/access/mfa-requirement";
import { type OrganizationRole, platformRole } from "~/access/model";
import { MFA_REQUIRED_SINCE } from "~/db/active-memberships";
import { validSession } from "~/db/valid-session";
import type { LiveEventType } from "~/lib/live-event-types";
import type { Instant } from "~/lib/time";
import { REPLAY_LIMIT } from "./protocol";

/** Holds a valid session. */
type LiveSession = {
  sid: string;
  /** Absolute expiry, in milliseconds. */
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

export type DeliveryData = {
  /** Valid sessions by their hash. A session that is missing here has ended. */
  sessions: ReadonlyMap<string, LiveSession>;
  /** Oldest first. At most `REPLAY_LIMIT` + 1, which shows that there are too many to send. */
  events: StoredEvent[];
  /** Number of the newest event of the audience; 0: there is none. */
  newestSeq: number;
};

type SessionRow = {
  sid: string;
  exp: number;
  aal: number;
  user_id: string;
  role: string | null;
  mfa: number | null;
  mfa_required_since: number | null;
  organization_id: string | null;
  organization_role: OrganizationRole | null;
};

type DeliveryQuery = { audience: Audience; sids: string[]; afterSeq: number; now: Instant };

/**
 * Reads what a delivery needs, in one round trip and one snapshot: the valid ones of the sessions, and the events after
 * `afterSeq`. Reads the primary, because a replica that lags behind could still have a session that has ended.
 */
export async function readForDelivery(
  d1: D1Database,
  { audience, sids, afterSeq, now }: DeliveryQuery,
): Promise<DeliveryData> {
  const primary = d1.withSession("first-primary");
  const statements = [
    sql`
      SELECT s.id_hash AS sid, s.abs_expires_at AS exp, s.aal, s.user_id, r.role, f.is_enabled AS mfa,
        CASE WHEN f.is_enabled = 1 THEN NULL ELSE ${MFA_REQUIRED_SINCE} END AS mfa_required_since,
        m.organization_id, m.role AS organization_role
      FROM json_each(${JSON.stringify(sids)}) AS connected
      JOIN sessions s ON s.id_hash = connected.value
      JOIN users u ON u.id = s.user_id
      LEFT JOIN user_roles r ON r.user_id = u.id
      LEFT JOIN user_mfa_settings f ON f.user_id = u.id
      LEFT JOIN organization_memberships m
        ON m.user_id = u.id AND m.organization_id = ${organizationOf(audience)} AND m.status = 'active'
      WHERE ${validSession(now)}`,
    sql`
      SELECT seq, type, subject_id AS id, label, actor_id, at FROM live_events
      WHERE audience = ${audience} AND seq > ${afterSeq} ORDER BY seq DESC LIMIT ${REPLAY_LIMIT + 1}`,
    sql`SELECT coalesce(max(seq), 0) AS seq FROM live_events WHERE audience = ${audience}`,
  ].map((query) => prepared(primary, query));
  const [sessions, events, newest] = await primary.batch<unknown>(statements);
  const sessionRows = (sessions?.results ?? []) as SessionRow[];
  return {
    sessions: new Map(sessionRows.map((row) => [row.sid, liveSession(row, { audience, now })])),
    events: ((events?.results ?? []) as StoredEvent[]).reverse(),
    newestSeq: ((newest?.results ?? []) as { seq: number }[])[0]?.seq ?? 0,
  };
}

const dialect = new SQLiteAsyncDialect();

/** Builds a statement of D1, because drizzle's own batch does not support raw queries with values. */
function prepared(primary: D1DatabaseSession, query: SQL): D1PreparedStatement {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return primary.prepare(text).bind(...params);
}

const ORGANIZATION_PREFIX = organizationAudience("");

/** Returns the organization of an audience; null for staff. */
const organizationOf = (audience: Audience): string | null =>
  audience.startsWith(ORGANIZATION_PREFIX) ? audience.slice(ORGANIZATION_PREFIX.length) : null;

function liveSession(row: SessionRow, { audience, now }: Pick<DeliveryQuery, "audience" | "now">): LiveSession {
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
  return { sid: row.sid, exp: row.exp, listener, canListen: !isOverdue && canListen(listener, audience) };
}
