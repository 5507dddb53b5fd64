import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import { lateReason } from "~/features/tickets/promise/promises.server";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { Range } from "./definitions";
import type { Analytics, FlowFigures, LateReply, OrganizationFigures } from "./model";
import { type Days, daysOf, trendMonths } from "./period";
import { backlogAt, figuresOf, readStoredDays, type StoredDays } from "./queries.server";

/** Limits what the page lists: replies that came too late, and organizations. */
const LATE = 5;
const ORGANIZATIONS_OF_PAGE = 25;

/** Says what is asked for; `listed`: how many organizations at most. */
type Asked = { range: Range; after: string | null; listed?: number };

/** Reads the page: everything in one round trip, one row for each of its days, whatever happened in them. */
export async function readAnalytics(ctx: Pick<Ctx, "db" | "now">, { range, ...list }: Asked): Promise<Analytics> {
  const { settings, value } = await readInSiteZone(ctx.db, async (zone) => {
    const days = daysOf(range, dayIn(zone, ctx.now()));
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
      figures: figuresOf({ ...days, organizationId: null }, stored),
      months: months.map((month) => flowOf(month, stored)),
      organizations,
      activeOrganizations: active[range] ?? 0,
      withPlan: plans.with_plan ?? 0,
      late,
    };
  });
  return { zone: settings.timeZone, range, ...value };
}

function flowOf(month: Days, stored: StoredDays): FlowFigures {
  const { created, resolved } = figuresOf({ ...month, organizationId: null }, stored);
  return { ...month, created, resolved, openAtEnd: backlogAt(month.to, stored).reduce((sum, count) => sum + count) };
}

/** Reads the organizations of a range, those with the most tickets first. `after`: where the page before ended. */
async function readOrganizations(
  db: Db,
  range: Range,
  { after, listed = ORGANIZATIONS_OF_PAGE }: Omit<Asked, "range">,
): Promise<Analytics["organizations"]> {
  const [, created, id] = /^(\d{1,9})\.(org_\w+)$/.exec(after ?? "") ?? [];
  const beyond = id ? sql`AND (r.created, r.organization_id) < (${Number(created)}, ${id})` : sql``;
  const rows = await db.all<OrganizationFigures>(sql`
    SELECT r.organization_id AS id, o.name, r.created, r.answered, r.kept, r.missed
    FROM range_figures r CROSS JOIN organizations o ON o.id = r.organization_id
    WHERE r.range = ${range} ${beyond} AND r.created + r.answered > 0
    ORDER BY r.created DESC, r.organization_id DESC LIMIT ${listed + 1}`);
  const shown = rows.slice(0, listed);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > shown.length && last ? `${last.created}.${last.id}` : null };
}

/** Finds the reason that staff have given in the letter of the month: it stands at the place of its promise. */
const LETTER_REASON = sql`(SELECT json_extract(l.words_json, '$.reasons[' || m.key || ']')
  FROM letters l CROSS JOIN json_each(l.facts_json, '$.misses') m
  WHERE l.organization_id = f.organization_id AND l.month = substr(f.day, 1, 7)
    AND m.value ->> 'ticket' = 'T-' || t.number AND m.value ->> 'dueAt' = f.at)`;

/** Reads the promises of a period that were missed last, with the reasons that letters give, or else their tickets. */
const readLate = (db: Db, { from, to }: Days): Promise<LateReply[]> =>
  db.all(sql`
    SELECT f.id, t.number, o.id AS organizationId, o.name AS organization, f.detail AS promise, f.at AS dueAt,
      f.total_time AS lateBy, coalesce(nullif(${LETTER_REASON}, ''), ${lateReason(sql`f.ticket_id`, sql`f.at`)}) AS reason
    FROM (SELECT * FROM ticket_facts WHERE kind = 'missed' AND day BETWEEN ${from} AND ${to}
      ORDER BY day DESC, id DESC LIMIT ${LATE}) f
    CROSS JOIN support_tickets t ON t.id = f.ticket_id
    CROSS JOIN organizations o ON o.id = f.organization_id ORDER BY f.day DESC, f.id DESC`);
