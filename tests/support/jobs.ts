import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { jobGroups } from "~/db/schema/infrastructure";
import { dispatch } from "~/jobs/dispatch.server";
import type { GroupName, Job } from "~/jobs/job";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type TestContext, testContext } from "./context";

let names = 0;

/** Changes something that nobody misses: what makes a run one that has found work. */
export const change = ({ db }: Ctx) => db.run(sql`UPDATE counters SET value = value WHERE name = 'ticket'`);

/** Returns a job with a unique name that changes something and counts its runs. */
export function makeJob(changes: Partial<Job> = {}) {
  names += 1;
  const job = {
    name: `job-${names}`,
    group: "upkeep" as GroupName,
    every: minutes(1),
    runs: 0,
    run: async (ctx: Ctx) => {
      await change(ctx);
      job.runs += 1;
      return { count: 0 };
    },
    ...changes,
  };
  return job;
}

/** Returns a job that goes on until it is told to stop, and counts what it has done. */
export function makeEndless(changes: Partial<Job> = {}) {
  const job = {
    ...makeJob(changes),
    parts: 0,
    run: async (ctx: Ctx) => {
      do {
        await change(ctx);
        job.parts += 1;
      } while (!ctx.budget.isUsedUp());
      job.runs += 1;
      return { count: 1, more: true };
    },
  };
  return job;
}

/** Returns a job that never ends. */
export function makeHanging({ changesFirst = true } = {}) {
  const job = {
    ...makeJob(),
    run: async (ctx: Ctx) => {
      if (changesFirst) await change(ctx);
      job.runs += 1;
      return new Promise<never>(() => undefined);
    },
  };
  return job;
}

export async function stateOf(ctx: Ctx, job: Job) {
  const rows = await ctx.db.select().from(jobGroups);
  return rows.find(({ name }) => name === job.group)?.jobs[job.name];
}

export async function leaseOf(ctx: Ctx, group: GroupName = "upkeep") {
  const rows = await ctx.db.select().from(jobGroups);
  return rows.find(({ name }) => name === group)?.lease_until ?? null;
}

/** Begins a run that is never heard of again, as when the platform ends it. */
export async function cutOff(ctx: TestContext, schedule: readonly Job[], hanging: { runs: number }) {
  const before = hanging.runs;
  void dispatch(ctx, schedule);
  await expect.poll(() => hanging.runs).toBe(before + 1);
}

/** Forgets all runs. */
export const forgetRuns = () =>
  testContext().db.update(jobGroups).set({ lease_until: null, running: null, ran_at: null, jobs: {} });
