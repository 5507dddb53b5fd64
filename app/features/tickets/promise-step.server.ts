import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { ticketEvents } from "~/db/schema/tickets";
import type { TicketEventKind, TicketPriority } from "~/lib/ticket-words";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { returnIncident, spendAllowance } from "./allowances/ledger.server";
import { type OrganizationRules, readPromiseRules } from "./promise/read-rules.server";
import { advance, openTicket, type PromiseEvent, type Step } from "./promise/state";
import { type PromiseColumns, promiseColumns, promiseStateOf, verdictEvent } from "./promise/stored";

export type { PromiseEvent } from "./promise/state";

/** Holds the columns of a ticket that its clock keeps, and what else the batch writes down for it. */
export type PromiseStep = { columns: PromiseColumns; statements: Statement[] };

type PromiseContext = Pick<Ctx, "db" | "newId" | "now" | "signedIn">;

type Opening = {
  id: string;
  organizationId: string;
  by: "client" | "staff";
  at: Instant;
  priority: TicketPriority;
};

/** Starts the clock of a ticket. Its statements follow the ticket's row. */
export async function openPromise(ctx: PromiseContext, opening: Opening): Promise<PromiseStep> {
  const { organizationId, by, at, priority } = opening;
  const found = await readPromiseRules(ctx.db, organizationId, at);
  return written(ctx, opening, {
    ...found,
    organizationId,
    steps: [openTicket({ by, at, priority, rules: found.rules })],
  });
}

type TicketOfClock = { id: string; priority: TicketPriority; promise: { json: string } };

/** Counts the after-hours incidents that the clocks of one batch take, by organization. */
export type TakenIncidents = Map<string, number>;

type Told = { organizationId: string; events: readonly PromiseEvent[]; taken?: TakenIncidents };

/**
 * Tells the clock of a ticket what has happened, in its order. `organizationId`: the one it belongs to from then on.
 * The batch fails if somebody else uses the last after-hours incident meanwhile.
 */
export async function stepPromise(
  ctx: PromiseContext,
  ticket: TicketOfClock,
  { organizationId, events, taken }: Told,
): Promise<PromiseStep> {
  const found = withoutTaken(await readPromiseRules(ctx.db, organizationId, ctx.now()), taken?.get(organizationId));
  const steps: Step[] = [];
  for (const event of events) {
    const before = steps.at(-1)?.state ?? promiseStateOf(ticket.promise.json, ticket.priority);
    steps.push(advance(before, event, found.rules));
  }
  // Nothing is awaited since the rules are known, so that the clocks of one batch take one after the other.
  const used = steps.filter(({ usesAllowance }) => usesAllowance).length;
  taken?.set(organizationId, (taken.get(organizationId) ?? 0) + used);
  return written(ctx, ticket, { ...found, organizationId, steps });
}

/** Returns the rules of an organization of whose after-hours incidents a batch has taken some already. */
const withoutTaken = ({ rules, ...found }: OrganizationRules, count = 0): OrganizationRules => ({
  ...found,
  rules: { ...rules, afterHours: { ...rules.afterHours, left: Math.max(0, rules.afterHours.left - count) } },
});

type Happened = OrganizationRules & { organizationId: string; steps: readonly Step[] };

const RETURN_REASONS = {
  organization: "The ticket moved to another organization",
  calendar: "The opening hours changed, and promise a reply as soon",
};

/** Returns what is stored of what the clock said: columns, verdicts, and what became of the allowance. */
function written(ctx: PromiseContext, ticket: { id: string }, happened: Happened): PromiseStep {
  const { organizationId, contractYear, rules, steps } = happened;
  const last = steps.at(-1);
  if (!last) throw new Error("A clock is told nothing");
  const by = { userId: ctx.signedIn?.userId ?? null, fullName: ctx.signedIn?.fullName ?? "" };
  const event = (kind: TicketEventKind, { from, to }: { from: string; to: string }) =>
    promiseEventStatement(ctx, { ticketId: ticket.id, organizationId, kind, from, to });
  const returned = steps.find(({ returnsAllowance }) => returnsAllowance)?.returnsAllowance;
  const { left, perYear } = rules.afterHours;
  const place = (perYear ?? 0) - left + 1;
  return {
    columns: promiseColumns(last.state),
    statements: [
      ...steps
        .flatMap(({ verdicts }) => verdicts)
        .map((verdict) => {
          const { kind, from_value, to_value } = verdictEvent(verdict);
          return event(kind, { from: from_value, to: to_value });
        }),
      ...(returned
        ? [
            // Before the incident is given back: one that staff have given back already is not in the history twice.
            incidentReturnedStatement(ctx, { ticketId: ticket.id, organizationId }),
            returnIncident(ctx, { ticketId: ticket.id, by, reason: RETURN_REASONS[returned] }),
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

/** Returns the statement that writes a line of a ticket's history which nobody did: the clock says it. */
const promiseEventStatement = (
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

/** Returns the statement that writes that the incident of a ticket is given back, if it counts. */
const incidentReturnedStatement = (
  ctx: Pick<Ctx, "db" | "newId" | "now">,
  { ticketId, organizationId }: Pick<ClockEvent, "ticketId" | "organizationId">,
): Statement =>
  // Every column in its order, as an insert from a query has them.
  ctx.db.insert(ticketEvents).select(sql`
    SELECT ${ctx.newId("tev")}, ${organizationId}, ${ticketId}, 'allowance_reversed', 'after_hours', '', NULL, NULL, '',
      'system', ${ctx.now()}
    WHERE EXISTS (SELECT 1 FROM allowance_entries
      WHERE ticket_id = ${ticketId} AND kind = 'after_hours' AND reversed_at IS NULL)`);
