import { expect, test } from "vitest";
import type { TicketPriority } from "~/features/tickets/model";
import { advance, type Step, startClock } from "~/features/tickets/sla/clock";
import type { SlaEvent, SlaOutcome } from "~/features/tickets/sla/due-times";
import { SlowClock, wallClock } from "../../support/sla-by-minute";
import { calendar, rulesOf } from "../../support/sla-story";

const PLANS = ["basic", "core", "premium"] as const;
const PRIORITIES: TicketPriority[] = ["low", "medium", "high", "urgent"];

/** Returns numbers that look random and are the same in each run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Holds a minute of the week before the clocks go back on Sunday, November 1; the Monday after it is a day off. */
const FIRST_MINUTE = "2026-10-26T00:00-05:00";
const WEEK = 7 * 1440;
const AFTERWARDS = 9 * 1440;

const wall = wallClock(FIRST_MINUTE, 24, {
  zone: "America/Chicago",
  workday: [
    ["08:00", "12:00"],
    ["13:00", "17:30"],
  ],
  holiday: "2026-11-02",
});
const hours = calendar("America/Chicago", "08:00-12:00 13:00-17:30", {
  holidays: [{ day: "2026-11-02", name: "Founder's day" }],
});

type Ticket = {
  plan: (typeof PLANS)[number];
  opened: number;
  clock: Step | null;
  slow: SlowClock;
  outcomes: SlaOutcome[];
  incidents: number;
};

/** Chooses what happens next to a ticket: what clients, staff and the job that looks for missed promises do. */
function happening(random: (below: number) => number, ticket: Ticket, at: number): SlaEvent {
  if (ticket.slow.hasEnded) return { type: random(2) ? "reopened" : "client-message", at, by: "client" } as SlaEvent;
  switch (random(10)) {
    case 0:
    case 1:
    case 2:
      return { type: "client-message", at };
    case 3:
    case 4:
      return { type: "staff-message", at };
    case 5:
      return { type: "status-changed", at, to: "waiting_for_customer" };
    case 6:
      return { type: "status-changed", at, to: "in_progress" };
    case 7:
    case 8:
      return { type: "priority-changed", at, to: PRIORITIES[random(4)] ?? "low" };
    default:
      return { type: "resolved", at, by: "staff" };
  }
}

/** Runs both clocks through the week and the days after it. */
function simulate(seed: number): Ticket[] {
  const random = numbers(seed);
  const left = { core: 3 };
  const tickets = Array.from({ length: 60 }, (): Ticket => {
    const plan = PLANS[random(3)] ?? "basic";
    const priority = PRIORITIES[random(4)] ?? "low";
    const slow = new SlowClock(wall, plan, priority, () => left.core);
    return { plan, opened: random(WEEK), clock: null, slow, outcomes: [], incidents: 0, ...{ priority } };
  });
  const take = (ticket: Ticket, step: Step) => {
    // Stored and read again after each step, as the database does.
    ticket.clock = JSON.parse(JSON.stringify(step));
    ticket.outcomes.push(...step.outcomes);
    if (!step.usesAllowance) return;
    ticket.incidents += 1;
    left.core -= 1;
  };
  for (let minute = 1; minute < WEEK + AFTERWARDS; minute += 1) {
    const at = wall.start + minute * 60_000;
    for (const ticket of tickets) {
      if (minute === ticket.opened) {
        ticket.slow.happen({ type: "client-message", at }, minute);
        const { priority } = ticket as Ticket & { priority: TicketPriority };
        take(ticket, startClock({ by: "client", at, priority, rules: rulesOf(ticket.plan, hours, left.core) }));
        continue;
      }
      if (!ticket.clock) continue;
      ticket.slow.pass(minute);
      const rules = rulesOf(ticket.plan, hours, left.core);
      const dueAt = ticket.clock.state.running?.dueAt ?? null;
      const isOverdue = dueAt !== null && dueAt < at && !ticket.clock.state.running?.missTold;
      if (isOverdue && random(20) === 0) take(ticket, advance(ticket.clock.state, { type: "miss-told", at }, rules));
      if (minute >= WEEK || random(180) > 0) continue;
      const event = happening(random, ticket, at);
      ticket.slow.happen(event, minute);
      take(ticket, advance(ticket.clock?.state as Step["state"], event, rules));
    }
  }
  return tickets;
}

test("in a simulated week every outcome is what a second clock says that counts minute by minute", () => {
  const tickets = [7, 11].flatMap(simulate);
  for (const { outcomes, slow, incidents } of tickets) {
    expect(outcomes.map(({ answeredAt: _, ...outcome }) => outcome)).toEqual(slow.outcomes);
    expect(incidents).toBe(slow.incidents);
  }
  const outcomes = tickets.flatMap(({ outcomes }) => outcomes).map(({ kind, outcome }) => `${kind} ${outcome}`);
  expect(new Set(outcomes).size).toBe(4);
  expect(outcomes.length).toBeGreaterThan(300);
  expect(tickets.some(({ incidents }) => incidents > 0)).toBe(true);
});
