import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { idempotency } from "~/db/schema/infrastructure";
import { liveDismissals, liveEvents } from "~/db/schema/live";
import { mfaEnrollments } from "~/db/schema/mfa";
import { outbox } from "~/db/schema/outbox";
import { authChallenges, authTokens, heldForms, rateLimitAttempts, sessions } from "~/db/schema/sessions";
import { days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Rows per statement and statements per run: the database serves people meanwhile. */
export const PURGE_CHUNK = 1_000;
const MAX_STATEMENTS = 20;

type Purge = {
  table: SQLiteTable;
  /** A query for the row ids of at most one chunk of what may go. */
  rows: (now: Instant) => SQL;
};

const chunkOf = (table: SQLiteTable, condition: SQL | undefined): SQL =>
  sql`select rowid from ${table} where ${condition} limit ${PURGE_CHUNK}`;

/** What is forgotten, and when. */
const PURGES: readonly Purge[] = [
  { table: sessions, rows: (now) => chunkOf(sessions, lt(sessions.abs_expires_at, now - days(30))) },
  { table: authChallenges, rows: (now) => chunkOf(authChallenges, lt(authChallenges.expires_at, now - days(1))) },
  { table: authTokens, rows: (now) => chunkOf(authTokens, lt(authTokens.expires_at, now - days(30))) },
  { table: heldForms, rows: (now) => chunkOf(heldForms, lt(heldForms.expires_at, now)) },
  { table: mfaEnrollments, rows: (now) => chunkOf(mfaEnrollments, lt(mfaEnrollments.expires_at, now - days(1))) },
  {
    table: rateLimitAttempts,
    rows: (now) => chunkOf(rateLimitAttempts, lt(rateLimitAttempts.last_attempt_at, now - days(30))),
  },
  { table: idempotency, rows: (now) => chunkOf(idempotency, lt(idempotency.created_at, now - hours(48))) },
  {
    table: outbox,
    rows: (now) => {
      const old = now - days(14);
      // The time of writing is in the index, and never later than the time of sending.
      return chunkOf(outbox, and(eq(outbox.status, "sent"), lt(outbox.created_at, old), lt(outbox.sent_at, old)));
    },
  },
  {
    table: liveEvents,
    // Numbers rise with time and the time has no index: looking at the first ones is enough.
    rows: (now) => sql`
      select seq from (select seq, at from ${liveEvents} order by seq limit ${PURGE_CHUNK}) where at < ${now - days(7)}`,
  },
  {
    table: liveDismissals,
    // When no event is left, every dismissal points at nothing.
    rows: () => {
      const oldest = sql`coalesce((select min(seq) from ${liveEvents}), ${Number.MAX_SAFE_INTEGER})`;
      return chunkOf(liveDismissals, sql`${liveDismissals.seq} < ${oldest}`);
    },
  },
];

/** Forgets what has expired, in bites; what does not fit into one run follows a minute later. */
export async function purgeExpired(ctx: Ctx): Promise<JobReport> {
  const now = ctx.now();
  let statements = 0;
  let count = 0;
  for (const { table, rows } of PURGES) {
    for (let deleted = PURGE_CHUNK; deleted === PURGE_CHUNK; statements += 1) {
      if (statements === MAX_STATEMENTS) return { count, more: true };
      const result = await ctx.db.delete(table).where(sql`rowid in (${rows(now)})`);
      deleted = result.meta.changes;
      count += deleted;
    }
  }
  return { count };
}
