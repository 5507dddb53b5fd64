import { and, eq, type SQL, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { commit, type Db, expectRow, type Statement } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import { type AuditAction, type AuditActor, CONTACT, SYSTEM } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { fail, ok, type Result } from "~/lib/errors";
import { waitInWords } from "~/lib/text";
import type { TicketEventKind } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { RATE_LIMITS, takeLimitOfPeriod } from "~/platform/rate-limits.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { NotNow, runCommand } from "~/platform/run-command.server";
import { stillBelongs } from "./access.server";
import { UNASSIGNED } from "./labels";
import { isActive, SYSTEM_ACTOR, type TicketActor, type TicketStatus } from "./model";
import { notifyOfTicket, type TicketNotification } from "./notify-ticket.server";
import { ticketSubject } from "./paths";
import { findTicketForStaff, type StoredTicket } from "./queries.server";
import type { SlaEvent } from "./sla/due-times";
import { stepTargets, type TakenIncidents } from "./sla/targets.server";

/** Describes one line of a ticket's history, which the client reads. `by`: absent: whoever changes the ticket. */
type TicketEvent = {
  kind: TicketEventKind;
  from?: string | null;
  to?: string | null;
  reason?: string | null;
  by?: TicketActor;
};

export type TicketChange = {
  set?: Partial<typeof tickets.$inferInsert>;
  sla?: readonly SlaEvent[];
  events?: readonly TicketEvent[];
  audit: readonly { action: AuditAction; meta?: Record<string, unknown>; by?: TicketActor }[];
  statements?: readonly Statement[];
  notification?: Omit<TicketNotification, "ticket" | "actor">;
  alsoKeys?: readonly string[];
  label: string;
};

type OneOfMany = { taken: TakenIncidents; auditActor: AuditActor };

/**
 * Returns the statements of a change, for a batch that also expects the version that was read: what the clock and the
 * notification are made of must still hold.
 */
export async function ticketChangeStatements(
  ctx: Ctx,
  actor: TicketActor,
  { ticket, change, oneOf }: { ticket: StoredTicket; change: TicketChange; oneOf?: OneOfMany },
): Promise<Statement[]> {
  const at = ctx.now();
  const { set = {}, events = [], sla = [] } = change;
  const organizationId = set.organization_id ?? ticket.organization.id;
  const [step, notifications] = await Promise.all([
    sla.length > 0 ? stepTargets(ctx, ticket, { organizationId, events: sla, taken: oneOf?.taken }) : null,
    change.notification
      ? notifyOfTicket(ctx, { ...change.notification, ticket: notifiedTicket(ticket, set), actor })
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
    ...events.map((event) =>
      eventStatement(ctx, event.by ?? actor, { ticketId: ticket.id, organizationId, event, at }),
    ),
    ...(step?.statements ?? []),
    ...change.audit.map(({ action, meta, by = actor }) =>
      recordAudit(ctx, action, {
        subject,
        meta,
        actor: oneOf?.auditActor ?? auditActorOf(ctx, by),
        ...(OF_STAFF_ONLY.has(action) ? {} : { orgId: organizationId }),
      }),
    ),
    ...(oneOf ? [] : liveStatements(ctx, { ...changed, organizationId, label: change.label })),
    ...(organizationId === ticket.organization.id
      ? []
      : [liveStatementForClients(ctx, { ...changed, organizationId: ticket.organization.id })]),
    ...notifications,
  ];
}

/** Returns who did it where nobody is signed in: it came by mail, or a job did it. */
export function auditActorOf(
  ctx: Pick<Ctx, "signedIn">,
  { side, userId, fullName, role }: TicketActor,
): AuditActor | undefined {
  if (side === "system") return SYSTEM;
  if (side === "client" && userId === null) return CONTACT;
  const isSignedIn = userId === null || ctx.signedIn?.userId === userId;
  return isSignedIn ? undefined : { id: userId, role: role ?? "user", name: fullName, email: null };
}

/**
 * Holds what owners do not read in the history of their organization: who of the staff has a ticket, by full name, and
 * which other organization it came from.
 */
const OF_STAFF_ONLY: ReadonlySet<AuditAction> = new Set(["ticket.moved", "ticket.assigned"]);

function notifiedTicket(ticket: StoredTicket, set: NonNullable<TicketChange["set"]>): TicketNotification["ticket"] {
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

type EventActor = Omit<TicketActor, "contactId"> & {
  /** An id, or the query for that of somebody who becomes known in the same batch. */
  contactId?: string | SQL;
};

export const eventStatement = (
  ctx: Pick<Ctx, "db" | "newId">,
  actor: EventActor,
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
    actor_id: actor.userId ?? actor.contactId ?? null,
    actor_name: actor.fullName,
    actor_side: actor.side,
    at,
  });

type Command<Code extends string> = {
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
  /** Counts the change for its author and their organization; false: it is counted elsewhere. */
  isLimited?: boolean;
  /** Decides what to change; null: it is so already. `last`: what was chosen last with this form; null: nothing. */
  plan: (
    ticket: StoredTicket,
    last: string | null,
  ) => Result<TicketChange | null, Code> | Promise<Result<TicketChange | null, Code>>;
};

const unchangedSince = (db: Db, { id, version }: StoredTicket, movesTo: string | undefined): Statement[] => [
  expectRow(db, tickets, and(eq(tickets.id, id), eq(tickets.version, version))),
  ...(movesTo ? [expectRow(db, organizations, eq(organizations.id, movesTo))] : []),
];

/**
 * If somebody else was faster, it reads and decides again, so that no change is lost and none is made of an outdated
 * state; who keeps losing is told to try again (`NotNow`). The same form posted again leads to the same result; where
 * it made a choice that somebody has changed since, the result says so.
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
  { find, plan, resultId, isLimited = true, ...form }: Command<string>,
): Promise<Result<string, string>> {
  return runCommand<StoredTicket | null, string>(ctx, form, {
    read: find,
    plan: async (ticket, { last, isFirst }) => {
      if (!ticket) return fail("ticket_not_found");
      const { id: formerId } = ticket.organization;
      const [planned, limited] = await Promise.all([
        plan(ticket, last),
        isFirst && isLimited ? takeTicketLimit(ctx, actor, { work: "change", organizationId: formerId }) : null,
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

/**
 * Changes a ticket because time has passed. `plan` decides by what is stored now; null: not any more. If somebody else
 * is faster, nothing changes: the next run decides again. So what runs twice happens once.
 */
export async function changeAsSystem(
  ctx: Ctx,
  ticketId: string,
  plan: (ticket: StoredTicket) => TicketChange | null,
): Promise<boolean> {
  const ticket = await findTicketForStaff(ctx.db, ticketId);
  const change = ticket && plan(ticket);
  if (!change) return false;
  const written = await commit(ctx.db, [
    expectRow(ctx.db, tickets, and(eq(tickets.id, ticketId), eq(tickets.version, ticket.version))),
    ...(await ticketChangeStatements(ctx, SYSTEM_ACTOR, { ticket, change })),
  ]);
  if (!written) return false;
  ctx.after(ctx.live.notify("staff"));
  ctx.after(ctx.live.notify(organizationAudience(ticket.organization.id)));
  return true;
}

type Before = { status: TicketStatus; resolvedAt: Instant | null };
type Move = { to: TicketStatus; at: Instant };

/**
 * Returns the columns of a ticket that moves to a status. Closing says when it was resolved, where nobody had; moving
 * back to work clears both times, and what was done, which is no longer true.
 */
export function statusColumns(before: Before, { to, at }: Move): Partial<typeof tickets.$inferInsert> {
  const base = { status: to, reminded_at: null, waiting_since: to === "waiting_for_customer" ? at : null };
  if (to === "resolved") return { ...base, resolved_at: at, closed_at: null };
  if (to === "closed") return { ...base, resolved_at: before.resolvedAt ?? at, closed_at: at };
  return { ...base, resolved_at: null, closed_at: null, resolution: null };
}

export function slaEventsOf(from: TicketStatus, { to, at, by }: Move & { by: TicketActor["side"] }): SlaEvent[] {
  if (to === "resolved" || to === "closed") return [{ type: to, at, by }];
  const reopened: SlaEvent[] = isActive(from) ? [] : [{ type: "reopened", at, by }];
  return to === from ? reopened : [...reopened, { type: "status-changed", at, to }];
}

export const assignmentChange = (
  { assignee: former }: Pick<StoredTicket, "assignee">,
  assignee: { id: string; name: string } | null,
): TicketChange => ({
  set: { assigned_to: assignee?.id ?? null },
  events: [{ kind: "assignee", from: former?.name, to: assignee?.name }],
  audit: [
    {
      action: "ticket.assigned",
      meta: {
        from: former?.name ?? UNASSIGNED,
        to: assignee?.name ?? UNASSIGNED,
        people: { from: former?.id, to: assignee?.id },
      },
    },
  ],
  notification: assignee ? { assigned: assignee } : undefined,
  label: assignee ? `Assigned to ${assignee.name}` : "Unassigned",
});

type Work = "ticket" | "change";

const DONE: Record<Work, string> = { ticket: "opened many tickets", change: "changed tickets very often" };
const POSSIBLE: Record<Work, string> = {
  ticket: "open %d tickets",
  change: "write or change something on tickets %d times",
};

/**
 * Counts what somebody is about to do to a ticket: each new one is mailed to all staff, and each reply to everybody on
 * it. First the person, so that what one of them does in vain uses up nothing of what their colleagues may do. Returns
 * why it is one too many; null: it is not.
 */
export async function takeTicketLimit(
  { db, now }: Pick<Ctx, "db" | "now">,
  { side, userId }: TicketActor,
  { work, organizationId }: { work: Work; organizationId: string },
): Promise<NotNow | null> {
  if (side === "system" || userId === null) return null;
  const at = now();
  const counting = { select: db.select, insert: db.insertBesideReads };
  const tooMany = (who: string, until: Instant) =>
    new NotNow(
      "rate_limited",
      until,
      `${who}. Try again in ${waitInWords(until, at)}, or call us if it can't wait that long.`,
    );
  const [ownUntil, [organization]] = await Promise.all([
    takeLimitOfPeriod(counting, `${work}_${side === "staff" ? "staff" : "user"}`, userId, at),
    db.all<{ isNew: number }>(
      sql`SELECT needs_review_at IS NOT NULL AS isNew FROM organizations WHERE id = ${organizationId}`,
    ),
  ]);
  if (ownUntil !== null) return tooMany(`You have ${DONE[work]} in a short time`, ownUntil);
  if (side === "staff") return null;
  const type = organization?.isNew ? (`${work}_new_org` as const) : (`${work}_org` as const);
  const until = await takeLimitOfPeriod(counting, type, organizationId, at);
  if (until === null) return null;
  return tooMany(
    organization?.isNew
      ? `Your organization is new here: it can ${POSSIBLE[work].replace("%d", String(RATE_LIMITS[type].limit))} a day until we have reviewed it`
      : `Your organization has ${DONE[work]} in a short time`,
    until,
  );
}

type Changed = { id: string; organizationId: string; label: string; isPrivate: boolean };

/**
 * Returns what a ticket is called, by the number in the database: one that is being opened gets it inside the batch.
 */
const referenceOf = (id: string): SQL => sql`(SELECT 'T-' || number FROM support_tickets WHERE id = ${id})`;

/**
 * Returns the statements that let open pages look again. People of the organization learn only that the ticket has
 * changed, and of one that not all of them may read not even which.
 */
export function liveStatements(ctx: Ctx, changed: Changed): Statement[] {
  const { id } = changed;
  const subject = { type: "ticket", id } as const;
  const label = sql`${referenceOf(id)} || ${`: ${changed.label.replace(/\s+/g, " ").trim()}`}`;
  return [
    recordLiveEvent(ctx, { audience: "staff", type: "ticket_event", subject, label }),
    liveStatementForClients(ctx, changed),
  ];
}

function liveStatementForClients(ctx: Ctx, { id, organizationId, isPrivate }: Omit<Changed, "label">): Statement {
  const isHidden = isPrivate
    ? sql`1`
    : sql`(SELECT visibility FROM organizations WHERE id = ${organizationId}) IS NOT 'all'`;
  const unlessHidden = (text: string | SQL) => sql`CASE WHEN ${isHidden} THEN '' ELSE ${text} END`;
  return recordLiveEvent(ctx, {
    audience: organizationAudience(organizationId),
    type: "ticket_event",
    subject: { type: "ticket", id: unlessHidden(id) },
    label: unlessHidden(referenceOf(id)),
  });
}

export function afterTicketChange(ctx: Ctx, ...organizationIds: string[]): void {
  ctx.after(ctx.live.notify("staff"));
  for (const id of new Set(organizationIds)) ctx.after(ctx.live.notify(organizationAudience(id)));
  ctx.after(deliverOutbox(ctx));
}
