import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** Reports a run: the number of rows or files it has processed, and whether the next run should follow in a minute. */
export type JobReport = { count: number; more?: boolean };

export type Job = {
  name: string;
  every: Duration;
  /** Holds the time of the first run after midnight UTC. */
  offset?: Duration;
  /** Does the work. It must be right if it runs twice, late or not at all: the next run does the rest. */
  run: (ctx: Ctx) => Promise<JobReport>;
};

/**
 * Returns when a job is due next: at a multiple of its interval. If it were one interval after the last run, a start
 * that is a second late would delay the next one past its minute, and every second run would be missed.
 */
export const dueAfter = ({ every, offset = 0 }: Job, now: Instant): Instant =>
  (Math.floor((now - offset) / every) + 1) * every + offset;
