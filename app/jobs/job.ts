import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

export type JobReport = { count: number; more?: boolean };

/**
 * All of these mean "each minute", but the platform tells them apart by how they are written, and limits each
 * invocation by itself.
 */
export const JOB_GROUPS = {
  mail: "*/1 * * * *",
  clocks: "0-59 * * * *",
  upkeep: "0-59/1 * * * *",
} as const;

export type GroupName = keyof typeof JOB_GROUPS;

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
 * If it were one interval after the last run, a start that is a second late would delay the next one past its minute,
 * and every second run would be missed.
 */
export const dueAfter = ({ every, offset = 0 }: Pick<Job, "every" | "offset">, now: Instant): Instant =>
  (Math.floor((now - offset) / every) + 1) * every + offset;

export class OtherRunError extends Error {}
