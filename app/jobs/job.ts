import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** Reports a run: the number of rows or files it has processed, and whether the next run should follow in a minute. */
export type JobReport = { count: number; more?: boolean };

/**
 * Names the invocations of the worker in which jobs run, with the expression that calls each. All of these mean "each
 * minute", but the platform tells them apart by how they are written, and limits each invocation by itself.
 */
export const GROUPS = {
  mail: "*/1 * * * *",
  clocks: "0-59 * * * *",
  upkeep: "0-59/1 * * * *",
} as const;

export type GroupName = keyof typeof GROUPS;

export type Job = {
  name: string;
  group: GroupName;
  every: Duration;
  /** Holds the time of the first run after midnight UTC. */
  offset?: Duration;
  /**
   * Does the work. It must be right if it runs twice, late or not at all: the next run does the rest. It reads before
   * it writes: a run that finds nothing to do writes nothing. What goes on in parts asks `ctx.budget` between them, and
   * does at least one.
   */
  run: (ctx: Ctx) => Promise<JobReport>;
};

/**
 * Returns when a job is due next: at a multiple of its interval. If it were one interval after the last run, a start
 * that is a second late would delay the next one past its minute, and every second run would be missed.
 */
export const dueAfter = ({ every, offset = 0 }: Pick<Job, "every" | "offset">, now: Instant): Instant =>
  (Math.floor((now - offset) / every) + 1) * every + offset;

/** Tells a job that another run of its group is at work, before it has changed anything. */
export class OtherRunError extends Error {}
