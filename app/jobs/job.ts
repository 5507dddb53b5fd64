import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** What a run has done: how many rows or files it moved, and whether the rest should follow next minute. */
export type JobReport = { count: number; more?: boolean };

export type Job = {
  name: string;
  every: Duration;
  /** Shifts the beginning from midnight UTC. */
  offset?: Duration;
  /** Must bear being run twice, or late, or not at all: the next run does what is left. */
  run: (ctx: Ctx) => Promise<JobReport>;
};

/**
 * When a job is due next. Runs stand on the grid of their interval: counted from the last run, a start that is a
 * second late would push the next one past its minute, and every other minute would be missed.
 */
export const dueAfter = ({ every, offset = 0 }: Job, now: Instant): Instant =>
  (Math.floor((now - offset) / every) + 1) * every + offset;
