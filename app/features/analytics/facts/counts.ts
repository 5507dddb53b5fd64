import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import { bucketOf, type Histogram } from "../histogram";
import type { BacklogChange } from "./backlog";
import type { EarlierResolution, Fact } from "./derive-facts";

/**
 * Holds the counts of a day by name; one that is not there is 0. So days, organizations and what changes of them are
 * added and subtracted by the same few lines. Times are sums of milliseconds.
 */
export type Counts = Partial<Record<string, number>>;

/** Names every count. `${}` at the end is a bucket of `histogram.ts`. */
export const COUNT = {
  created: (priority: TicketPriority) => `created.${priority}`,
  status: (status: TicketStatus) => `status.${status}`,
  /** Counts first replies: in open time by priority, and in calendar time. */
  openBucket: (priority: TicketPriority) => `open.${priority}.`,
  openSum: (priority: TicketPriority) => `open_sum.${priority}`,
  wallBucket: "wall.",
  wallSum: "wall_sum",
  resolved: "resolved",
  resolvedBucket: (priority: TicketPriority) => `resolved_in.${priority}.`,
  resolvedSum: (priority: TicketPriority) => `resolved_sum.${priority}`,
  pausedSum: "paused_sum",
  /**
   * Names what is subtracted again where the day of the earlier resolution is in the range too: `again.2026-11-18.…`.
   */
  again: (earlier: string) => `again.${earlier}.`,
  reopened: "reopened",
  promise: (outcome: "kept" | "missed", kind: string, priority: TicketPriority) => `${outcome}.${kind}.${priority}`,
  vote: (vote: "good" | "bad") => vote,
  backlog: (age: number) => `backlog.${age}`,
} as const;

/** Adds counts to others, in place. With `sign` -1 it subtracts them. What becomes 0 is left out. */
export function addCounts(to: Counts, from: Counts, sign: 1 | -1 = 1): Counts {
  for (const [name, count] of Object.entries(from)) {
    const sum = (to[name] ?? 0) + sign * (count ?? 0);
    if (sum === 0) delete to[name];
    else to[name] = sum;
  }
  return to;
}

/** Returns the histogram that counts hold under a prefix. */
export function histogramOf(counts: Counts, prefix: string): Histogram {
  const histogram = new Map<number, number>();
  for (const [name, count] of Object.entries(counts))
    if (name.startsWith(prefix)) histogram.set(Number(name.slice(prefix.length)), count ?? 0);
  return histogram;
}

/** Returns what a fact adds to its day. A resolution that follows another one takes that back: see `COUNT.again`. */
export function countsOf({ kind, priority, detail, open_time, total_time, paused_time }: Fact): Counts {
  const total = total_time ?? 0;
  const open = open_time ?? 0;
  switch (kind) {
    case "created":
      return { [COUNT.created(priority)]: 1, [COUNT.status(detail as TicketStatus)]: 1 };
    case "answered":
      return {
        [`${COUNT.openBucket(priority)}${bucketOf(open)}`]: 1,
        [COUNT.openSum(priority)]: open,
        [`${COUNT.wallBucket}${bucketOf(total)}`]: 1,
        [COUNT.wallSum]: total,
      };
    case "resolved":
      return { ...resolvedCounts({ total, paused: paused_time ?? 0 }, priority), ...againCounts(detail, priority) };
    case "reopened":
      return { [COUNT.reopened]: 1 };
    case "kept":
    case "missed":
      return { [COUNT.promise(kind, detail ?? "", priority)]: 1 };
    case "good":
    case "bad":
      return { [COUNT.vote(kind)]: 1 };
    case "backlog":
      return Object.fromEntries(
        (JSON.parse(detail ?? "[]") as BacklogChange).map((change, age) => [COUNT.backlog(age), change]),
      );
  }
}

type Resolution = { total: number; paused: number };

const resolvedCounts = ({ total, paused }: Resolution, priority: TicketPriority): Counts => ({
  [COUNT.resolved]: 1,
  [`${COUNT.resolvedBucket(priority)}${bucketOf(total)}`]: 1,
  [COUNT.resolvedSum(priority)]: total,
  [COUNT.pausedSum]: paused,
});

function againCounts(detail: string | null, priority: TicketPriority): Counts {
  if (detail === null) return {};
  const { day, total, paused } = JSON.parse(detail) as EarlierResolution;
  const counts = Object.entries(resolvedCounts({ total, paused }, priority));
  return Object.fromEntries(counts.map(([name, count]) => [`${COUNT.again(day)}${name}`, count]));
}
