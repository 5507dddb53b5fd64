import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { dispatch, RUN_LIMITS } from "~/jobs/dispatch.server";
import { JOB_GROUPS } from "~/jobs/job";
import { jobsOf } from "~/jobs/schedule";
import { days, hours, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type TestContext, testContext } from "../../support/context";
import { change, forgetRuns, makeEndless, makeJob } from "../../support/jobs";

beforeEach(forgetRuns);

test("a job without an end stops at its share of the run, leaves the others theirs, and goes on in the next minute", async () => {
  const ctx = testContext();
  const [endless, fine] = [makeEndless(), makeJob()];
  await dispatch(ctx, [endless, fine]);
  expect(fine.runs).toBe(1);
  expect(endless.parts).toBeGreaterThan(RUN_LIMITS.subrequests / 2 - 20);
  expect(ctx.cost.queries).toBeLessThan(RUN_LIMITS.statements);
  const done = endless.parts;
  ctx.clock.advance(minutes(1));
  await dispatch(ctx, [endless, fine]);
  expect(endless.parts).toBeGreaterThan(done + RUN_LIMITS.subrequests / 2 - 20);
});

test("what is asked of the file store, KV and mail is limited as well, and what fails, and the time", async () => {
  const limits = { ...RUN_LIMITS, subrequests: 60 };
  const partsOf = async (ask: (ctx: Ctx, test: TestContext) => unknown) => {
    const ctx = testContext();
    const job = { ...makeJob(), parts: 0 };
    job.run = async (run) => {
      for (; job.parts < 200 && !run.budget.isUsedUp(); job.parts += 1) await ask(run, ctx);
      return { count: 0, more: true };
    };
    await dispatch(ctx, [job], { limits });
    return job.parts;
  };
  expect(await partsOf(({ files }) => files.get("att/none"))).toBeLessThanOrEqual(60);
  expect(await partsOf(({ kv }) => kv.get("none"))).toBeLessThanOrEqual(60);
  expect(await partsOf(({ mailer }) => mailer.send({ id: "out_1" } as never))).toBeLessThanOrEqual(60);
  expect(await partsOf(({ db }) => db.run(sql`DELETE FROM nothing`).catch(() => null))).toBeLessThanOrEqual(60);
  expect(await partsOf((_, { clock }) => clock.advance(seconds(1)))).toBe(RUN_LIMITS.time / seconds(1));
});

test("however many jobs have no end, each due job has its turn within five minutes", async () => {
  const ctx = testContext();
  const schedule = [
    ...Array.from({ length: 10 }, () => makeEndless()),
    ...Array.from({ length: 14 }, () => makeJob({ every: minutes(10) })),
  ];
  const costs: number[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    const { queries } = ctx.cost;
    await dispatch(ctx, schedule, { limits: { ...RUN_LIMITS, statements: 100 } });
    costs.push(ctx.cost.queries - queries);
    ctx.clock.advance(minutes(1));
  }
  expect(schedule.map(({ runs }) => runs).every((runs) => runs > 0)).toBe(true);
  expect(Math.max(...costs)).toBeLessThan(150);
});

test("what continues behind a job is waited for, and a hub hears once of all that a job has changed", async () => {
  const ctx = testContext();
  let isDone = false;
  const job = makeJob({
    run: async (run) => {
      for (let ticket = 0; ticket < 25; ticket += 1) run.after(run.live.notify("staff"));
      run.after(change(run).then(() => (isDone = true)));
      return { count: 25 };
    },
  });
  await dispatch(ctx, [job]);
  expect(isDone).toBe(true);
  expect(ctx.notified).toEqual(["staff"]);
});

/** Runs all three invocations of a minute, and returns what they have cost together. */
async function minuteCost(at: number) {
  const ctx = testContext();
  ctx.clock.set(at);
  for (const cron of Object.values(JOB_GROUPS)) await dispatch(ctx, jobsOf(cron));
  return ctx.cost;
}

test("a minute without work writes at most three rows, and on average of a day half of that", async () => {
  const start = Math.ceil(testContext().now() / days(1)) * days(1);
  await minuteCost(start - minutes(1));
  const idle: number[] = [];
  for (let minute = 0; minute < 30; minute += 1) {
    const { rowsWritten, rowsRead } = await minuteCost(start + minutes(minute));
    expect(rowsRead).toBeLessThan(150);
    idle.push(rowsWritten);
  }
  // The first of them is the full hour.
  expect(Math.max(...idle.slice(1))).toBeLessThanOrEqual(3);
  const average = idle.slice(1).reduce((sum, rows) => sum + rows, 0) / 29;
  // Once a day something more is done at one of these hours; the others are like the first.
  const ofHour: number[] = [];
  for (let hour = 1; hour <= 9; hour += 1) {
    await minuteCost(start + hours(hour) - minutes(1));
    ofHour.push((await minuteCost(start + hours(hour))).rowsWritten);
  }
  const ofHours = ofHour.reduce((sum, rows) => sum + rows, 0) + 15 * (ofHour[0] ?? 0);
  const perMinute = (ofHours + average * (24 * 60 - 24)) / (24 * 60);
  expect(perMinute).toBeLessThanOrEqual(1.6);
});
