import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

export type JobReport = { count: number; more?: boolean };

/** All mean "each minute"; the platform tells them apart by how they are written, and limits each by itself. */
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
   * Must be right if it runs twice, late or not at all. It reads before it writes: a run that finds nothing to do
   * writes nothing. What goes on in parts asks `ctx.budget` between them, and does at least one.
   */
  run: (ctx: Ctx) => Promise<JobReport>;
};

/** At a multiple of its interval: counted from the last run, a start a second late would make it miss its minute. */
export const dueAfter = ({ every, offset = 0 }: Pick<Job, "every" | "offset">, now: Instant): Instant =>
  (Math.floor((now - offset) / every) + 1) * every + offset;

export class OtherRunError extends Error {}
