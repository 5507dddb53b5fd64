import { eq } from "drizzle-orm";
import { jobs } from "~/db/schema/infrastructure";
import { type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { checkHealth } from "./checks.server";

/** Whether everything works that the product stands on, and what of it does not. */
type SystemStatus = { operational: boolean; troubles: string[] };

/** One thing that was looked at: what was found, and when. `trouble` is how the dashboard puts it when it is not well. */
type SystemCheck = { name: string; ok: boolean; found: string; trouble: string; at: Instant };

/** The job that probes database and file store each minute. */
export const STORE_CHECK = "check-stores";

/** What was found longer ago than this says nothing about now. */
const PROBE_LIFETIME = minutes(5);

/**
 * What the probe of each minute has found, with mail and timetable. All of it is read, in the round trip of the page; a
 * probe that is missing or old counts as trouble, because nobody knows.
 */
export async function runChecks(ctx: Ctx): Promise<SystemCheck[]> {
  const [{ checks }, probe] = await Promise.all([checkHealth(ctx), readProbe(ctx)]);
  const now = ctx.now();
  const isRecent = (at: Instant | null) => at !== null && at > now - PROBE_LIFETIME;
  const takesChanges = checks.d1.ok && isRecent(probe.writtenAt);
  const answers = isRecent(probe.filesAt);
  return [
    {
      name: "Database",
      ok: takesChanges,
      found: takesChanges ? "takes changes" : "has not taken a change for five minutes",
      trouble: "The database has not taken a change for five minutes",
      at: probe.writtenAt ?? now,
    },
    {
      name: "Mail queue",
      ok: checks.outbox.ok,
      found: checks.outbox.detail,
      trouble: `Mail is not leaving (${checks.outbox.detail})`,
      at: now,
    },
    {
      name: "Scheduled work",
      ok: checks.cron.ok,
      found: checks.cron.detail,
      trouble: `Scheduled work is late (${checks.cron.detail})`,
      at: now,
    },
    {
      name: "File store",
      ok: answers,
      found: answers ? "answers" : "has not answered for five minutes",
      trouble: "The file store has not answered for five minutes",
      at: probe.filesAt ?? now,
    },
  ];
}

/** The checks in one word, and what is wrong. */
export async function getSystemStatus(ctx: Ctx): Promise<SystemStatus> {
  const troubles = (await runChecks(ctx)).filter(({ ok }) => !ok).map(({ trouble }) => trouble);
  return { operational: troubles.length === 0, troubles };
}

/** Each run of the job writes when it began, and when it ended well: then the file store had answered. */
async function readProbe(ctx: Ctx): Promise<{ writtenAt: Instant | null; filesAt: Instant | null }> {
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
