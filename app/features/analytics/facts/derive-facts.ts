import type { ticketFacts } from "~/db/schema/figures";
import { isActive, REOPEN_WINDOW, type TicketPriority, type TicketStatus } from "~/features/tickets/model";
import { verdictOf } from "~/features/tickets/promise/state";
import { type Calendar, openTimeBetween } from "~/lib/calendar";
import type { TicketEventKind } from "~/lib/ticket-words";
import { type Duration, dayIn, type Instant } from "~/lib/time";
import { backlogChanges, type DayState } from "./backlog";

/** Describes a ticket and what happened to it, as the database has it. */
export type TicketHistory = {
  id: string;
  organizationId: string;
  status: TicketStatus;
  /** Holds the priority now. */
  priority: TicketPriority;
  createdAt: Instant;
  resolvedAt: Instant | null;
  /** Lists the events of the ticket's history, the oldest first. */
  events: readonly TicketHistoryEvent[];
  /** Tells when a client first wrote a public message; null: there is none. */
  clientWroteAt: Instant | null;
  /** Tells when a person of staff first wrote a public message: at all, and after that of the client. */
  staffWroteAt: Instant | null;
  staffAnsweredAt: Instant | null;
  isOpenedByStaff: boolean;
  votes: readonly { isSolved: boolean; at: Instant }[];
};

export type TicketHistoryEvent = {
  kind: TicketEventKind;
  from: string | null;
  to: string | null;
  at: Instant;
};

/** Holds a row of `ticket_facts` without its id. */
export type Fact = Required<Omit<typeof ticketFacts.$inferInsert, "id">>;

/** Says in which zone days begin, and which calendar was in force at an instant. */
export type Calendars = { zone: string; at: (instant: Instant) => Calendar };

type Times = Partial<Pick<Fact, "open_time" | "total_time" | "paused_time" | "again_on" | "detail">>;

/** Returns everything that counts of a ticket. */
export function deriveFacts(ticket: TicketHistory, calendars: Calendars): Fact[] {
  const { zone } = calendars;
  const priority = firstPriority(ticket);
  const fact = (kind: Fact["kind"], at: Instant, times: Times = {}): Fact => ({
    ticket_id: ticket.id,
    organization_id: ticket.organizationId,
    kind,
    day: dayIn(zone, at),
    at,
    priority,
    open_time: null,
    total_time: null,
    paused_time: null,
    again_on: null,
    detail: null,
    ...times,
  });
  const moves = movesOf(ticket);
  return [
    fact("created", ticket.createdAt, { detail: ticket.status }),
    ...answeredFacts(ticket, calendars, fact),
    ...resolvedFacts(ticket, { moves, zone, fact }),
    ...promiseFacts(ticket, fact),
    ...ticket.votes.map(({ isSolved, at }) => fact(isSolved ? "good" : "bad", at)),
    ...backlogFacts(ticket, { moves, zone, fact }),
  ];
}

type MakeFact = (kind: Fact["kind"], at: Instant, times?: Times) => Fact;

/** Returns the priority that was chosen first: later ones are changed by staff, who know more. */
const firstPriority = ({ events, priority }: TicketHistory): TicketPriority =>
  (events.find(({ kind }) => kind === "priority")?.from as TicketPriority | undefined) ?? priority;

/** Returns the first reply. A ticket that staff have opened waits for one since the client wrote. */
function answeredFacts(ticket: TicketHistory, { at: calendarAt }: Calendars, fact: MakeFact): Fact[] {
  const { isOpenedByStaff, clientWroteAt, staffWroteAt, staffAnsweredAt, createdAt } = ticket;
  const askedAt = isOpenedByStaff ? clientWroteAt : createdAt;
  const answeredAt = isOpenedByStaff ? staffAnsweredAt : staffWroteAt;
  if (askedAt === null || answeredAt === null) return [];
  return [
    fact("answered", answeredAt, {
      open_time: openTimeBetween(calendarAt(createdAt), askedAt, answeredAt),
      total_time: answeredAt - askedAt,
    }),
  ];
}

type Move = { from: TicketStatus; to: TicketStatus; at: Instant };

/** Returns the changes of status. A ticket that ended without a line about it ended at the time in its row. */
function movesOf({ events, status, resolvedAt }: TicketHistory): Move[] {
  const moves = events
    .filter(({ kind }) => kind === "status")
    .map(({ from, to, at }) => ({ from: from as TicketStatus, to: to as TicketStatus, at }));
  const last = moves.at(-1)?.to ?? "open";
  if (resolvedAt !== null && isActive(last) && !isActive(status))
    moves.push({ from: last, to: status, at: resolvedAt });
  return moves;
}

type Moved = { moves: readonly Move[]; zone: string; fact: MakeFact };

/** Holds the resolution before one: in a period that has both, only the later one counts. Times in milliseconds. */
export type EarlierResolution = { day: string; total: Duration; paused: Duration };

/**
 * Returns when it was resolved, or closed while somebody still had to do something, and what was undone within 14 days.
 */
function resolvedFacts({ createdAt }: TicketHistory, { moves, zone, fact }: Moved): Fact[] {
  const ends = moves.filter(({ from, to }) => isActive(from) && !isActive(to));
  return ends.flatMap(({ at }, index) => {
    const [next, before] = [ends[index + 1], ends[index - 1]];
    const earlier: EarlierResolution | null = before
      ? { day: dayIn(zone, before.at), total: before.at - createdAt, paused: pausedUntil(moves, before.at) }
      : null;
    const reopening = moves.find((move) => move.at >= at && !isActive(move.from) && isActive(move.to));
    const resolved = fact("resolved", at, {
      total_time: at - createdAt,
      paused_time: pausedUntil(moves, at),
      again_on: next ? dayIn(zone, next.at) : null,
      detail: earlier && JSON.stringify(earlier),
    });
    if (!reopening || reopening.at - at > REOPEN_WINDOW) return [resolved];
    return [resolved, fact("reopened", at, { total_time: reopening.at - at })];
  });
}

/** Returns how long a ticket had waited for the client until an instant. */
function pausedUntil(moves: readonly Move[], until: Instant): Duration {
  let [time, since]: [Duration, Instant | null] = [0, null];
  for (const { to, at } of moves) {
    if (at > until) break;
    if (since !== null) time += at - since;
    since = to === "waiting_for_customer" ? at : null;
  }
  return time;
}

/** Returns promises of replies: a kept one on the day it was answered, a missed one on the day it fell due. */
const promiseFacts = ({ events }: TicketHistory, fact: MakeFact): Fact[] =>
  events.flatMap(({ kind, from, to }) => {
    if ((kind !== "promise_kept" && kind !== "promise_missed") || from === "resolution") return [];
    const verdict = verdictOf({ kind, from_value: from ?? "", to_value: to ?? "" });
    const { dueAt, answeredAt, outcome, startedAt } = verdict;
    return outcome === "kept"
      ? [fact("kept", answeredAt ?? dueAt, { detail: verdict.kind, total_time: (answeredAt ?? dueAt) - startedAt })]
      : [fact("missed", dueAt, { detail: verdict.kind, total_time: answeredAt === null ? null : answeredAt - dueAt })];
  });

/** Returns when it entered and left the backlog, and when it grew older in it. */
function backlogFacts({ createdAt }: TicketHistory, { moves, zone, fact }: Moved): Fact[] {
  const createdOn = dayIn(zone, createdAt);
  const states = new Map<string, DayState>([[createdOn, { day: createdOn, isActive: true }]]);
  for (const { to, at } of moves) {
    const day = dayIn(zone, at);
    states.set(day, { day, isActive: isActive(to) });
  }
  return [...backlogChanges(createdOn, [...states.values()])].map(([day, change]) => ({
    ...fact("backlog", createdAt, { detail: JSON.stringify(change) }),
    day,
  }));
}
