import { and, eq, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { commit } from "~/db/client.server";
import { liveDismissals, liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { invitations } from "~/db/schema/organizations";
import { mailAddressHolds, mailDeliveryEvents, outbox } from "~/db/schema/outbox";
import { retentionRuns } from "~/db/schema/privacy";
import { mfaAuditLog, mfaEnrollments, securityAlerts } from "~/db/schema/security";
import { authChallenges, authTokens, rateLimitAttempts, sessions } from "~/db/schema/sessions";
import { missingPaths, pageViews } from "~/db/schema/site";
import { bulkTicketChanges, undoableReplies } from "~/db/schema/ticket-work";
import { deleteOrphans } from "~/features/attachments/queries.server";
import { AUDIT_RETENTION } from "~/features/audit/retention";
import { removeUnconfirmed } from "~/features/auth/address-reservations.server";
import { firstDayOfViews, firstKeptDay } from "~/features/health/requests.server";
import { removePendingAccounts, removePendingMemberships } from "~/features/invitations/targets.server";
import { isForgottenEvent } from "~/features/mail/delivery-events.server";
import { days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formerResults } from "~/platform/run-command.server";
import type { JobReport } from "./job";

/** Limits the rows per statement, so that the database can serve other requests in between. */
export const PURGE_CHUNK = 1_000;
const MAX_STATEMENTS = 20;

type Purge = {
  table: SQLiteTable;
  rows: (now: Instant) => SQL;
  follows?: SQLiteTable;
};

const chunkOf = (table: SQLiteTable, condition: SQL | undefined): SQL =>
  sql`select rowid from ${table} where ${condition} limit ${PURGE_CHUNK}`;

const PURGES: readonly Purge[] = [
  { table: sessions, rows: (now) => chunkOf(sessions, lt(sessions.abs_expires_at, now - days(30))) },
  { table: authChallenges, rows: (now) => chunkOf(authChallenges, lt(authChallenges.expires_at, now - days(1))) },
  { table: authTokens, rows: (now) => chunkOf(authTokens, lt(authTokens.expires_at, now - days(30))) },
  {
    table: invitations,
    // One that nobody has answered goes with its account or membership: see remove-unanswered-invitations.
    rows: (now) =>
      chunkOf(invitations, and(lt(invitations.expires_at, now - days(30)), isNotNull(invitations.consumed_at))),
  },
  { table: mfaEnrollments, rows: (now) => chunkOf(mfaEnrollments, lt(mfaEnrollments.expires_at, now - days(1))) },
  {
    table: rateLimitAttempts,
    rows: (now) => chunkOf(rateLimitAttempts, lt(rateLimitAttempts.last_attempt_at, now - days(30))),
  },
  {
    table: securityAlerts,
    rows: (now) => chunkOf(securityAlerts, lt(securityAlerts.closed_at, now - AUDIT_RETENTION)),
  },
  { table: missingPaths, rows: (now) => chunkOf(missingPaths, lt(missingPaths.day, firstKeptDay(now))) },
  { table: pageViews, rows: (now) => chunkOf(pageViews, lt(pageViews.day, firstDayOfViews(now))) },
  { table: formerResults.table, rows: (now) => chunkOf(formerResults.table, formerResults.isExpired(now)) },
  {
    table: outbox,
    rows: (now) => {
      const old = now - days(14);
      // `created_at` is in the index and never later than `sent_at`.
      return chunkOf(outbox, and(eq(outbox.status, "sent"), lt(outbox.created_at, old), lt(outbox.sent_at, old)));
    },
  },
  {
    table: outbox,
    rows: (now) =>
      chunkOf(outbox, and(inArray(outbox.status, ["delivered", "left"]), lt(outbox.created_at, now - days(28)))),
  },
  { table: mailDeliveryEvents, rows: (now) => chunkOf(mailDeliveryEvents, isForgottenEvent(now)) },
  { table: mailAddressHolds, rows: (now) => chunkOf(mailAddressHolds, lt(mailAddressHolds.until, now - days(1))) },
  { table: notifications, rows: (now) => chunkOf(notifications, lt(notifications.at, now - days(90))) },
  { table: retentionRuns, rows: (now) => chunkOf(retentionRuns, lt(retentionRuns.started_at, now - days(400))) },
  {
    table: mfaAuditLog,
    // The database keeps younger ones by its own clock, which may differ.
    rows: (now) =>
      chunkOf(
        mfaAuditLog,
        and(
          lt(mfaAuditLog.created_at, now - AUDIT_RETENTION),
          lt(mfaAuditLog.created_at, sql`unixepoch() * 1000 - ${AUDIT_RETENTION}`),
        ),
      ),
  },
  {
    table: bulkTicketChanges,
    rows: (now) => chunkOf(bulkTicketChanges, lt(bulkTicketChanges.ordered_at, now - days(2))),
  },
  { table: undoableReplies, rows: (now) => chunkOf(undoableReplies, lt(undoableReplies.sent_at, now - hours(1))) },
  {
    table: liveEvents,
    // `at` has no index, but `seq` grows with time: the oldest rows come first.
    rows: (now) => sql`
      select seq from (select seq, at from ${liveEvents} order by seq limit ${PURGE_CHUNK}) where at < ${now - days(7)}`,
  },
  {
    table: liveDismissals,
    follows: liveEvents,
    // When there is no event left, all dismissals can be deleted.
    rows: () => {
      const oldest = sql`coalesce((select min(seq) from ${liveEvents}), ${Number.MAX_SAFE_INTEGER})`;
      return chunkOf(liveDismissals, sql`${liveDismissals.seq} < ${oldest}`);
    },
  },
];

/** Nobody knows whether they were sent. The rows stay, for the person who decides about them. */
const FORGOTTEN: Purge = {
  table: outbox,
  rows: (now) => {
    const { status, created_at, params_enc } = outbox;
    return chunkOf(outbox, and(eq(status, "uncertain"), lt(created_at, now - days(14)), isNotNull(params_enc)));
  },
};

/** Finds out in one round trip of reads for which of them there is something to do: mostly for none. */
async function findPurges({ db }: Pick<Ctx, "db">, now: Instant): Promise<Purge[]> {
  const purges = [FORGOTTEN, ...PURGES];
  const found = await Promise.all(
    purges.map(({ rows }) => db.all<{ found: number }>(sql`select exists (${rows(now)}) as found`)),
  );
  const isFound = purges.map((_, index) => found[index]?.[0]?.found === 1);
  const tables = new Set(purges.filter((_, index) => isFound[index]).map(({ table }) => table));
  return purges.filter(({ follows }, index) => isFound[index] || (follows && tables.has(follows)));
}

export async function purgeExpired(ctx: Pick<Ctx, "budget" | "db" | "now">): Promise<JobReport> {
  const now = ctx.now();
  let statements = 0;
  let count = 0;
  for (const purge of await findPurges(ctx, now)) {
    const { table, rows } = purge;
    const old = sql`rowid in (${rows(now)})`;
    for (let changed = PURGE_CHUNK; changed === PURGE_CHUNK; statements += 1) {
      if (statements === MAX_STATEMENTS || (statements > 0 && ctx.budget.isUsedUp())) return { count, more: true };
      const { meta } = await (purge === FORGOTTEN
        ? ctx.db.update(outbox).set({ params_enc: null }).where(old)
        : ctx.db.delete(table).where(old));
      changed = meta.changes;
      count += changed;
    }
  }
  return { count };
}

const MAX_ACCOUNTS = 200;

/** A day after the last sign-up with it, and when no link to confirm it works any more. */
export async function removeUnconfirmedAccounts(ctx: Pick<Ctx, "db" | "now">): Promise<JobReport> {
  const now = ctx.now();
  const expired = await ctx.db.all<{ id: string }>(sql`
    select id from users where status = 'unverified' and updated_at <= ${now - days(1)}
      and not exists (select 1 from auth_tokens t where t.user_id = users.id and t.purpose = 'verify_email'
        and t.consumed_at is null and t.expires_at > ${now})
    limit ${MAX_ACCOUNTS}`);
  if (expired.length === 0) return { count: 0 };
  const ids = JSON.stringify(expired.map(({ id }) => id));
  // Somebody may have signed up with the address again in the meantime.
  const condition = sql`id in (select value from json_each(${ids})) and updated_at <= ${now - days(1)}`;
  await commit(ctx.db, removeUnconfirmed(ctx.db, condition));
  return { count: expired.length, more: expired.length === MAX_ACCOUNTS };
}

const MAX_INVITATIONS = 200;

/** Until then those who invited see that it has, and can send it again. */
export async function removeUnansweredInvitations(ctx: Pick<Ctx, "db" | "now">): Promise<JobReport> {
  const before = ctx.now() - days(30);
  const expired = await ctx.db.all<{ target: string }>(sql`
    select coalesce(user_id, membership_id) as target from invitations
    where expires_at < ${before} and consumed_at is null limit ${MAX_INVITATIONS}`);
  if (expired.length === 0) return { count: 0 };
  const targets = JSON.stringify(expired.map(({ target }) => target));
  // Somebody may send one of them again in this moment.
  const unanswered = (
    column: string,
  ) => sql`id in (select i.${sql.raw(column)} from json_each(${targets}) found cross join invitations i on i.${sql.raw(column)} = found.value and i.consumed_at is null
    and i.expires_at < ${before})`;
  await commit(ctx.db, [
    ...removePendingAccounts(ctx, unanswered("user_id")),
    ...removePendingMemberships(ctx, unanswered("membership_id")),
    // The link of somebody who is in already, and has not used it, is all that is left of those.
    ctx.db.delete(invitations).where(
      sql`consumed_at is null and expires_at < ${before} and (user_id in (select value from json_each(${targets}))
          or membership_id in (select value from json_each(${targets})))`,
    ),
  ]);
  return { count: expired.length, more: expired.length === MAX_INVITATIONS };
}

/** Limits a run to 200,000 files, if its share allows as many. */
const MAX_PAGES = 400;

const PREFIX = "att/";

/** Of 256: where there are more files than a run can look at, each has its turn within days. */
const STRIDE = 97;

/** They remain when a form fails after its file was stored. Younger than a day they may still be in progress. */
export async function sweepOrphans(
  ctx: Pick<Ctx, "budget" | "db" | "files" | "now">,
  { maxPages = MAX_PAGES } = {},
): Promise<JobReport> {
  const before = ctx.now() - days(1);
  const start = startOf(ctx.now());
  let count = 0;
  let pages = 0;
  // From there to the last file, and then from the first one to there.
  for (const after of [start, undefined]) {
    let cursor: string | undefined;
    do {
      if (pages === maxPages || (pages > 0 && ctx.budget.isUsedUp())) return { count };
      pages += 1;
      const page = await ctx.files.listOlderThan(PREFIX, before, cursor, after);
      count += await deleteOrphans(ctx, page.keys);
      const isRound = after === undefined && page.keys.some((key) => key > start);
      cursor = isRound ? undefined : page.cursor;
    } while (cursor);
  }
  return { count };
}

const startOf = (now: Instant): string =>
  PREFIX + ((Math.floor(now / days(1)) * STRIDE) % 256).toString(16).padStart(2, "0");
