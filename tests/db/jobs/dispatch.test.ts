import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { jobGroups } from "~/db/schema/infrastructure";
import { dispatch, RUN_LIMITS } from "~/jobs/dispatch.server";
import { JOB_GROUPS, type Job } from "~/jobs/job";
import { jobsOf, SCHEDULE } from "~/jobs/schedule";
import { days, hours, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type TestContext, testContext } from "../../support/context";
import { change, cutOff, forgetRuns, leaseOf, makeEndless, makeHanging, makeJob, stateOf } from "../../support/jobs";

/** Returns a job that goes on until it is let, and changes something again then. */
function makeSlow() {
  let finish = () => undefined as unknown;
  const job = makeJob({
    run: async (run) => {
      await change(run);
      await new Promise((resolve) => {
        finish = () => resolve(null);
      });
      await change(run);
      return { count: run.budget.isUsedUp() ? 1 : 0 };
    },
  });
  return { job, finish: () => finish() };
}

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  await forgetRuns();
});

/** Runs what is due after a while. */
async function pass(time: number, schedule: readonly Job[]) {
  ctx.clock.advance(time);
  await dispatch(ctx, schedule);
}

describe("the schedule", () => {
  test("a job runs when it is due and not before", async () => {
    const job = makeJob({ every: minutes(10) });
    await dispatch(ctx, [job]);
    await pass(minutes(9), [job]);
    expect(job.runs).toBe(1);
    await pass(minutes(1), [job]);
    expect(job.runs).toBe(2);
  });

  test("the result of a run is stored", async () => {
    const start = ctx.now();
    const job = makeJob({
      run: async () => {
        ctx.clock.advance(seconds(7));
        return { count: 3 };
      },
    });
    await dispatch(ctx, [job]);
    expect(await stateOf(ctx, job)).toEqual({
      start,
      ok: start + seconds(7),
      duration: seconds(7),
      error: null,
      failures: 0,
      due: start + minutes(1),
    });
    expect(await leaseOf(ctx)).toBeNull();
  });

  test("of calls that overlap one changes something, and each job does it once", async () => {
    const one = makeJob();
    const other = makeJob();
    await Promise.all([dispatch(ctx, [one, other]), dispatch(ctx, [one, other]), dispatch(ctx, [one, other])]);
    expect([one.runs, other.runs]).toEqual([1, 1]);
    expect(await stateOf(ctx, other)).toMatchObject({ ok: ctx.now(), error: null });
  });

  test("a call that comes while a run is at work leaves its group alone, and runs the others", async () => {
    const { job: slow, finish } = makeSlow();
    const [beside, elsewhere] = [makeJob(), makeJob({ group: "mail" })];
    const first = dispatch(ctx, [slow, beside]);
    await expect.poll(() => leaseOf(ctx)).toBeTruthy();
    await dispatch(ctx, [slow, beside, elsewhere]);
    expect([beside.runs, elsewhere.runs]).toEqual([0, 1]);
    finish();
    await first;
    expect(beside.runs).toBe(1);
  });

  test("a run that loses its lease finishes what it has begun, begins nothing, and overwrites nothing", async () => {
    const { job: slow, finish } = makeSlow();
    const after = makeJob();
    const run = dispatch(ctx, [slow, after]);
    await expect.poll(() => leaseOf(ctx)).toBeTruthy();
    await pass(minutes(1), [after]);
    expect(after.runs).toBe(1);
    const stored = await ctx.db.select().from(jobGroups);
    ctx.clock.advance(minutes(1));
    finish();
    await run;
    expect(after.runs).toBe(1);
    expect(await ctx.db.select().from(jobGroups)).toEqual(stored);
  });

  test("after missed minutes a job runs once", async () => {
    const job = makeJob();
    await dispatch(ctx, [job]);
    await pass(hours(3), [job]);
    await dispatch(ctx, [job]);
    expect(job.runs).toBe(2);
  });

  test("a job that fails does not stop the others, and its error is stored without quoted values", async () => {
    const failing = makeJob({
      run: async () => {
        throw new Error("could not reach 'dana@clinic.example'");
      },
    });
    const fine = makeJob();
    await dispatch(ctx, [failing, fine]);
    expect(fine.runs).toBe(1);
    expect(await stateOf(ctx, failing)).toMatchObject({ ok: null, error: "Error: could not reach …" });
    expect(await leaseOf(ctx)).toBeNull();
  });

  test("a failed daily job is retried after an hour, then later and later, and a success clears its error", async () => {
    let fails = true;
    const job = makeJob({
      every: hours(24),
      run: async () => {
        if (fails) throw new Error("storage is down");
        return { count: 0 };
      },
    });
    for (const wait of [hours(1), hours(2), hours(4)]) {
      await dispatch(ctx, [job]);
      expect((await stateOf(ctx, job))?.due).toBe(ctx.now() + wait);
      ctx.clock.advance(wait);
    }
    fails = false;
    await dispatch(ctx, [job]);
    expect(await stateOf(ctx, job)).toMatchObject({ error: null, failures: 0, ok: ctx.now() });
  });

  test("a job of each minute that keeps failing is tried each minute at first, and then every ten", async () => {
    let tries = 0;
    const job = makeJob({
      run: async () => {
        tries += 1;
        throw new Error("storage is down");
      },
    });
    for (let minute = 0; minute < 40; minute += 1) {
      await dispatch(ctx, [job]);
      ctx.clock.advance(minutes(1));
    }
    expect(tries).toBe(13);
  });

  test("a job with more work continues in the next minute", async () => {
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

  test("a job that hangs does not stop the others, and is tried again later", async () => {
    const hanging = makeHanging();
    const fine = makeJob();
    const minute = () => dispatch(ctx, [hanging, fine], { patience: 20 });
    await minute();
    expect([hanging.runs, fine.runs]).toEqual([1, 1]);
    expect(await stateOf(ctx, hanging)).toMatchObject({ error: "The run did not end in time" });
    ctx.clock.advance(minutes(1));
    await minute();
    expect([hanging.runs, fine.runs]).toEqual([1, 2]);
    ctx.clock.advance(minutes(1));
    await minute();
    expect([hanging.runs, fine.runs]).toEqual([2, 3]);
  });

  test("a run that is cut off leaves no lease for the next minute: the others go on, and the job that had it waits", async () => {
    const cut = makeHanging();
    const fine = makeJob();
    await cutOff(ctx, [cut, fine], cut);
    await pass(minutes(1), [cut, fine]);
    expect([cut.runs, fine.runs]).toEqual([1, 1]);
    expect(await stateOf(ctx, cut)).toMatchObject({ error: "The run was cut off", due: ctx.now() + minutes(2) });
    ctx.clock.advance(minutes(2));
    await cutOff(ctx, [cut, fine], cut);
    await pass(minutes(1), [cut, fine]);
    expect(await stateOf(ctx, cut)).toMatchObject({ failures: 2, due: ctx.now() + minutes(4) });
  });

  test("a job that cuts every run off before it has changed anything is found, and the others go on", async () => {
    const [before, cut, after] = [makeJob({ every: minutes(10) }), makeHanging({ changesFirst: false }), makeJob()];
    await dispatch(ctx, [before, after]);
    for (let minute = 0; minute < 8; minute += 1) {
      ctx.clock.advance(minutes(1));
      const { runs } = cut;
      const run = dispatch(ctx, [cut, after]);
      const begun = expect.poll(() => cut.runs).toBeGreaterThan(runs);
      await Promise.race([run, begun.catch(() => undefined)]);
    }
    expect(await stateOf(ctx, cut)).toMatchObject({ error: "The run was cut off" });
    expect(after.runs).toBeGreaterThan(1);
  });

  test("all scheduled jobs run on an empty database, and again a minute later", async () => {
    const lines: { event: string }[] = [];
    ctx.log = (_level, fields) => lines.push(fields);
    await dispatch(ctx);
    ctx.clock.advance(minutes(1));
    await dispatch(ctx);
    for (const job of SCHEDULE) expect(await stateOf(ctx, job)).toMatchObject({ error: null, ok: expect.any(Number) });
    expect(lines).toEqual([]);
  });
});

describe("limits of a run", () => {
  test("a job without an end stops at its share of the run, leaves the others theirs, and goes on in the next minute", async () => {
    const limits = { ...RUN_LIMITS, statements: 200 };
    const [endless, fine] = [makeEndless(), makeJob()];
    await dispatch(ctx, [endless, fine], { limits });
    expect(fine.runs).toBe(1);
    expect(endless.parts).toBeGreaterThan(limits.statements / 2 - 20);
    expect(ctx.cost.queries).toBeLessThan(limits.statements);
    const done = endless.parts;
    ctx.clock.advance(minutes(1));
    await dispatch(ctx, [endless, fine], { limits });
    expect(endless.parts).toBeGreaterThan(done + limits.statements / 2 - 20);
  });

  test("what is asked of the file store, KV and mail is limited as well, and what fails, and the time", async () => {
    const limits = { ...RUN_LIMITS, subrequests: 60 };
    const partsOf = async (ask: (ctx: Ctx, test: TestContext) => unknown) => {
      const test = testContext();
      const job = { ...makeJob(), parts: 0 };
      job.run = async (run) => {
        for (; job.parts < 200 && !run.budget.isUsedUp(); job.parts += 1) await ask(run, test);
        return { count: 0, more: true };
      };
      await dispatch(test, [job], { limits });
      return job.parts;
    };
    expect(await partsOf(({ files }) => files.get("att/none"))).toBeLessThanOrEqual(60);
    expect(await partsOf(({ kv }) => kv.get("none"))).toBeLessThanOrEqual(60);
    expect(await partsOf(({ mailer }) => mailer.send({ id: "out_1" } as never))).toBeLessThanOrEqual(60);
    expect(await partsOf(({ db }) => db.run(sql`DELETE FROM nothing`).catch(() => null))).toBeLessThanOrEqual(60);
    expect(await partsOf((_, { clock }) => clock.advance(seconds(1)))).toBe(RUN_LIMITS.time / seconds(1));
  });

  test("however many jobs have no end, each due job has its turn within five minutes", async () => {
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
    const run = testContext();
    run.clock.set(at);
    for (const cron of Object.values(JOB_GROUPS)) await dispatch(run, jobsOf(cron));
    return run.cost;
  }

  test("a minute without work writes at most three rows, and on average of a day half of that", async () => {
    const start = Math.ceil(testContext().now() / days(1)) * days(1);
    await minuteCost(start - minutes(1));
    const idle: number[] = [];
    for (let minute = 0; minute <= 10; minute += 1) {
      const { rowsWritten, rowsRead } = await minuteCost(start + minutes(minute));
      expect(rowsRead).toBeLessThan(150);
      idle.push(rowsWritten);
    }
    // The first of them is the full hour; no job comes more rarely than every ten minutes, but by the hour.
    expect(Math.max(...idle.slice(1))).toBeLessThanOrEqual(3);
    const average = idle.slice(1).reduce((sum, rows) => sum + rows, 0) / 10;
    // Once a day something more is done at some of these hours; the others are like the first.
    const ofHour: number[] = [];
    for (const hour of [1, 2, 3, 4, 5, 6, 8]) {
      await minuteCost(start + hours(hour) - minutes(1));
      ofHour.push((await minuteCost(start + hours(hour))).rowsWritten);
    }
    const ofHours = ofHour.reduce((sum, rows) => sum + rows, 0) + (24 - ofHour.length) * (ofHour[0] ?? 0);
    const perMinute = (ofHours + average * (24 * 60 - 24)) / (24 * 60);
    expect(perMinute).toBeLessThanOrEqual(1.6);
  });
});
