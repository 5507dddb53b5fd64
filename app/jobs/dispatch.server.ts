import { and, eq, inArray } from "drizzle-orm";
import { type JobState, jobGroups } from "~/db/schema/infrastructure";
import { describeError } from "~/lib/errors";
import { type Duration, hours, type Instant, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { dueAfter, type Job, type JobReport, OtherRunError } from "./job";
import { SCHEDULE } from "./schedule";

type Limits = { statements: number; subrequests: number; time: Duration };

/**
 * The platform ends an invocation at 1,000 statements at D1, 10,000 requests to D1, KV, R2, hubs and others together,
 * and 30 seconds of processor time, which cannot be read. What lies between is for the part under way.
 */
export const RUN_LIMITS: Limits = { statements: 700, subrequests: 6_000, time: seconds(25) };

type Meter = {
  used: () => number;
  /** Returns the context with every request to KV, R2, mail and hubs counted. `beforeChange` runs before a change. */
  measured: (ctx: Ctx, beforeChange: () => Promise<void>) => Ctx;
};

/** Statements and round trips to D1 are counted where they are sent. */
function meterOf({ cost, now }: Pick<Ctx, "cost" | "now">, limits: Limits): Meter {
  const start = { ...cost, at: now() };
  let calls = 0;
  return {
    used: () =>
      Math.max(
        (cost.queries - start.queries) / limits.statements,
        (cost.trips - start.trips + calls) / limits.subrequests,
        (now() - start.at) / limits.time,
      ),
    measured: (ctx, beforeChange) => {
      const counted = <Binding extends object>(binding: Binding): Binding =>
        withEachCall(binding, async (method) => {
          if (CHANGES.has(method)) await beforeChange();
          calls += 1;
        });
      return {
        ...ctx,
        db: ctx.db.guarded(beforeChange),
        kv: counted(ctx.kv),
        files: counted(ctx.files),
        mailer: counted(ctx.mailer),
        live: counted(ctx.live),
      };
    },
  };
}

const CHANGES: ReadonlySet<string> = new Set(["put", "delete", "send"]);

const withEachCall = <Binding extends object>(binding: Binding, before: (method: string) => Promise<void>): Binding =>
  new Proxy(binding, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...values: unknown[]): Promise<unknown> => {
        await before(String(name));
        return Reflect.apply(member, target, values);
      };
    },
  });

const LEASE = seconds(50);
const RENEWED_WITHIN = seconds(25);

const PATIENCE = seconds(40);

const RECORDED_EVERY = seconds(90);
const SILENCE = minutes(5);

const KEPT_FOR_EACH = 0.05;
const LEAST_SHARE = 0.1;

/** Limits the wait after a failure, so that a daily job does not wait until tomorrow. */
const FIRST_RETRY = hours(1);
const MAX_RETRY_OF_INTERRUPTED = hours(1);
const MANY_FAILURES = 10;

/** None begins when little is left: the rest comes first in the next minute. Throws only without a database. */
export async function dispatch(
  ctx: Ctx,
  schedule: readonly Job[] = SCHEDULE,
  { limits = RUN_LIMITS, patience = PATIENCE }: { limits?: Limits; patience?: Duration } = {},
): Promise<void> {
  const meter = meterOf(ctx, limits);
  const groups = await openGroups(ctx, schedule);
  const due = groups
    .flatMap((group) => group.due.map((job) => ({ job, group, since: group.stateOf(job).due })))
    .sort((one, other) => one.since - other.since || schedule.indexOf(one.job) - schedule.indexOf(other.job));
  const works: Promise<unknown>[] = [];
  for (const [index, { job, group }] of due.entries()) {
    const left = 1 - meter.used();
    if (left < LEAST_SHARE) {
      ctx.log("info", { event: "jobs_wait", count: due.length - index });
      break;
    }
    const waiting = due.length - index - 1;
    const share = waiting === 0 ? left : Math.max(left / 2, left - LEAST_SHARE - KEPT_FOR_EACH * waiting);
    await runJob(ctx, { job, group, meter, until: 1 - left + share, patience, works });
  }
  await within(patience, Promise.all(works));
  await Promise.all(groups.map((group) => group.end()));
}

async function openGroups(ctx: Ctx, schedule: readonly Job[]) {
  const names = [...new Set(schedule.map(({ group }) => group))];
  const find = () => ctx.db.select().from(jobGroups).where(inArray(jobGroups.name, names));
  let rows = await find();
  if (rows.length < names.length) {
    const missing = names.map((name) => ({ name, version: 0, jobs: {} }));
    await ctx.db.insert(jobGroups).values(missing).onConflictDoNothing();
    rows = await find();
  }
  const now = ctx.now();
  return rows
    .filter(({ lease_until: until }) => until === null || until <= now)
    .map((row) =>
      openGroup(
        ctx,
        row,
        schedule.filter(({ group }) => group === row.name),
      ),
    );
}

const NEVER: JobState = { start: null, duration: null, ok: null, error: null, failures: 0, due: 0 };

/**
 * Takes the lease when a job is about to change something, and not before: a minute without work costs no write. Of
 * two runs at once, the one that changes something first goes on.
 */
function openGroup(ctx: Ctx, row: typeof jobGroups.$inferSelect, jobs: readonly Job[]) {
  const now = ctx.now();
  const states = Object.fromEntries(jobs.map(({ name }) => [name, row.jobs[name] ?? NEVER]));
  const interrupted = row.running === null ? undefined : states[row.running];
  if (row.running !== null && interrupted) {
    ctx.log("error", { event: "job_interrupted", job: row.running });
    states[row.running] = { ...interrupted, ...interruption(interrupted, "The run was cut off", now) };
  }
  // Who is named need not be who did it: another may have begun since, and have changed nothing yet.
  const isCareful = row.running !== null || now - (row.ran_at ?? 0) > SILENCE;
  let { version, running } = row;
  let leaseUntil: Instant = 0;
  let isLost = false;
  let hasNews = interrupted !== undefined;
  let last: Promise<boolean> = Promise.resolve(true);

  async function write(set: Partial<Pick<typeof row, "lease_until" | "running" | "ran_at">>): Promise<boolean> {
    if (isLost) return false;
    const { meta } = await ctx.db
      .update(jobGroups)
      .set({ ...set, version: version + 1, jobs: states })
      .where(and(eq(jobGroups.name, row.name), eq(jobGroups.version, version)));
    isLost = meta.changes === 0;
    version += 1;
    return !isLost;
  }

  async function take(job: string, hasBegun: boolean): Promise<boolean> {
    const isOurs = leaseUntil > 0 && (hasBegun || running === job);
    if (isOurs && leaseUntil - ctx.now() > RENEWED_WITHIN) return !isLost;
    leaseUntil = ctx.now() + LEASE;
    running = job;
    return write({ lease_until: leaseUntil, running: job });
  }

  return {
    isCareful,
    isLost: () => isLost,
    due: jobs.filter(({ name }) => (states[name] ?? NEVER).due <= now),
    stateOf: ({ name }: Job): JobState => states[name] ?? NEVER,
    /** False: another run has it. */
    hold: (job: string, hasBegun: boolean): Promise<boolean> => {
      // One after the other: a job may send several writes at once.
      last = last.catch(() => false).then(() => take(job, hasBegun));
      return last;
    },
    /** `isNews`: somebody would miss it if it were not recorded. */
    keep: ({ name }: Job, state: JobState, isNews: boolean): void => {
      states[name] = state;
      hasNews ||= isNews;
    },
    end: async (): Promise<void> => {
      const isOld = ctx.now() - (row.ran_at ?? 0) >= RECORDED_EVERY;
      if (hasNews || isOld || leaseUntil > 0) await write({ lease_until: null, running: null, ran_at: ctx.now() });
    },
  };
}

const TOO_LONG = "The run did not end in time";

type Turn = {
  job: Job;
  group: Awaited<ReturnType<typeof openGroups>>[number];
  meter: Meter;
  until: number;
  patience: Duration;
  isOver?: boolean;
  works: Promise<unknown>[];
};

async function runJob(ctx: Ctx, turn: Turn): Promise<void> {
  const { job, group, patience } = turn;
  if (group.isLost()) return;
  const start = ctx.now();
  const before = group.stateOf(job);
  const fail = (reason: string, next: Pick<JobState, "error" | "failures" | "due">) => {
    ctx.log("error", { event: "job_failed", job: job.name, error: reason });
    group.keep(job, { ...before, start, duration: ctx.now() - start, ...next }, true);
  };
  try {
    const report = await within(patience, doJob(ctx, turn));
    const now = ctx.now();
    if (report === LATE) {
      turn.isOver = true;
      return fail(TOO_LONG, interruption(before, TOO_LONG, now));
    }
    const { count, more = false } = report;
    const duration = now - start;
    const due = dueAfter(more ? { every: minutes(1) } : job, now);
    const isNews = count > 0 || more || before.error !== null || job.every > minutes(1);
    group.keep(job, { start, duration, ok: now, error: null, failures: 0, due }, isNews);
    if (count > 0) ctx.log("info", { event: "job_done", job: job.name, count, duration_ms: duration });
  } catch (error) {
    if (error instanceof OtherRunError) return;
    const failures = before.failures + 1;
    const reason = describeError(error);
    fail(reason, { error: reason, failures, due: retryAt(job, failures, ctx.now()) });
  }
}

async function doJob(ctx: Ctx, turn: Turn): Promise<JobReport> {
  const { job, group, meter, until, works } = turn;
  let hasBegun = false;
  const begin = async () => {
    const isHeld = !turn.isOver && (await group.hold(job.name, hasBegun));
    // What has begun is finished: a mail that has left must be recorded. It is told to stop after it.
    if (!isHeld && !hasBegun) throw new OtherRunError("Another run of these jobs is at work");
    hasBegun = true;
  };
  if (group.isCareful) await begin();
  const audiences = new Set<Parameters<Ctx["live"]["notify"]>[0]>();
  const measured = meter.measured(ctx, begin);
  const after = (work: Promise<unknown>) => {
    works.push(work.catch(() => undefined));
    ctx.after(work);
  };
  try {
    return await job.run({
      ...measured,
      after,
      budget: { isUsedUp: () => turn.isOver || group.isLost() || meter.used() >= until },
      // Once for each audience, however many tickets have changed.
      live: { ...ctx.live, notify: async (audience) => void audiences.add(audience) },
    });
  } finally {
    for (const audience of audiences) after(measured.live.notify(audience));
  }
}

const LATE = Symbol("late");

async function within<Result>(time: Duration, work: Promise<Result>): Promise<Result | typeof LATE> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), time);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function retryAt(job: Job, failures: number, now: Instant): Instant {
  const regular = dueAfter(job, now);
  if (job.every > FIRST_RETRY) return Math.min(regular, now + FIRST_RETRY * 2 ** (failures - 1));
  return failures < MANY_FAILURES ? regular : Math.max(regular, now + minutes(10));
}

function interruption(state: JobState, error: string, now: Instant): Pick<JobState, "error" | "failures" | "due"> {
  const failures = state.failures + 1;
  return { error, failures, due: now + Math.min(minutes(2 ** failures), MAX_RETRY_OF_INTERRUPTED) };
}
