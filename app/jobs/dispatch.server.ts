import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { jobs } from "~/db/schema/infrastructure";
import { describeError } from "~/lib/describe-error";
import { hours, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { dueAfter, type Job } from "./job";
import { SCHEDULE } from "./schedule";

/** After this long a run that never ended counts as lost, and the job may start again. */
const LEASE = minutes(5);

/** A failed daily job does not wait for tomorrow. */
const LONGEST_PAUSE_AFTER_FAILURE = hours(1);

/**
 * Runs what is due, called each minute. Of two calls at once each job runs in one; a call that never came is made up
 * for by the next. Jobs run side by side and are recorded one by one, so none waits for another or falls with it.
 * Throws only when the database does not answer.
 */
export async function dispatch(ctx: Ctx, timetable: readonly Job[] = SCHEDULE): Promise<void> {
  const startedAt = ctx.now();
  const claimed = await claimDueJobs(ctx, timetable, startedAt);
  await Promise.all(claimed.map((job) => runJob(ctx, job, startedAt)));
}

async function claimDueJobs({ db }: Ctx, timetable: readonly Job[], now: Instant): Promise<Job[]> {
  const names = timetable.map(({ name }) => name);
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
  const ours = new Set(claimed.map(({ name }) => name));
  return timetable.filter(({ name }) => ours.has(name));
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
    const next = Math.min(dueAfter(job, now), now + LONGEST_PAUSE_AFTER_FAILURE);
    await recordRun(ctx, job, startedAt, { last_error: reason, next_due: next });
  }
}

type Outcome = { last_ok?: Instant; last_error: string | null; next_due: Instant };

/** Only while the lease is ours: a run that outlived it must not speak for the one that took over. */
async function recordRun(ctx: Ctx, { name }: Job, startedAt: Instant, outcome: Outcome): Promise<void> {
  await ctx.db
    .update(jobs)
    .set({ ...outcome, last_duration: ctx.now() - startedAt, lease_until: null })
    .where(and(eq(jobs.name, name), eq(jobs.lease_until, startedAt + LEASE)));
}
