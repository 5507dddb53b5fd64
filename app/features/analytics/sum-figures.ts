import { TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority } from "~/features/tickets/model";
import { addCounts, COUNT, type Counts, histogramOf } from "./facts/counts";
import { type Histogram, timesOf } from "./histogram";
import type { Figures, Period, PriorityFigures, Promises } from "./model";

/** Holds the counts of a day. */
export type CountsOfDay = { day: string; counts: Counts };

type Backlog = readonly [number, number, number, number];

/** Adds up days of a period. `backlog` is that of the end of its last day. */
export function sumFigures(
  period: Period,
  days: readonly CountsOfDay[],
  { backlog, uncounted }: { backlog: Backlog; uncounted: number },
): Figures {
  const counts = totalOf(days, period);
  const of = (name: string) => counts[name] ?? 0;
  const priorities = Object.fromEntries(
    TICKET_PRIORITIES.map((priority) => [priority, priorityFigures(counts, priority)]),
  ) as Record<TicketPriority, PriorityFigures>;
  const each = Object.values(priorities);
  const resolved = of(COUNT.resolved);
  const resolutions = resolutionsOf(days, period);
  const [good, bad] = [of(COUNT.vote("good")), of(COUNT.vote("bad"))];
  const open = TICKET_PRIORITIES.map((priority) => histogramOf(counts, COUNT.openBucket(priority)));
  const openSum = TICKET_PRIORITIES.reduce((sum, priority) => sum + of(COUNT.openSum(priority)), 0);
  const resolvedIn = TICKET_PRIORITIES.map((priority) => histogramOf(counts, COUNT.resolvedBucket(priority)));
  const resolvedSum = TICKET_PRIORITIES.reduce((sum, priority) => sum + of(COUNT.resolvedSum(priority)), 0);
  return {
    ...period,
    created: each.reduce((sum, { created }) => sum + created, 0),
    byStatus: Object.fromEntries(
      TICKET_STATUSES.map((status) => [status, of(COUNT.status(status))]),
    ) as Figures["byStatus"],
    byPriority: priorities,
    firstResponse: {
      open: timesOf(merged(open), openSum),
      wall: timesOf(histogramOf(counts, COUNT.wallBucket), of(COUNT.wallSum)),
    },
    promises: TICKET_PRIORITIES.map((priority) => promisesOf(counts, priority)).reduce(sumOfPromises, NONE),
    firstPromises: each.map(({ promises }) => promises).reduce(sumOfPromises, NONE),
    resolved,
    resolution: timesOf(merged(resolvedIn), resolvedSum),
    pausedMean: resolved === 0 ? null : of(COUNT.pausedSum) / resolved,
    reopened: { part: of(COUNT.reopened), n: resolutions },
    satisfaction: { part: good, n: good + bad },
    backlog,
    uncounted,
  };
}

const NONE: Promises = { kept: 0, missed: 0 };

const sumOfPromises = (one: Promises, other: Promises): Promises => ({
  kept: one.kept + other.kept,
  missed: one.missed + other.missed,
});

/** Returns the sum of days, where of the resolutions of a ticket in the period only the last one counts. */
export function totalOf(days: readonly CountsOfDay[], { from, to }: Pick<Period, "from" | "to">): Counts {
  const total: Counts = {};
  for (const { day, counts } of days) {
    if (day < from || day > to) continue;
    for (const [name, count = 0] of Object.entries(counts)) {
      const earlier = name.startsWith("again.") ? name.split(".", 2)[1] : undefined;
      if (earlier === undefined) addCounts(total, { [name]: count });
      else if (earlier >= from) addCounts(total, { [name.slice(COUNT.again(earlier).length)]: -count });
    }
  }
  return total;
}

/** Returns how many times a ticket was resolved in a period. */
const resolutionsOf = (days: readonly CountsOfDay[], { from, to }: Period): number =>
  days.reduce((sum, { day, counts }) => (day < from || day > to ? sum : sum + (counts[COUNT.resolved] ?? 0)), 0);

function priorityFigures(counts: Counts, priority: TicketPriority): PriorityFigures {
  const histogram = histogramOf(counts, COUNT.openBucket(priority));
  return {
    created: counts[COUNT.created(priority)] ?? 0,
    firstResponse: timesOf(histogram, counts[COUNT.openSum(priority)] ?? 0),
    promises: promisesOf(counts, priority, ["first_response"]),
    resolution: timesOf(histogramOf(counts, COUNT.resolvedBucket(priority)), counts[COUNT.resolvedSum(priority)] ?? 0),
  };
}

const promisesOf = (
  counts: Counts,
  priority: TicketPriority,
  kinds = ["first_response", "next_response"],
): Promises => {
  const sum = (outcome: "kept" | "missed") =>
    kinds.reduce((total, kind) => total + (counts[COUNT.promise(outcome, kind, priority)] ?? 0), 0);
  return { kept: sum("kept"), missed: sum("missed") };
};

function merged(histograms: readonly Histogram[]): Histogram {
  const all = new Map<number, number>();
  for (const histogram of histograms)
    for (const [bucket, count] of histogram) all.set(bucket, (all.get(bucket) ?? 0) + count);
  return all;
}
