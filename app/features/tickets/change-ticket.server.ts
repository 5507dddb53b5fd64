import { and, eq, sql } from "drizzle-orm";
import { type Db, expectRow, type Statement } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import { type AuditAction, type AuditActor, SYSTEM } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { TicketEventKind } from "~/lib/ticket-words";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { runCommand } from "~/platform/run-command.server";
import { announceTicket, type TicketAnnouncement } from "./announce-ticket.server";
import type { TicketActor } from "./model";
import { type PromiseEvent, stepPromise, type TakenIncidents } from "./promise-step.server";
import type { StoredTicket } from "./queries.server";
import { stillBelongs } from "./still-belongs.server";
import { ticketSubject } from "./subject";
import { takeTicketLimit } from "./ticket-limits.server";
import { afterTicketChange, liveStatementForClients, liveStatements } from "./ticket-live-events.server";

/** Describes one line of a ticket's history. `reason` is read by the client. */
type TicketEvent = { kind: TicketEventKind; from?: string | null; to?: string | null; reason?: string | null };

/** Holds a change of a ticket: its row, and what is written down, told and promised with it. */
export type TicketChange = {
  set?: Partial<typeof tickets.$inferInsert>;
  promise?: readonly PromiseEvent[];
  events?: readonly TicketEvent[];
  audit: readonly { action: AuditAction; meta?: Record<string, unknown> }[];
  /** Writes messages and people, after the row. */
  statements?: readonly Statement[];
  announcement?: Omit<TicketAnnouncement, "ticket" | "actor">;
  /** Holds further keys of the form's scope that are done with it. */
  alsoKeys?: readonly string[];
  /** Says what open pages of staff are told: "T-1042: Resolved". */
  label: string;
};

/** Describes the batch of a change of many tickets, which tells open pages of all of them at once. */
type OneOfMany = { taken: TakenIncidents; auditActor: AuditActor };

/**
 * Returns the statements of a change, for a batch that also expects the version that was read: what the clock and the
 * announcement are made of must still hold.
 */
export async function ticketChangeStatements(
  ctx: Ctx,
  actor: TicketActor,
  { ticket, change, oneOf }: { ticket: StoredTicket; change: TicketChange; oneOf?: OneOfMany },
): Promise<Statement[]> {
  const at = ctx.now();
  const { set = {}, events = [], promise = [] } = change;
  const organizationId = set.organization_id ?? ticket.organization.id;
  const [step, announced] = await Promise.all([
    promise.length > 0 ? stepPromise(ctx, ticket, { organizationId, events: promise, taken: oneOf?.taken }) : null,
    change.announcement
      ? announceTicket(ctx, { ...change.announcement, ticket: announcedTicket(ticket, set), actor })
      : [],
  ]);
  const subject = ticketSubject(ticket);
  const changed = { id: ticket.id, isPrivate: ticket.isPrivate || set.is_private === true };
  return [
    ctx.db
      .update(tickets)
      .set({ ...set, ...step?.columns, updated_at: at, version: sql`${tickets.version} + 1` })
      .where(eq(tickets.id, ticket.id)),
    ...(change.statements ?? []),
    ...events.map((event) => eventStatement(ctx, actor, { ticketId: ticket.id, organizationId, event, at })),
    ...(step?.statements ?? []),
    ...change.audit.map(({ action, meta }) =>
      recordAudit(ctx, action, {
        subject,
        meta,
        actor: oneOf?.auditActor ?? auditActorOf(ctx, actor),
        ...(OF_STAFF_ONLY.has(action) ? {} : { orgId: organizationId }),
      }),
    ),
    ...(oneOf ? [] : liveStatements(ctx, { ...changed, organizationId, label: change.label })),
    ...(organizationId === ticket.organization.id
      ? []
      : [liveStatementForClients(ctx, { ...changed, organizationId: ticket.organization.id })]),
    ...announced,
  ];
}

/**
 * Returns who an event of the audit names: the system, the signed-in person, or whoever has answered by the link of a
 * mail.
 */
function auditActorOf(ctx: Ctx, { side, userId, fullName }: TicketActor): AuditActor | undefined {
  if (side === "system") return SYSTEM;
  const isSignedIn = userId === null || ctx.signedIn?.userId === userId;
  return isSignedIn ? undefined : { id: userId, role: "user", name: fullName, email: null };
}

/**
 * Holds what owners do not read in the history of their organization: who of the staff has a ticket, by full name, and
 * which other organization it came from.
 */
const OF_STAFF_ONLY: ReadonlySet<AuditAction> = new Set(["ticket.moved", "ticket.assigned"]);

/** Describes a ticket as it is after a change, for the announcement of it. */
function announcedTicket(ticket: StoredTicket, set: NonNullable<TicketChange["set"]>): TicketAnnouncement["ticket"] {
  const { id, organization, creator, assignee } = ticket;
  return {
    id,
    organization,
    creator,
    assignee,
    status: set.status ?? ticket.status,
    priority: set.priority ?? ticket.priority,
    isPrivate: set.is_private ?? ticket.isPrivate,
  };
}

type EventOfTicket = { ticketId: string; organizationId: string; event: TicketEvent; at: Instant };

/** Returns the statement that writes a line of a ticket's history. */
export const eventStatement = (
  ctx: Pick<Ctx, "db" | "newId">,
  actor: TicketActor,
  { ticketId, organizationId, event, at }: EventOfTicket,
): Statement =>
  ctx.db.insert(ticketEvents).values({
    id: ctx.newId("tev"),
    organization_id: organizationId,
    ticket_id: ticketId,
    kind: event.kind,
    from_value: event.from ?? null,
    to_value: event.to ?? null,
    reason: event.reason ?? null,
    actor_id: actor.userId,
    actor_name: actor.fullName,
    actor_side: actor.side,
    at,
  });

type Command<Code extends string> = {
  /** Finds the ticket, if the actor may do this to it. */
  find: () => Promise<StoredTicket | null>;
  scope: string;
  /** Holds the nonce of the form, with what it is about where one page has several forms with the same token. */
  key: string;
  /**
   * Holds what the form sets, where its page may set the same again with the token it has: see `runCommand`. Missing:
   * it is done once.
   */
  choice?: string;
  /** Says what the command returns, also to a form that arrives twice. Missing: the id of the ticket. */
  resultId?: string;
  /** Decides what to change; null: it is so already. `last`: what was chosen last with this form; null: nothing. */
  plan: (
    ticket: StoredTicket,
    last: string | null,
  ) => Result<TicketChange | null, Code> | Promise<Result<TicketChange | null, Code>>;
};

/** Returns the expectations that a ticket is as it was read, and that the organization it moves to is still there. */
const unchangedSince = (db: Db, { id, version }: StoredTicket, movesTo: string | undefined): Statement[] => [
  expectRow(db, tickets, and(eq(tickets.id, id), eq(tickets.version, version))),
  ...(movesTo ? [expectRow(db, organizations, eq(organizations.id, movesTo))] : []),
];

/**
 * Changes a ticket in one batch with history, audit, promise, live event and announcement. If somebody else was faster,
 * it reads and decides again, so that no change is lost and none is made of an outdated state; who keeps losing is told
 * to try again (`NotNow`). The same form posted again leads to the same result; where it made a choice that somebody
 * has changed since, the result says so.
 */
export function changeTicket<Code extends string>(
  ctx: Ctx,
  actor: TicketActor,
  command: Command<Code> & { choice: string },
): Promise<Result<string, Code | "ticket_not_found" | "changed_since">>;
export function changeTicket<Code extends string>(
  ctx: Ctx,
  actor: TicketActor,
  command: Command<Code> & { choice?: undefined },
): Promise<Result<string, Code | "ticket_not_found">>;
export function changeTicket(
  ctx: Ctx,
  actor: TicketActor,
  { find, plan, resultId, ...form }: Command<string>,
): Promise<Result<string, string>> {
  return runCommand<StoredTicket | null, string>(ctx, form, {
    read: find,
    plan: async (ticket, { last, isFirst }) => {
      if (!ticket) return fail("ticket_not_found");
      const { id: formerId } = ticket.organization;
      const [planned, limited] = await Promise.all([
        plan(ticket, last),
        isFirst ? takeTicketLimit(ctx, actor, { work: "change", organizationId: formerId }) : null,
      ]);
      if (!planned.ok) return planned;
      const { value: change } = planned;
      const result = { resultId: resultId ?? ticket.id };
      if (change === null) return ok(result);
      if (limited) throw limited;
      const movesTo = change.set?.organization_id;
      return ok({
        ...result,
        alsoKeys: change.alsoKeys,
        expects: [{ that: stillBelongs(actor, formerId), otherwise: "ticket_not_found" }],
        statements: [
          ...unchangedSince(ctx.db, ticket, movesTo),
          ...(await ticketChangeStatements(ctx, actor, { ticket, change })),
        ],
        after: () => afterTicketChange(ctx, formerId, movesTo ?? formerId),
      });
    },
  });
}
