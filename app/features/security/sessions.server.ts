import { sql } from "drizzle-orm";
import { validSession } from "~/db/account-conditions";
import type { Db } from "~/db/client.server";
import { withDevices } from "~/features/auth/sessions.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type ActiveSession, LONGEST_IDLE, SESSIONS_PER_PAGE } from "./model";

/** Some of them have ended without anybody saying so. */
const LOOKED_AT = 75;

type StoredSession = Omit<ActiveSession, "device"> & { sessionHash: string; isValid: number };

type Position = { lastSeenAt: Instant; id: number };

/** Those that were used last first. `next`: the position of the next page, as its address has it. */
export type SessionPage = { sessions: ActiveSession[]; next: string | null; zone: string };

export async function readSessions(ctx: Ctx, before: string | null): Promise<SessionPage> {
  const from = positionIn(before) ?? { lastSeenAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  const { settings, value: rows } = await readInSiteZone(ctx.db, () => listSessions(ctx.db, ctx.now(), from));
  const valid = rows.filter(({ isValid }) => isValid === 1);
  const shown = await withDevices(ctx, valid.slice(0, SESSIONS_PER_PAGE));
  const sessions = shown.map(({ isValid: _, sessionHash: _secret, ...session }) => session);
  const last = valid.length > SESSIONS_PER_PAGE ? sessions.at(-1) : rows.length === LOOKED_AT ? rows.at(-1) : undefined;
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
      ORDER BY last_seen_at DESC, rowid DESC LIMIT ${LOOKED_AT}) s
    JOIN users u ON u.id = s.user_id ORDER BY s.last_seen_at DESC, s.id DESC`);

function positionIn(text: string | null): Position | null {
  const [, lastSeenAt, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return lastSeenAt && id ? { lastSeenAt: Number(lastSeenAt), id: Number(id) } : null;
}
