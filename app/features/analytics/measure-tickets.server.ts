import { desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { commit, type Db, jsonParameters, type Statement } from "~/db/client.server";
import { counters, totals } from "~/db/schema/infrastructure";
import { calendarsInForce, dailyMetrics, daysToSum, rangeMetrics, ticketMetrics } from "~/db/schema/metrics";
import { tickets } from "~/db/schema/tickets";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { Calendar } from "~/lib/calendar";
import { addDays, dayIn, days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { RANGES } from "./model";
import {
  type Calendars,
  measureTicket,
  type TicketHistory,
  type TicketHistoryEvent,
  type TicketMetric,
} from "./ticket-metrics";

/** What one run does at most. The next run continues. */
const CHUNKS = 10;
const TICKETS_OF_CHUNK = 100;
const DAYS_OF_CHUNK = 200;

/**
 * Measures the tickets that have changed, and then sums the days on which something counts that did not, or does not
 * any more. Sums are made of what is there, never of a difference: right if it runs twice, late or not at all.
 */
export async function measureTickets(
  ctx: Pick<Ctx, "budget" | "db" | "now">,
): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  const calendars = await keepCalendars(ctx);
  const until = dayIn(calendars.zone, ctx.now());
  await moveRanges(db, until);
  let count = 0;
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const due = await db.all<{ number: number }>(sql`
      SELECT number FROM support_tickets WHERE measured_version IS NOT version AND number > 0 ORDER BY number
      LIMIT ${TICKETS_OF_CHUNK}`);
    if (due.length > 0) {
      await measureChunk(db, JSON.stringify(due.map(({ number }) => number)), calendars);
      count += due.length;
    } else if (!(await sumDueDays(db, until))) return { count, more: false };
    if (ctx.budget.isUsedUp()) break;
  }
  // In every run: days would wait for the end of a stream of changed tickets.
  await sumDueDays(db, until);
  return { count, more: true };
}

/** More calendars are not remembered; older tickets are measured by the oldest of them. */
const CALENDARS_REMEMBERED = 100;

/**
 * Open time until a reply is measured by the calendar of the ticket's creation, however often hours change later, so a
 * new calendar is remembered. Days begin in the zone of now: if that is new, every ticket is measured again.
 */
async function keepCalendars({ db, now }: Pick<Ctx, "db" | "now">): Promise<Calendars> {
  const [rows, settings] = await Promise.all([
    db.select().from(calendarsInForce).orderBy(desc(calendarsInForce.since)).limit(CALENDARS_REMEMBERED),
    getSettings(db),
  ]);
  const current = siteCalendar(settings);
  const known = rows.map(({ since, calendar }) => ({ since, calendar: JSON.parse(calendar) as Calendar }));
  const newest = known[0];
  if (!newest || JSON.stringify(newest.calendar) !== JSON.stringify(current)) {
    const since = newest ? now() : 0;
    const row = { since, calendar: JSON.stringify(current) };
    const isNewZone = newest !== undefined && newest.calendar.zone !== current.zone;
    await db.batch([
      db.insert(calendarsInForce).values(row).onConflictDoUpdate({ target: calendarsInForce.since, set: row }),
      db.update(tickets).set({ measured_version: null }).where(sql`${isNewZone}`),
    ]);
    known.unshift({ since, calendar: current });
  }
  return {
    zone: current.zone,
    at: (instant) => (known.find(({ since }) => since <= instant) ?? known.at(-1))?.calendar ?? current,
  };
}

type VersionedHistory = TicketHistory & { version: number };

type TicketRow = Omit<VersionedHistory, "events" | "isOpenedByStaff" | "isImported" | "votes"> & {
  openedBy: string | null;
  oldNumber: string | null;
};

/** What jobs write has no author. */
const OF_STAFF = sql`${isPublic()} AND m.side = 'staff' AND m.author_name <> ''`;
const OF_CLIENT = sql`${isPublic()} AND m.side = 'client'`;

function groupedByTicket<Row extends { ticketId: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.ticketId);
    if (group) group.push(row);
    else groups.set(row.ticketId, [row]);
  }
  return groups;
}

/** `numbers`: of the tickets, as JSON. */
async function readHistories(db: Db, numbers: string): Promise<VersionedHistory[]> {
  const chosen = sql`json_each(${numbers}) n CROSS JOIN support_tickets t ON t.number = n.value`;
  const firstOf = (condition: SQL) =>
    sql`(SELECT min(m.created_at) FROM ticket_messages m WHERE m.ticket_id = t.id AND ${condition})`;
  const [rows, events, votes] = await Promise.all([
    db.all<TicketRow>(sql`
      SELECT t.id, t.version, t.organization_id AS organizationId, t.status, t.priority, t.created_at AS createdAt,
        t.resolved_at AS resolvedAt, t.opened_by AS openedBy, t.old_number AS oldNumber, ${firstOf(OF_CLIENT)} AS clientWroteAt,
        ${firstOf(OF_STAFF)} AS staffWroteAt,
        ${firstOf(sql`${OF_STAFF} AND m.created_at >= ${firstOf(OF_CLIENT)}`)} AS staffAnsweredAt
      FROM ${chosen}`),
    db.all<TicketHistoryEvent & { ticketId: string; side: string }>(sql`
      SELECT e.ticket_id AS ticketId, e.kind, e.from_value AS "from", e.to_value AS "to", e.at, e.actor_side AS side
      FROM ${chosen} CROSS JOIN ticket_events e ON e.ticket_id = t.id
      WHERE e.kind IN ('opened', 'status', 'priority', 'promise_kept', 'promise_missed') ORDER BY e.at, e.rowid`),
    db.all<{ ticketId: string; isSolved: number; at: number }>(sql`
      SELECT v.ticket_id AS ticketId, v.is_solved AS isSolved, v.at
      FROM ${chosen} CROSS JOIN ticket_votes v ON v.ticket_id = t.id`),
  ]);
  const eventsOf = groupedByTicket(events);
  const votesOf = groupedByTicket(votes);
  return rows.map(({ openedBy, oldNumber, ...ticket }) => {
    const own = eventsOf.get(ticket.id) ?? [];
    const opened = own.find(({ kind }) => kind === "opened");
    return {
      ...ticket,
      events: own,
      // The account of who opened it may be gone; the history keeps the side.
      isImported: oldNumber !== null,
      isOpenedByStaff: opened ? opened.side === "staff" : openedBy !== null,
      votes: (votesOf.get(ticket.id) ?? []).map(({ isSolved, at }) => ({ isSolved: isSolved === 1, at })),
    };
  });
}

/** The order of the table, without the id. */
const COLUMNS = [
  ...(["ticket_id", "organization_id", "kind", "day", "at", "priority"] as const),
  ...(["open_time", "total_time", "paused_time", "again_on", "detail", "counts"] as const),
];

const valuesOf = (metric: TicketMetric) => COLUMNS.map((column) => metric[column]);

/** By all that they say, and by how many before say the same. */
function byContent(metrics: readonly TicketMetric[]): ReadonlyMap<string, TicketMetric> {
  const found = new Map<string, TicketMetric>();
  const seen = new Map<string, number>();
  for (const metric of metrics) {
    const text = JSON.stringify(valuesOf(metric));
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    found.set(`${text} ${times}`, metric);
  }
  return found;
}

/** A ticket that changes meanwhile has another version than the one that is noted, and is measured again. */
async function measureChunk(db: Db, numbers: string, calendars: Calendars): Promise<void> {
  const [histories, stored] = await Promise.all([
    readHistories(db, numbers),
    db.all<TicketMetric>(sql`
      SELECT m.* FROM json_each(${numbers}) n CROSS JOIN support_tickets t ON t.number = n.value
      CROSS JOIN ticket_metrics m ON m.ticket_id = t.id`),
  ]);
  const measured = histories.flatMap((history) => measureTicket(history, calendars));
  const [before, after] = [byContent(stored), byContent(measured)];
  const different = [
    ...[...before].flatMap(([text, metric]) => (after.has(text) ? [] : [metric])),
    ...[...after].flatMap(([text, metric]) => (before.has(text) ? [] : [metric])),
  ];
  const changed = new Set(different.map(({ ticket_id }) => ticket_id));
  const rows = measured.filter(({ ticket_id }) => changed.has(ticket_id)).map(valuesOf);
  const values = COLUMNS.map((_, index) => `value ->> ${index}`).join(", ");
  const dueDays = new Map(
    different.map(({ day, organization_id }) => [`${day} ${organization_id}`, [day, organization_id]]),
  );
  const versions = JSON.stringify(histories.map(({ id, version }) => [id, version]));
  await commit(db, [
    db.delete(ticketMetrics).where(sql`ticket_id IN (SELECT value FROM json_each(${JSON.stringify([...changed])}))`),
    ...jsonParameters(rows).map((text) =>
      db.insert(ticketMetrics).select(sql`SELECT NULL, ${sql.raw(values)} FROM json_each(${text})`),
    ),
    ...jsonParameters([...dueDays.values()]).map((text) =>
      db
        .insert(daysToSum)
        .select(sql`SELECT value ->> 0, value ->> 1 FROM json_each(${text}) WHERE 1`)
        .onConflictDoNothing(),
    ),
    db
      .update(tickets)
      .set({
        measured_version: sql`(SELECT v.value ->> 1 FROM json_each(${versions}) v WHERE v.value ->> 0 = support_tickets.id)`,
      })
      .where(sql`support_tickets.id IN (SELECT value ->> 0 FROM json_each(${versions}))`),
  ]);
}

/** Sums days again, of organizations and then of all together. False: there were none. */
async function sumDueDays(db: Db, until: string): Promise<boolean> {
  const keys = await db.all<{ organizationId: string; day: string }>(
    sql`SELECT organization_id AS organizationId, day FROM days_to_sum ORDER BY day LIMIT ${DAYS_OF_CHUNK}`,
  );
  if (keys.length === 0) return false;
  const ofOrganizations = JSON.stringify(keys.map(({ organizationId, day }) => [organizationId, day]));
  const ofAll = JSON.stringify([...new Set(keys.map(({ day }) => day))].map((day) => ["", day]));
  const ids = JSON.stringify([...new Set(keys.map(({ organizationId }) => organizationId))]);
  const isIn = (text: string) =>
    sql`(organization_id, day) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${text}))`;
  await commit(db, [
    db.delete(dailyMetrics).where(isIn(ofOrganizations)),
    daysSummed(
      db,
      ofOrganizations,
      sql`ticket_metrics m INDEXED BY metrics_of_organization_by_day
      ON m.organization_id = k.value ->> 0 AND m.day = k.value ->> 1`,
    ),
    db.delete(dailyMetrics).where(isIn(ofAll)),
    daysSummed(
      db,
      ofAll,
      sql`daily_metrics m INDEXED BY metrics_by_day
      ON m.day = k.value ->> 1 AND m.organization_id > ''`,
    ),
    ...rangesSummed(db, until, ids),
    db.delete(daysToSum).where(isIn(ofOrganizations)),
  ]);
  return true;
}

/** `keys`: id of the organization, and day. `source`: the rows whose counts are summed for each. */
function daysSummed(db: Db, keys: string, source: SQL): Statement {
  const of = (names: string) => sql`coalesce(sum(n) FILTER (WHERE name GLOB ${names}), 0)`;
  return db.insert(dailyMetrics).select(sql`
    SELECT owner, day, ${of("created.*")}, ${of("wall.*")}, ${of("kept.*")}, ${of("missed.*")}, ${of("backlog.0")},
      ${of("backlog.1")}, ${of("backlog.2")}, ${of("backlog.3")}, json_group_object(name, n)
    FROM (
      SELECT k.value ->> 0 AS owner, k.value ->> 1 AS day, c.key AS name, sum(c.value) AS n
      FROM json_each(${keys}) k CROSS JOIN ${source} CROSS JOIN json_each(m.counts) c
      GROUP BY 1, 2, 3 HAVING sum(c.value) <> 0)
    GROUP BY owner, day`);
}

const RANGES_UNTIL = "range_metrics_until";

/** On a new day the ranges of every organization end on another one. */
async function moveRanges(db: Db, until: string): Promise<void> {
  const value = Date.parse(until) / days(1);
  const [row] = await db.all<{ value: number }>(sql`SELECT value FROM counters WHERE name = ${RANGES_UNTIL}`);
  if (row?.value === value) return;
  await commit(db, [
    ...rangesSummed(db, until, null),
    db.update(counters).set({ value }).where(eq(counters.name, RANGES_UNTIL)),
  ]);
}

/** `ids`: of organizations, as JSON; null: of all. */
function rangesSummed(db: Db, until: string, ids: string | null): Statement[] {
  const firsts = JSON.stringify(RANGES.map((range) => [range, addDays(until, 1 - range)]));
  const chosen = ids === null ? sql`1` : sql`organization_id IN (SELECT value FROM json_each(${ids}))`;
  const owners =
    ids === null ? sql`organizations o` : sql`json_each(${ids}) i CROSS JOIN organizations o ON o.id = i.value`;
  return [
    db.delete(rangeMetrics).where(chosen),
    db.insert(rangeMetrics).select(sql`
      SELECT r.value ->> 0, o.id, sum(d.created), sum(d.answered), sum(d.kept), sum(d.missed)
      FROM ${owners} CROSS JOIN json_each(${firsts}) r
      CROSS JOIN daily_metrics d ON d.organization_id = o.id AND d.day BETWEEN r.value ->> 1 AND ${until}
      GROUP BY 1, 2 HAVING sum(d.created + d.answered + d.kept + d.missed) > 0`),
    db
      .update(totals)
      .set({
        value: sql`(SELECT count(*) FROM range_metrics r
          WHERE 'active_organizations.' || r.range = totals.name AND r.created + r.answered > 0)`,
      })
      .where(
        inArray(
          totals.name,
          RANGES.map((range) => `active_organizations.${range}`),
        ),
      ),
  ];
}
