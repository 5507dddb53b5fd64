import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { settings } from "~/db/schema/site";
import { ticketEvents } from "~/db/schema/tickets";
import type { OrganizationPlan } from "~/features/organizations/model";
import { type ClocksToMove, siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { SiteSettings } from "~/features/settings/settings.server";
import type { Calendar } from "~/lib/calendar";
import type { TicketEventKind, TicketPriority } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { giveBack, spendAllowance } from "../allowances/ledger.server";
import { ALLOWANCES, contractYearOf } from "../model";
import {
  advance,
  outcomeEvent,
  type SlaColumns,
  type SlaState,
  type Step,
  slaColumns,
  slaStateOf,
  startClock,
} from "./clock";
import { dueIfResumed, type RunningTarget, type SlaEvent, type SlaRules, slaRules } from "./due-times";

export type SlaStep = { columns: SlaColumns; statements: Statement[] };

type TargetContext = Pick<Ctx, "db" | "newId" | "now" | "signedIn">;

/** Its statements follow the ticket's row. */
export async function openTargets(
  ctx: TargetContext,
  opening: { id: string; organizationId: string; by: "client" | "staff"; at: Instant; priority: TicketPriority },
): Promise<SlaStep> {
  const { organizationId, by, at, priority } = opening;
  const found = await readSlaRules(ctx.db, organizationId, at);
  return written(ctx, opening, {
    ...found,
    organizationId,
    steps: [startClock({ by, at, priority, rules: found.rules })],
  });
}

/** By organization: the after-hours incidents that the clocks of one batch take. */
export type TakenIncidents = Map<string, number>;

/**
 * `organizationId`: the one it belongs to from then on. The batch fails if somebody else uses the last after-hours
 * incident meanwhile.
 */
export async function stepTargets(
  ctx: TargetContext,
  ticket: { id: string; priority: TicketPriority; sla: { json: string } },
  { organizationId, events, taken }: { organizationId: string; events: readonly SlaEvent[]; taken?: TakenIncidents },
): Promise<SlaStep> {
  const found = withoutTaken(await readSlaRules(ctx.db, organizationId, ctx.now()), taken?.get(organizationId));
  const steps: Step[] = [];
  for (const event of events) {
    const before = steps.at(-1)?.state ?? slaStateOf(ticket.sla.json, ticket.priority);
    steps.push(advance(before, event, found.rules));
  }
  // Nothing is awaited since the rules are known, so that the clocks of one batch take one after the other.
  const used = steps.filter(({ usesAllowance }) => usesAllowance).length;
  taken?.set(organizationId, (taken.get(organizationId) ?? 0) + used);
  return written(ctx, ticket, { ...found, organizationId, steps });
}

const withoutTaken = ({ rules, ...found }: OrganizationRules, count = 0): OrganizationRules => ({
  ...found,
  rules: { ...rules, afterHours: { ...rules.afterHours, left: Math.max(0, rules.afterHours.left - count) } },
});

type Happened = OrganizationRules & { organizationId: string; steps: readonly Step[] };

const RETURN_REASONS = {
  organization: "The ticket moved to another organization",
  calendar: "The opening hours changed, and the reply is due just as soon in normal hours",
};

function written(ctx: TargetContext, ticket: { id: string }, happened: Happened): SlaStep {
  const { organizationId, contractYear, rules, steps } = happened;
  const last = steps.at(-1);
  if (!last) throw new Error("A clock needs an event");
  const by = { userId: ctx.signedIn?.userId ?? null, fullName: ctx.signedIn?.fullName ?? "" };
  const event = (kind: TicketEventKind, { from, to }: { from: string; to: string }) =>
    slaEventStatement(ctx, { ticketId: ticket.id, organizationId, kind, from, to });
  const returned = steps.find(({ returnsAllowance }) => returnsAllowance)?.returnsAllowance;
  const { left, perYear } = rules.afterHours;
  const place = (perYear ?? 0) - left + 1;
  return {
    columns: slaColumns(last.state),
    statements: [
      ...steps
        .flatMap(({ outcomes }) => outcomes)
        .map((outcome) => {
          const { kind, from_value, to_value } = outcomeEvent(outcome);
          return event(kind, { from: from_value, to: to_value });
        }),
      ...(returned
        ? [
            // Before the incident is given back: one that staff have given back already is not in the history twice.
            incidentReturnedStatement(ctx, { ticketId: ticket.id, organizationId, reason: RETURN_REASONS[returned] }),
            giveBack(
              ctx,
              { by, reason: RETURN_REASONS[returned] },
              sql`ticket_id = ${ticket.id} AND kind = 'after_hours'`,
            ),
          ]
        : []),
      ...(steps.some(({ usesAllowance }) => usesAllowance)
        ? [
            ...spendAllowance(ctx, {
              organizationId,
              kind: "after_hours",
              contractYear,
              perYear,
              ticketId: ticket.id,
              by,
            }),
            event("allowance_used", { from: "after_hours", to: `${place} of ${perYear}` }),
          ]
        : []),
    ],
  };
}

type ClockEvent = { ticketId: string; organizationId: string; kind: TicketEventKind; from: string; to: string };

/** A line of the history which nobody did: the clock says it. */
const slaEventStatement = (
  ctx: Pick<Ctx, "db" | "newId" | "now">,
  { ticketId, organizationId, kind, from, to }: ClockEvent,
): Statement =>
  ctx.db.insert(ticketEvents).values({
    id: ctx.newId("tev"),
    organization_id: organizationId,
    ticket_id: ticketId,
    kind,
    from_value: from,
    to_value: to,
    actor_name: "",
    actor_side: "system",
    at: ctx.now(),
  });

const incidentReturnedStatement = (
  ctx: Pick<Ctx, "db" | "newId" | "now">,
  { ticketId, organizationId, reason }: Pick<ClockEvent, "ticketId" | "organizationId"> & { reason: string },
): Statement =>
  // Every column in its order, as an insert from a query has them.
  ctx.db.insert(ticketEvents).select(sql`
    SELECT ${ctx.newId("tev")}, ${organizationId}, ${ticketId}, 'allowance_reversed', 'after_hours', '', ${reason}, NULL, '',
      'system', ${ctx.now()}
    WHERE EXISTS (SELECT 1 FROM allowance_entries
      WHERE ticket_id = ${ticketId} AND kind = 'after_hours' AND reversed_at IS NULL)`);

type OrganizationRules = { rules: SlaRules; contractYear: string };

type RulesRow = { plan: OrganizationPlan; contractStartedAt: number | null; used: string };

/** Of contract years the last three are enough: nothing is counted in older ones. */
const rulesColumns: SQL = sql`o.plan, o.contract_started_at AS contractStartedAt,
  (SELECT json_group_object(contract_year, used) FROM (
    SELECT contract_year, count(*) AS used FROM allowance_entries
    WHERE organization_id = o.id AND kind = 'after_hours' AND reversed_at IS NULL
    GROUP BY contract_year ORDER BY contract_year DESC LIMIT 3)) AS used`;

type Site = { calendar: Calendar } & Pick<SiteSettings, "replyTargets" | "resolutionTargets">;

function rulesOf(
  { plan, contractStartedAt, used }: RulesRow,
  { calendar, replyTargets: targets, resolutionTargets }: Site,
  at: Instant,
): OrganizationRules {
  const contractYear = contractYearOf({ contractStartedAt, zone: calendar.zone }, at);
  const usedThisYear = (JSON.parse(used) as Record<string, number>)[contractYear] ?? 0;
  const afterHoursLeft = Math.max(0, (ALLOWANCES[plan].after_hours ?? 0) - usedThisYear);
  return { rules: slaRules({ calendar, plan, afterHoursLeft, targets, resolutionTargets }), contractYear };
}

/** An organization that was deleted a moment ago: a batch that would use its rules expects it to exist. */
const DELETED: RulesRow = { plan: "none", contractStartedAt: null, used: "{}" };

/** What begins now is counted by the hours and targets of the settings. */
export async function readSlaRules(db: Db, organizationId: string, at: Instant): Promise<OrganizationRules> {
  const [[organization], settings] = await Promise.all([
    db.all<RulesRow>(sql`SELECT ${rulesColumns} FROM organizations o WHERE id = ${organizationId}`),
    getSettings(db),
  ]);
  return rulesOf(organization ?? DELETED, { ...settings, calendar: siteCalendar(settings) }, at);
}

const CLOCKS_COUNTED = 1_000;

/** Repeats the condition of an index of active tickets. */
export const HAS_RUNNING_CLOCK: SQL = sql`t.status in ('open', 'in_progress', 'waiting_for_customer')
  AND (t.promise_json ->> '$.running.missed' = 0 OR t.promise_json ->> '$.resolution.missed' = 0)`;

/** For the question whether they shall follow changed hours. */
export async function countClocksThatMove(
  db: Db,
  calendar: Calendar,
  at: Instant,
): Promise<{ count: number; isMore: boolean }> {
  const [rows, targets] = await Promise.all([
    db.all<RulesRow & { priority: TicketPriority; json: string }>(sql`
      SELECT t.priority, t.promise_json AS json, ${rulesColumns}
      FROM support_tickets t INDEXED BY active_tickets_in_order CROSS JOIN organizations o ON o.id = t.organization_id
      WHERE ${HAS_RUNNING_CLOCK} ORDER BY t.opened_rank LIMIT ${CLOCKS_COUNTED + 1}`),
    getSettings(db),
  ]);
  const count = rows
    .slice(0, CLOCKS_COUNTED)
    .filter(({ priority, json, ...organization }) =>
      wouldMove(slaStateOf(json, priority), rulesOf(organization, { ...targets, calendar }, at).rules, at),
    ).length;
  return { count, isMore: rows.length > CLOCKS_COUNTED };
}

/** One that is paused goes on now. */
function wouldMove(state: SlaState, rules: SlaRules, at: Instant): boolean {
  const changed = advance(state, { type: "calendar-changed", at }, rules).state;
  const due = (sla: RunningTarget | null) => sla && dueIfResumed(sla, at);
  return due(state.running) !== due(changed.running) || due(state.resolution) !== due(changed.resolution);
}

export const isCountedOtherwise = ({ running, resolution }: SlaState, calendar: Calendar): boolean =>
  [running, resolution].some((sla) => sla && !sla.missed && JSON.stringify(sla.calendar) !== JSON.stringify(calendar));

const KEY = "clocksToMove";

/** The job `move-clocks` does it, a few tickets at a time. */
export function moveRunningClocks(db: Db, { at, by }: { at: Instant; by: string }): Statement {
  const toMove: ClocksToMove = { since: at, doneUpTo: 0 };
  const row = { value_json: JSON.stringify(toMove), updated_at: at, updated_by: by };
  return db
    .insert(settings)
    .values({ key: KEY, ...row })
    .onConflictDoUpdate({ target: settings.key, set: { ...row, version: sql`${settings.version} + 1` } });
}

/** Also leaves those of earlier hours that still wait. */
export const keepRunningClocks = (db: Db): Statement => db.delete(settings).where(eq(settings.key, KEY));

/** Null: done. Does nothing where somebody has ordered another move since. */
export async function recordMoved(db: Db, before: ClocksToMove, doneUpTo: number | null): Promise<void> {
  const isThis = sql`${settings.key} = ${KEY} AND ${settings.value_json} = ${JSON.stringify(before)}`;
  if (doneUpTo === null) await db.delete(settings).where(isThis);
  else
    await db
      .update(settings)
      .set({ value_json: JSON.stringify({ ...before, doneUpTo }) })
      .where(isThis);
}

/** The last reason that staff gave there counts. */
export const lateReason = (ticketId: SQL, dueAt: SQL): SQL => sql`(
  SELECT e.reason FROM ticket_events e INDEXED BY ticket_events_in_order
  WHERE e.ticket_id = ${ticketId} AND e.at > ${dueAt} AND e.kind = 'late_explained'
    AND e.from_value = CAST(${dueAt} AS TEXT)
  ORDER BY e.at DESC, e.id DESC LIMIT 1)`;
