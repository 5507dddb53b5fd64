import { eq } from "drizzle-orm";
import { jobs } from "~/db/schema/infrastructure";
import { type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { checkHealth } from "./checks.server";

/** Tells whether everything works that the product depends on, and what does not. */
type SystemStatus = { operational: boolean; problems: string[] };

/** Describes one check: what was found, and when. `problem` is the dashboard's sentence when it fails. */
type SystemCheck = { name: string; ok: boolean; detail: string; problem: string; at: Instant };

/** Names the job that probes the database and the file store each minute. */
export const STORE_CHECK = "check-stores";

/** Limits how long a finding counts; an older one says nothing about now. */
const PROBE_LIFETIME = minutes(5);

/**
 * Returns what each minute's probe has found, with mail and the schedule. All of it is read in the round trip of the
 * page; a probe that is missing or old counts as a problem, because nobody knows.
 */
export async function runChecks(ctx: Pick<Ctx, "db" | "now">): Promise<SystemCheck[]> {
  const [{ checks }, probe] = await Promise.all([checkHealth(ctx), readProbe(ctx)]);
  const now = ctx.now();
  const isRecent = (at: Instant | null) => at !== null && at > now - PROBE_LIFETIME;
  const isWritable = checks.d1.ok && isRecent(probe.writtenAt);
  const responds = isRecent(probe.filesAt);
  return [
    {
      name: "Database",
      ok: isWritable,
      detail: isWritable ? "takes changes" : "has not taken a change for five minutes",
      problem: "The database has not taken a change for five minutes",
      at: probe.writtenAt ?? now,
    },
    {
      name: "Mail queue",
      ok: checks.outbox.ok,
      detail: checks.outbox.detail,
      problem: `Mail is not leaving (${checks.outbox.detail})`,
      at: now,
    },
    {
      name: "Scheduled work",
      ok: checks.cron.ok,
      detail: checks.cron.detail,
      problem: `Scheduled work is late (${checks.cron.detail})`,
      at: now,
    },
    {
      name: "File store",
      ok: responds,
      detail: responds ? "answers" : "has not answered for five minutes",
      problem: "The file store has not answered for five minutes",
      at: probe.filesAt ?? now,
    },
  ];
}

/** Tells whether all checks pass, with the problems of those that do not. */
export async function getSystemStatus(ctx: Pick<Ctx, "db" | "now">): Promise<SystemStatus> {
  const problems = (await runChecks(ctx)).filter(({ ok }) => !ok).map(({ problem }) => problem);
  return { operational: problems.length === 0, problems };
}

/** Reads when the job last started and last succeeded. Success means that the file store responded. */
async function readProbe(ctx: Pick<Ctx, "db">): Promise<{ writtenAt: Instant | null; filesAt: Instant | null }> {
  try {
    const [row] = await ctx.db
      .select({ writtenAt: jobs.last_start, filesAt: jobs.last_ok })
      .from(jobs)
      .where(eq(jobs.name, STORE_CHECK));
    return row ?? { writtenAt: null, filesAt: null };
  } catch {
    return { writtenAt: null, filesAt: null };
  }
}
