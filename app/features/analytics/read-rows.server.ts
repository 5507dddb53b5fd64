import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { ACTIVE_STATUSES } from "~/features/tickets/model";
import { isId } from "~/lib/ids";
import { TICKET_PRIORITIES, TICKET_STATUSES } from "~/lib/ticket-words";
import type { FigureRow, FigureRows } from "./model";
import { ROW_KINDS, type RowsAsked } from "./paths";
import { type PeriodProblem, parsePeriod } from "./period";

/**
 * Sets how many rows a page shows, and among how many it looks for them at most: fewer where the history of each ticket
 * is looked at, which has about ten facts.
 */
const ROWS_OF_PAGE = 50;
const SCANNED = 500;
const HISTORIES_SCANNED = 300;

type Parsed = { ok: true; value: RowsAsked } | { ok: false; problem: PeriodProblem | "unknown_rows" };

/** Reads from an address which rows somebody wants to see. `today` is the day in the site's time zone. */
export function parseRows(params: URLSearchParams, today: string): Parsed {
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
 * Reads the rows behind a number, the latest day first. Where a filter leaves few of them it looks among so many at
 * most and goes on from there. `after`: where the page before ended.
 */
export async function readRows(db: Db, asked: RowsAsked, after: string | null): Promise<FigureRows> {
  const rows = await db.all<FigureRow & { matches: number }>(sql`
    SELECT f.id, f.day, f.at, t.number, t.title, o.id AS organizationId, o.name AS organization, f.priority, t.status,
      f.open_time AS openTime, f.total_time AS totalTime, f.paused_time AS pausedTime, f.detail, f.matches
    FROM (SELECT *, ${matching(asked)} AS matches FROM ticket_facts
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

/** Returns how many rows are looked at: where all of them are shown, no more than that. */
function scanLimit(asked: RowsAsked): number {
  if (asked.of === "open") return HISTORIES_SCANNED;
  return isFiltered(asked) ? SCANNED : ROWS_OF_PAGE + 1;
}

const isFiltered = ({ of, priority, status, promise }: RowsAsked): boolean =>
  Boolean(priority || status || promise) || of === "resolved";

function beyond(after: string | null): SQL {
  const [, day, id] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/.exec(after ?? "") ?? [];
  return day ? sql`AND (day, id) < (${day}, ${Number(id)})` : sql``;
}

/** Says that a ticket was active at the end of a day: what entered the backlog by then had not left it. */
const activeAt = (day: string): SQL => sql`
  coalesce((SELECT sum((b.detail ->> 0) + (b.detail ->> 1) + (b.detail ->> 2) + (b.detail ->> 3))
    FROM ticket_facts b INDEXED BY facts_of_ticket
    WHERE b.ticket_id = ticket_facts.ticket_id AND b.kind = 'backlog' AND b.day <= ${day}), 0) = 1`;

/** Returns the condition of a row that counts. Of several resolutions in the period only the last one does. */
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
