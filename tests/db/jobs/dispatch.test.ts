import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobs } from "~/db/schema/infrastructure";
import { dispatch } from "~/jobs/dispatch.server";
import type { Job } from "~/jobs/job";
import { SCHEDULE } from "~/jobs/schedule";
import { hours, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { testContext } from "../../support/context";

let names = 0;

/** Returns a job with a unique name that counts its runs. */
function makeJob(changes: Partial<Job> = {}) {
  names += 1;
  const job = {
    name: `job-${names}`,
    every: minutes(1),
    runs: 0,
    run: async () => {
      job.runs += 1;
      return { count: 0 };
    },
    ...changes,
  };
  return job;
}

async function stateOf(ctx: Ctx, job: Job) {
  const [row] = await ctx.db.select().from(jobs).where(eq(jobs.name, job.name));
  return row;
}

test("a job runs when it is due and not before", async () => {
  const ctx = testContext();
  const job = makeJob({ every: minutes(10) });
  await dispatch(ctx, [job]);
  ctx.clock.advance(minutes(9));
  await dispatch(ctx, [job]);
  expect(job.runs).toBe(1);
  ctx.clock.advance(minutes(1));
  await dispatch(ctx, [job]);
  expect(job.runs).toBe(2);
});

test("the result of a run is stored", async () => {
  const ctx = testContext();
  const start = ctx.now();
  const job = makeJob({
    run: async () => {
      ctx.clock.advance(seconds(7));
      return { count: 3 };
    },
  });
  await dispatch(ctx, [job]);
  expect(await stateOf(ctx, job)).toEqual({
    name: job.name,
    lease_until: null,
    last_start: start,
    last_ok: start + seconds(7),
    last_duration: seconds(7),
    last_error: null,
    next_due: start + minutes(1),
  });
});

test("two calls in one minute run each job once", async () => {
  const ctx = testContext();
  const one = makeJob();
  const other = makeJob();
  await Promise.all([dispatch(ctx, [one, other]), dispatch(ctx, [one, other]), dispatch(ctx, [one, other])]);
  expect([one.runs, other.runs]).toEqual([1, 1]);
});

test("after missed minutes a job runs once", async () => {
  const ctx = testContext();
  const job = makeJob();
  await dispatch(ctx, [job]);
  ctx.clock.advance(hours(3));
  await dispatch(ctx, [job]);
  await dispatch(ctx, [job]);
  expect(job.runs).toBe(2);
});

test("a job that fails does not stop the others, and its error is stored without quoted values", async () => {
  const ctx = testContext();
  const failing = makeJob({
    run: async () => {
      throw new Error("could not reach 'dana@clinic.example'");
    },
  });
  const fine = makeJob();
  await dispatch(ctx, [failing, fine]);
  expect(fine.runs).toBe(1);
  const state = await stateOf(ctx, failing);
  expect(state).toMatchObject({ last_ok: null, lease_until: null, last_error: "Error: could not reach …" });
});

test("a failed daily job is retried after an hour, and a success clears its error", async () => {
  const ctx = testContext();
  let fails = true;
  const job = makeJob({
    every: hours(24),
    run: async () => {
      if (fails) throw new Error("storage is down");
      return { count: 0 };
    },
  });
  await dispatch(ctx, [job]);
  expect((await stateOf(ctx, job))?.next_due).toBe(ctx.now() + hours(1));
  fails = false;
  ctx.clock.advance(hours(1));
  await dispatch(ctx, [job]);
  expect(await stateOf(ctx, job)).toMatchObject({ last_error: null, last_ok: ctx.now() });
});

test("a job with more work continues in the next minute", async () => {
  const ctx = testContext();
  let remaining = 3;
  const job = makeJob({
    every: hours(24),
    run: async () => {
      remaining -= 1;
      return { count: 1_000, more: remaining > 0 };
    },
  });
  for (let minute = 0; minute < 5; minute += 1) {
    await dispatch(ctx, [job]);
    ctx.clock.advance(minutes(1));
  }
  expect(remaining).toBe(0);
});

test("a job that hangs does not stop the others, and starts again when its lease has expired", async () => {
  const ctx = testContext();
  let starts = 0;
  const hanging = makeJob({
    run: () => {
      starts += 1;
      return new Promise(() => undefined);
    },
  });
  const fine = makeJob();
  const minute = () => {
    void dispatch(ctx, [hanging, fine]);
    return expect.poll(async () => (await stateOf(ctx, fine))?.last_ok).toBe(ctx.now());
  };
  await minute();
  ctx.clock.advance(minutes(1));
  await minute();
  expect([starts, fine.runs]).toEqual([1, 2]);
  ctx.clock.advance(minutes(4));
  await minute();
  expect([starts, fine.runs]).toEqual([2, 3]);
});

test("a run whose lease has expired does not overwrite the state of the next run", async () => {
  const ctx = testContext();
  let finish: (report: { count: number }) => void = () => undefined;
  const job = makeJob({ run: () => new Promise((resolve) => (finish = resolve)) });
  const slow = dispatch(ctx, [job]);
  await expect.poll(async () => (await stateOf(ctx, job))?.lease_until).toBeTruthy();
  const finishSlow = finish;
  ctx.clock.advance(minutes(6));
  void dispatch(ctx, [job]);
  await expect.poll(async () => (await stateOf(ctx, job))?.last_start).toBe(ctx.now());
  finishSlow({ count: 0 });
  await slow;
  expect(await stateOf(ctx, job)).toMatchObject({ lease_until: ctx.now() + minutes(5), last_ok: null });
  finish({ count: 0 });
});

test("all scheduled jobs run on an empty database, and again a minute later", async () => {
  const lines: { event: string }[] = [];
  const ctx = testContext({ log: (_level, fields) => lines.push(fields) });
  await dispatch(ctx);
  ctx.clock.advance(minutes(1));
  await dispatch(ctx);
  for (const job of SCHEDULE) expect(await stateOf(ctx, job)).toMatchObject({ last_error: null, lease_until: null });
  expect(lines).toEqual([]);
});
