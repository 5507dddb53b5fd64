import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { jobs } from "~/db/schema/infrastructure";
import { describeError } from "~/lib/describe-error";
import { hours, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { dueAfter, type Job } from "./job";
import { SCHEDULE } from "./schedule";

/** Limits a run: if it has not ended after this time, it counts as lost, and the job may start again. */
const LEASE = minutes(5);

/** Limits the wait after a failure, so that a daily job does not wait until tomorrow. */
const MAX_RETRY_DELAY = hours(1);

/**
 * Runs the due jobs. Called once a minute. When two calls overlap, each job runs in only one of them; after a missed
 * call the next one runs the jobs. Jobs run in parallel and store their results separately, so that none waits for
 * another or fails with it. Throws only when the database does not respond.
 */
export async function dispatch(ctx: Ctx, schedule: readonly Job[] = SCHEDULE): Promise<void> {
  const startedAt = ctx.now();
  const claimed = await claimDueJobs(ctx, schedule, startedAt);
  await Promise.all(claimed.map((job) => runJob(ctx, job, startedAt)));
}

async function claimDueJobs({ db }: Pick<Ctx, "db">, schedule: readonly Job[], now: Instant): Promise<Job[]> {
  const names = schedule.map(({ name }) => name);
  const [, claimed] = await db.batch([
    db
      .insert(jobs)
      .values(names.map((name) => ({ name, next_due: 0 })))
      .onConflictDoNothing(),
    db
      .update(jobs)
      .set({ lease_until: now + LEASE, last_start: now })
      .where(
        and(
          inArray(jobs.name, names),
          lte(jobs.next_due, now),
          sql`(${jobs.lease_until} is null or ${jobs.lease_until} <= ${now})`,
        ),
      )
      .returning({ name: jobs.name }),
  ]);
  const claimedNames = new Set(claimed.map(({ name }) => name));
  return schedule.filter(({ name }) => claimedNames.has(name));
}

async function runJob(ctx: Ctx, job: Job, startedAt: Instant): Promise<void> {
  try {
    const { count, more = false } = await job.run(ctx);
    const now = ctx.now();
    const next = more ? now : dueAfter(job, now);
    await recordRun(ctx, job, startedAt, { last_ok: now, last_error: null, next_due: next });
    if (count > 0) ctx.log("info", { event: "job_done", job: job.name, count, duration_ms: now - startedAt });
  } catch (error) {
    const reason = describeError(error);
    ctx.log("error", { event: "job_failed", job: job.name, error: reason });
    const now = ctx.now();
    const next = Math.min(dueAfter(job, now), now + MAX_RETRY_DELAY);
    await recordRun(ctx, job, startedAt, { last_error: reason, next_due: next });
  }
}

type Outcome = { last_ok?: Instant; last_error: string | null; next_due: Instant };

/** Stores the result of a run, unless its lease has expired: then another run stores its own. */
async function recordRun(
  ctx: Pick<Ctx, "db" | "now">,
  { name }: Job,
  startedAt: Instant,
  outcome: Outcome,
): Promise<void> {
  await ctx.db
    .update(jobs)
    .set({ ...outcome, last_duration: ctx.now() - startedAt, lease_until: null })
    .where(and(eq(jobs.name, name), eq(jobs.lease_until, startedAt + LEASE)));
}
