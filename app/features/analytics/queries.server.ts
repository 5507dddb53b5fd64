import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import { ACTIVE_STATUSES } from "~/features/tickets/model";
import { lateReason } from "~/features/tickets/sla/targets.server";
import { isId } from "~/lib/ids";
import { TICKET_PRIORITIES, TICKET_STATUSES } from "~/lib/ticket-values";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import {
  type Analytics,
  type Days,
  daysOfRange,
  type LateReply,
  type MetricRow,
  type MetricRows,
  type Metrics,
  type MonthMetrics,
  type OrganizationMetrics,
  type PeriodProblem,
  parsePeriod,
  type Range,
  trendMonths,
} from "./model";
import { ROW_KINDS, type RowsAsked } from "./paths";
import { readStoredDays, type StoredDays, storedMetrics } from "./stored-days.server";

/** One round trip, and one row for each day from the first of all on. */
export async function readMetrics(
  db: Db,
  { from, to, organizationId = null }: Days & { organizationId?: string | null },
): Promise<Metrics> {
  const period = { from, to, organizationId };
  return storedMetrics(period, await readStoredDays(db, period));
}

/** What the page lists at most. */
const LATE = 5;
const ORGANIZATIONS_OF_PAGE = 25;

/** `listed`: how many organizations at most. */
type Asked = { range: Range; after: string | null; listed?: number };

/** Everything in one round trip, one row for each day, whatever happened in it. */
export async function readAnalytics(ctx: Pick<Ctx, "db" | "now">, { range, ...list }: Asked): Promise<Analytics> {
  const { settings, value } = await readInSiteZone(ctx.db, async (zone) => {
    const days = daysOfRange(range, dayIn(zone, ctx.now()));
    const months = trendMonths(range, days.to);
    const [first] = months;
    const from = first && first.from < days.from ? first.from : days.from;
    const [stored, organizations, active, plans, late] = await Promise.all([
      readStoredDays(ctx.db, { from, to: days.to, organizationId: null }),
      readOrganizations(ctx.db, range, list),
      readTotals(ctx.db, [`active_organizations.${range}`, `active_organizations.${range}`]),
      readTotals(ctx.db, ["organization.with_plan", "organization.with_plan"]),
      readLate(ctx.db, days),
    ]);
    return {
      // The months may begin before the range, of whose backlog only the end is asked for.
      metrics: storedMetrics({ ...days, organizationId: null }, stored),
      months: months.map((month) => ofMonth(month, stored)),
      organizations,
      activeOrganizations: active[range] ?? 0,
      withPlan: plans.with_plan ?? 0,
      late,
    };
  });
  return { zone: settings.timeZone, range, ...value };
}

function ofMonth(month: Days, stored: StoredDays): MonthMetrics {
  const { created, resolved, backlog } = storedMetrics({ ...month, organizationId: null }, stored);
  return { ...month, created, resolved, openAtEnd: backlog.reduce((sum, count) => sum + count, 0) };
}

/** `after`: where the page before ended. */
async function readOrganizations(
  db: Db,
  range: Range,
  { after, listed = ORGANIZATIONS_OF_PAGE }: Omit<Asked, "range">,
): Promise<Analytics["organizations"]> {
  const [, created, id] = /^(\d{1,9})\.(org_\w+)$/.exec(after ?? "") ?? [];
  const beyond = id ? sql`AND (r.created, r.organization_id) < (${Number(created)}, ${id})` : sql``;
  const rows = await db.all<OrganizationMetrics>(sql`
    SELECT r.organization_id AS id, o.name, r.created, r.answered, r.kept, r.missed
    FROM range_metrics r CROSS JOIN organizations o ON o.id = r.organization_id
    WHERE r.range = ${range} ${beyond} AND r.created + r.answered > 0
    ORDER BY r.created DESC, r.organization_id DESC LIMIT ${listed + 1}`);
  const shown = rows.slice(0, listed);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > shown.length && last ? `${last.created}.${last.id}` : null };
}

/** The reason that staff have given in the letter of the month: it stands at the place of its promise. */
const LETTER_REASON = sql`(SELECT json_extract(l.words_json, '$.reasons[' || m.key || ']')
  FROM letters l CROSS JOIN json_each(l.facts_json, '$.misses') m
  WHERE l.organization_id = f.organization_id AND l.month = substr(f.day, 1, 7)
    AND m.value ->> 'ticket' = 'T-' || t.number AND m.value ->> 'dueAt' = f.at)`;

/** The promises of a period that were missed last, with the reasons that letters give, or else their tickets. */
const readLate = (db: Db, { from, to }: Days): Promise<LateReply[]> =>
  db.all(sql`
    SELECT f.id, t.number, o.id AS organizationId, o.name AS organization, f.detail AS promise, f.at AS dueAt,
      f.total_time AS lateBy, coalesce(nullif(${LETTER_REASON}, ''), ${lateReason(sql`f.ticket_id`, sql`f.at`)}) AS reason
    FROM (SELECT * FROM ticket_metrics WHERE kind = 'missed' AND day BETWEEN ${from} AND ${to}
      ORDER BY day DESC, id DESC LIMIT ${LATE}) f
    CROSS JOIN support_tickets t ON t.id = f.ticket_id
    CROSS JOIN organizations o ON o.id = f.organization_id ORDER BY f.day DESC, f.id DESC`);

/** Among so many rows a page looks for its own at most: fewer where the history of each ticket is looked at. */
const ROWS_OF_PAGE = 50;
const SCANNED = 500;
const HISTORIES_SCANNED = 300;

type ParsedRows = { ok: true; value: RowsAsked } | { ok: false; problem: PeriodProblem | "unknown_rows" };

/** `today`: the day in the site's time zone. */
export function parseRows(params: URLSearchParams, today: string): ParsedRows {
  const kind = ROW_KINDS.find((each) => each === params.get("of"));
  if (!kind) return { ok: false, problem: "unknown_rows" };
  const period = parsePeriod(params.get("from"), params.get("to"), today);
  if (!period.ok) return period;
  const one = <Word extends string>(words: readonly Word[], name: string): Word | null =>
    words.find((word) => word === params.get(name)) ?? null;
  const organization = params.get("organization") ?? "";
  return {
    ok: true,
    value: {
      of: kind,
      ...period.value,
      organization: isId("org", organization) ? organization : null,
      priority: one(TICKET_PRIORITIES, "priority"),
      status: kind === "created" ? one([...TICKET_STATUSES, "active"] as const, "status") : null,
      promise: one(["first_response"] as const, "promise"),
    },
  };
}

/**
 * The rows behind a number, the latest day first. Where a filter leaves few of them the page ends before it is full,
 * and the next one goes on. `after`: where the page before ended.
 */
export async function readRows(db: Db, asked: RowsAsked, after: string | null): Promise<MetricRows> {
  const rows = await db.all<MetricRow & { matches: number }>(sql`
    SELECT f.id, f.day, f.at, t.number, t.title, o.id AS organizationId, o.name AS organization, f.priority, t.status,
      f.open_time AS openTime, f.total_time AS totalTime, f.paused_time AS pausedTime, f.detail, f.matches
    FROM (SELECT *, ${matching(asked)} AS matches FROM ticket_metrics
      WHERE kind = ${asked.of === "open" ? "created" : asked.of} AND day BETWEEN ${asked.from} AND ${asked.to}
        ${asked.organization ? sql`AND organization_id = ${asked.organization}` : sql``} ${beyond(after)}
      ORDER BY day DESC, id DESC LIMIT ${scanLimit(asked)}) f
    CROSS JOIN support_tickets t ON t.id = f.ticket_id
    CROSS JOIN organizations o ON o.id = t.organization_id ORDER BY f.day DESC, f.id DESC`);
  const found = rows.filter(({ matches }) => matches === 1);
  const shown = found.slice(0, ROWS_OF_PAGE);
  const last = found.length > shown.length ? shown.at(-1) : rows.length === scanLimit(asked) ? rows.at(-1) : undefined;
  const inOrder = shown.toSorted((one, other) => other.at - one.at);
  return { rows: inOrder.map(({ matches: _, ...row }) => row), next: last ? `${last.day}.${last.id}` : null };
}

/** Where all rows are shown, no more are looked at than that. */
function scanLimit(asked: RowsAsked): number {
  if (asked.of === "open") return HISTORIES_SCANNED;
  const { of, priority, status, promise } = asked;
  return priority || status || promise || of === "resolved" ? SCANNED : ROWS_OF_PAGE + 1;
}

function beyond(after: string | null): SQL {
  const [, day, id] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/.exec(after ?? "") ?? [];
  return day ? sql`AND (day, id) < (${day}, ${Number(id)})` : sql``;
}

/** Active at the end of a day: what entered the backlog by then had not left it. */
const activeAt = (day: string): SQL => sql`
  coalesce((SELECT sum(c.value) FROM ticket_metrics b INDEXED BY metrics_of_ticket CROSS JOIN json_each(b.counts) c
    WHERE b.ticket_id = ticket_metrics.ticket_id AND b.kind = 'backlog' AND b.day <= ${day}), 0) = 1`;

/** Of several resolutions in the period only the last one counts. */
function matching({ of, to, priority, status, promise }: RowsAsked): SQL {
  const conditions = [sql`1`];
  if (of === "resolved") conditions.push(sql`(again_on IS NULL OR again_on > ${to})`);
  if (of === "open") conditions.push(activeAt(to));
  if (priority) conditions.push(sql`priority = ${priority}`);
  if (promise) conditions.push(sql`detail = ${promise}`);
  if (status === "active")
    conditions.push(
      sql`detail IN (${sql.join(
        ACTIVE_STATUSES.map((each) => sql`${each}`),
        sql`, `,
      )})`,
    );
  else if (status) conditions.push(sql`detail = ${status}`);
  return sql.join(conditions, sql` AND `);
}
