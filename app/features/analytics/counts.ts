import { TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "~/features/tickets/model";
import {
  type Backlog,
  type Days,
  type Histogram,
  type Metrics,
  type Period,
  type TargetCounts,
  timesOf,
} from "./model";

/**
 * By name; one that is not there is 0. What a thing adds to its day, a day, and a period are all of this form, so that
 * they are summed by name, in SQL too.
 */
export type Counts = Partial<Record<string, number>>;

/** A name that ends in a dot is continued by a bucket of a histogram. */
export const COUNT = {
  created: (priority: TicketPriority) => `created.${priority}`,
  status: (status: TicketStatus) => `status.${status}`,
  openBucket: (priority: TicketPriority) => `open.${priority}.`,
  openSum: (priority: TicketPriority) => `open_sum.${priority}`,
  wallBucket: "wall.",
  wallSum: "wall_sum",
  resolved: "resolved",
  resolvedBucket: (priority: TicketPriority) => `resolved_in.${priority}.`,
  resolvedSum: (priority: TicketPriority) => `resolved_sum.${priority}`,
  pausedSum: "paused_sum",
  /** What is subtracted where the day of the earlier resolution is in the period too: `again.2026-11-18.resolved`. */
  again: (earlier: string) => `again.${earlier}.`,
  reopened: "reopened",
  promise: (outcome: "kept" | "missed", kind: string, priority: TicketPriority) => `${outcome}.${kind}.${priority}`,
  vote: (vote: "good" | "bad") => vote,
  backlog: (age: number) => `backlog.${age}`,
} as const;

export type DayCounts = { day: string; counts: Counts };

/** Of the resolutions of a ticket in the period only the last one counts. */
export function sumDays(days: readonly DayCounts[], { from, to }: Days): Counts {
  const sums: Counts = {};
  const add = (name: string, count: number) => {
    sums[name] = (sums[name] ?? 0) + count;
  };
  for (const { day, counts } of days) {
    if (day < from || day > to) continue;
    for (const [name, count = 0] of Object.entries(counts)) {
      const earlier = name.startsWith("again.") ? name.split(".", 2)[1] : undefined;
      if (earlier === undefined) add(name, count);
      else if (earlier >= from) add(name.slice(COUNT.again(earlier).length), -count);
    }
  }
  return sums;
}

/** `backlog`: at the end of the last day. */
export function metricsOf(
  period: Period,
  days: readonly DayCounts[],
  { backlog, unmeasured }: Pick<Metrics, "backlog" | "unmeasured">,
): Metrics {
  const counts = sumDays(days, period);
  const of = (name: string) => counts[name] ?? 0;
  const ofAll = (name: (priority: TicketPriority) => string) =>
    TICKET_PRIORITIES.reduce((sum, priority) => sum + of(name(priority)), 0);
  const targetsOf = (
    priorities: readonly TicketPriority[],
    kinds = ["first_response", "next_response"],
  ): TargetCounts => {
    const sum = (outcome: "kept" | "missed") =>
      priorities
        .flatMap((priority) => kinds.map((kind) => of(COUNT.promise(outcome, kind, priority))))
        .reduce((total, count) => total + count, 0);
    return { kept: sum("kept"), missed: sum("missed") };
  };
  const timesUntil = (prefixes: readonly string[], sum: number) => timesOf(histogramOf(counts, prefixes), sum);
  const resolved = of(COUNT.resolved);
  const [good, bad] = [of(COUNT.vote("good")), of(COUNT.vote("bad"))];
  return {
    ...period,
    created: ofAll(COUNT.created),
    byStatus: Object.fromEntries(
      TICKET_STATUSES.map((status) => [status, of(COUNT.status(status))]),
    ) as Metrics["byStatus"],
    byPriority: Object.fromEntries(
      TICKET_PRIORITIES.map((priority) => [
        priority,
        {
          created: of(COUNT.created(priority)),
          firstResponse: timesUntil([COUNT.openBucket(priority)], of(COUNT.openSum(priority))),
          promises: targetsOf([priority], ["first_response"]),
          resolution: timesUntil([COUNT.resolvedBucket(priority)], of(COUNT.resolvedSum(priority))),
        },
      ]),
    ) as Metrics["byPriority"],
    firstResponse: {
      open: timesUntil(TICKET_PRIORITIES.map(COUNT.openBucket), ofAll(COUNT.openSum)),
      wall: timesUntil([COUNT.wallBucket], of(COUNT.wallSum)),
    },
    promises: targetsOf(TICKET_PRIORITIES),
    firstReplyTargets: targetsOf(TICKET_PRIORITIES, ["first_response"]),
    resolved,
    resolution: timesUntil(TICKET_PRIORITIES.map(COUNT.resolvedBucket), ofAll(COUNT.resolvedSum)),
    pausedMean: resolved === 0 ? null : of(COUNT.pausedSum) / resolved,
    reopened: { part: of(COUNT.reopened), n: everyResolutionOf(days, period) },
    satisfaction: { part: good, n: good + bad },
    backlog,
    unmeasured,
  };
}

/** Of a ticket that was resolved again, each time. */
const everyResolutionOf = (days: readonly DayCounts[], { from, to }: Days): number =>
  days.reduce((sum, { day, counts }) => (day < from || day > to ? sum : sum + (counts[COUNT.resolved] ?? 0)), 0);

function histogramOf(counts: Counts, prefixes: readonly string[]): Histogram {
  const histogram = new Map<number, number>();
  for (const [name, count = 0] of Object.entries(counts)) {
    const prefix = prefixes.find((each) => name.startsWith(each));
    if (prefix === undefined) continue;
    const bucket = Number(name.slice(prefix.length));
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
  }
  return histogram;
}

/** `before`: what was active, by age, before the first of the days. */
export function backlogAt(day: string, days: readonly DayCounts[], before: Backlog): Backlog {
  const at = (age: 0 | 1 | 2 | 3) =>
    days.reduce((sum, { day: on, counts }) => (on <= day ? sum + (counts[COUNT.backlog(age)] ?? 0) : sum), before[age]);
  return [at(0), at(1), at(2), at(3)];
}
