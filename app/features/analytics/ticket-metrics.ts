import type { ticketMetrics } from "~/db/schema/metrics";
import { isActive, REOPEN_WINDOW, type TicketPriority, type TicketStatus } from "~/features/tickets/model";
import { storedOutcome } from "~/features/tickets/sla/clock";
import { type Calendar, openTimeBetween } from "~/lib/calendar";
import type { TicketEventKind } from "~/lib/ticket-values";
import { addDays, type Duration, dayIn, type Instant } from "~/lib/time";
import { COUNT, type Counts } from "./counts";
import { BACKLOG_AGES, bucketOf } from "./model";

/** A ticket and what happened to it, as the database has it. */
export type TicketHistory = {
  id: string;
  organizationId: string;
  status: TicketStatus;
  /** Now. */
  priority: TicketPriority;
  createdAt: Instant;
  resolvedAt: Instant | null;
  /** The oldest first. */
  events: readonly TicketHistoryEvent[];
  /** When a client first wrote a public message. */
  clientWroteAt: Instant | null;
  /** When a person of staff first wrote a public message: at all, and after that of the client. */
  staffWroteAt: Instant | null;
  staffAnsweredAt: Instant | null;
  isOpenedByStaff: boolean;
  /** What was answered in another product is no reply of ours. */
  isImported?: boolean;
  votes: readonly { isSolved: boolean; at: Instant }[];
};

export type TicketHistoryEvent = {
  kind: TicketEventKind;
  from: string | null;
  to: string | null;
  at: Instant;
};

/** A row of `ticket_metrics` without its id. */
export type TicketMetric = Required<Omit<typeof ticketMetrics.$inferInsert, "id">>;

/** The zone in which days begin, and the calendar that was in force at an instant. */
export type Calendars = { zone: string; at: (instant: Instant) => Calendar };

type Measured = { on?: string; counts: Counts } & Partial<
  Pick<TicketMetric, "open_time" | "total_time" | "paused_time" | "again_on" | "detail">
>;
type MakeMetric = (kind: TicketMetric["kind"], at: Instant, measured: Measured) => TicketMetric;

type Measuring = {
  ticket: TicketHistory;
  /** As chosen first: later ones are changed by staff, who know more. */
  priority: TicketPriority;
  moves: readonly Move[];
  zone: string;
  metric: MakeMetric;
};

/** Everything that counts of a ticket. */
export function measureTicket(ticket: TicketHistory, calendars: Calendars): TicketMetric[] {
  const { zone } = calendars;
  const chosen = ticket.events.find(({ kind }) => kind === "priority")?.from as TicketPriority | undefined;
  const priority = chosen ?? ticket.priority;
  const metric: MakeMetric = (kind, at, { on = dayIn(zone, at), counts, ...measured }) => ({
    ...{ ticket_id: ticket.id, organization_id: ticket.organizationId, kind, day: on, at, priority },
    ...{ open_time: null, total_time: null, paused_time: null, again_on: null, detail: null },
    ...measured,
    counts: JSON.stringify(counts),
  });
  const measuring: Measuring = { ticket, priority, moves: movesOf(ticket), zone, metric };
  return [
    metric("created", ticket.createdAt, {
      detail: ticket.status,
      counts: { [COUNT.created(priority)]: 1, [COUNT.status(ticket.status)]: 1 },
    }),
    ...firstReply(measuring, calendars),
    ...resolutions(measuring),
    ...promises(measuring),
    ...ticket.votes.map(({ isSolved, at }) => {
      const vote = isSolved ? "good" : "bad";
      return metric(vote, at, { counts: { [COUNT.vote(vote)]: 1 } });
    }),
    ...backlog(measuring),
  ];
}

/** A ticket that staff have opened waits for a reply since the client wrote. */
function firstReply({ ticket, priority, metric }: Measuring, { at: calendarAt }: Calendars): TicketMetric[] {
  if (ticket.isImported) return [];
  const { isOpenedByStaff, clientWroteAt, staffWroteAt, staffAnsweredAt, createdAt } = ticket;
  const askedAt = isOpenedByStaff ? clientWroteAt : createdAt;
  const answeredAt = isOpenedByStaff ? staffAnsweredAt : staffWroteAt;
  if (askedAt === null || answeredAt === null) return [];
  const open = openTimeBetween(calendarAt(createdAt), askedAt, answeredAt);
  const wall = answeredAt - askedAt;
  return [
    metric("answered", answeredAt, {
      ...{ open_time: open, total_time: wall },
      counts: {
        [`${COUNT.openBucket(priority)}${bucketOf(open)}`]: 1,
        [COUNT.openSum(priority)]: open,
        [`${COUNT.wallBucket}${bucketOf(wall)}`]: 1,
        [COUNT.wallSum]: wall,
      },
    }),
  ];
}

type Move = { from: TicketStatus; to: TicketStatus; at: Instant };

/** A ticket that ended without a line about it ended at the time in its row. */
function movesOf({ events, status, resolvedAt }: TicketHistory): Move[] {
  const moves = events
    .filter(({ kind }) => kind === "status")
    .map(({ from, to, at }) => ({ from: from as TicketStatus, to: to as TicketStatus, at }));
  const last = moves.at(-1)?.to ?? "open";
  if (resolvedAt !== null && isActive(last) && !isActive(status))
    moves.push({ from: last, to: status, at: resolvedAt });
  return moves;
}

/** When it was resolved, or closed while somebody still had to do something, and what was undone within 14 days. */
function resolutions({ ticket: { createdAt, isImported }, priority, moves, zone, metric }: Measuring): TicketMetric[] {
  const ends = moves.filter(({ from, to }) => isActive(from) && !isActive(to));
  // A file has not said when: nobody knows how long it took.
  const isUnknown = (at: Instant) => isImported === true && at === createdAt;
  const countsAt = (at: Instant): Counts => ({
    [COUNT.resolved]: 1,
    ...(isUnknown(at)
      ? {}
      : {
          [`${COUNT.resolvedBucket(priority)}${bucketOf(at - createdAt)}`]: 1,
          [COUNT.resolvedSum(priority)]: at - createdAt,
          [COUNT.pausedSum]: pausedUntil(moves, at),
        }),
  });
  return ends.flatMap(({ at }, index) => {
    const [next, before] = [ends[index + 1], ends[index - 1]];
    const taken = before
      ? Object.entries(countsAt(before.at)).map(([name, count]) => [
          `${COUNT.again(dayIn(zone, before.at))}${name}`,
          count,
        ])
      : [];
    const resolved = metric("resolved", at, {
      ...(isUnknown(at) ? {} : { total_time: at - createdAt, paused_time: pausedUntil(moves, at) }),
      again_on: next ? dayIn(zone, next.at) : null,
      counts: { ...countsAt(at), ...Object.fromEntries(taken) },
    });
    const reopening = moves.find((move) => move.at >= at && !isActive(move.from) && isActive(move.to));
    if (!reopening || reopening.at - at > REOPEN_WINDOW) return [resolved];
    const counts = { [COUNT.reopened]: 1 };
    return [resolved, metric("reopened", at, { total_time: reopening.at - at, counts })];
  });
}

/** How long it had waited for the client until an instant. */
function pausedUntil(moves: readonly Move[], until: Instant): Duration {
  let [time, since]: [Duration, Instant | null] = [0, null];
  for (const { to, at } of moves) {
    if (at > until) break;
    if (since !== null) time += at - since;
    since = to === "waiting_for_customer" ? at : null;
  }
  return time;
}

/** Of replies: a kept promise on the day it was answered, a missed one on the day it fell due. */
const promises = ({ ticket: { events }, priority, metric }: Measuring): TicketMetric[] =>
  events.flatMap(({ kind, from, to }) => {
    if ((kind !== "promise_kept" && kind !== "promise_missed") || from === "resolution") return [];
    const target = storedOutcome({ kind, from_value: from ?? "", to_value: to ?? "" });
    const { dueAt, answeredAt, outcome, startedAt } = target;
    const measured = { detail: target.kind, counts: { [COUNT.promise(outcome, target.kind, priority)]: 1 } };
    return outcome === "kept"
      ? [metric("kept", answeredAt ?? dueAt, { ...measured, total_time: (answeredAt ?? dueAt) - startedAt })]
      : [metric("missed", dueAt, { ...measured, total_time: answeredAt === null ? null : answeredAt - dueAt })];
  });

function backlog({ ticket: { createdAt }, moves, zone, metric }: Measuring): TicketMetric[] {
  const createdOn = dayIn(zone, createdAt);
  const states = new Map<string, DayState>([[createdOn, { day: createdOn, isActive: true }]]);
  for (const { to, at } of moves) {
    const day = dayIn(zone, at);
    states.set(day, { day, isActive: isActive(to) });
  }
  return [...backlogChanges(createdOn, [...states.values()])].map(([on, counts]) =>
    metric("backlog", createdAt, { on, counts }),
  );
}

/** Whether a ticket was active at the end of a day. */
export type DayState = { day: string; isActive: boolean };

/**
 * On which days a ticket enters and leaves each age of the backlog, also in the future, where it grows older if nothing
 * happens. The backlog at the end of a day is the sum of all changes until then. `states`: on each day on which that
 * changed, in order.
 */
export function backlogChanges(createdOn: string, states: readonly DayState[]): Map<string, Counts> {
  const changes = new Map<string, Counts>();
  const add = (day: string, age: number, count: number) => {
    const change = changes.get(day) ?? {};
    change[COUNT.backlog(age)] = (change[COUNT.backlog(age)] ?? 0) + count;
    changes.set(day, change);
  };
  for (const { from, until } of activeSpans(states))
    BACKLOG_AGES.forEach((first, age) => {
      const next = BACKLOG_AGES[age + 1];
      const begins = latest(addDays(createdOn, first), from);
      const ends = earliest(next === undefined ? null : addDays(createdOn, next), until);
      if (ends !== null && ends <= begins) return;
      add(begins, age, 1);
      if (ends !== null) add(ends, age, -1);
    });
  for (const [day, change] of changes) if (Object.values(change).every((count) => count === 0)) changes.delete(day);
  return changes;
}

/** `from`, `until`: from that day on it was active at the end of the day, and was not any more. */
function activeSpans(states: readonly DayState[]): { from: string; until: string | null }[] {
  const spans: { from: string; until: string | null }[] = [];
  for (const { day, isActive: isActiveNow } of states) {
    const open = spans.at(-1);
    const isOpen = open !== undefined && open.until === null;
    if (isActiveNow && !isOpen) spans.push({ from: day, until: null });
    if (!isActiveNow && isOpen) open.until = day;
  }
  return spans;
}

const latest = (one: string, other: string): string => (one > other ? one : other);

const earliest = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
};
