import { eq } from "drizzle-orm";
import { jobs } from "~/db/schema/machinery";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { checkHealth } from "./checks.server";

/** Whether everything works that the product stands on, and what of it does not. */
export type SystemStatus = { operational: boolean; troubles: string[] };

/** The job that probes database and file store each minute. */
export const STORE_CHECK = "check-stores";

/** What was found longer ago than this says nothing about now. */
const PROBE_LIFETIME = minutes(5);

/**
 * What the probe of each minute has found, with mail and timetable. All of it is read, in the round trip of the page; a
 * probe that is missing or old counts as trouble, because nobody knows.
 */
export async function getSystemStatus(ctx: Ctx): Promise<SystemStatus> {
  const [{ checks }, probe] = await Promise.all([checkHealth(ctx), readProbe(ctx)]);
  const troubles = [
    checks.d1.ok && probe.written ? null : "The database has not taken a change for five minutes",
    checks.outbox.ok ? null : `Mail is not leaving (${checks.outbox.detail})`,
    checks.cron.ok ? null : `Scheduled work is late (${checks.cron.detail})`,
    probe.files ? null : "The file store has not answered for five minutes",
  ].filter((trouble) => trouble !== null);
  return { operational: troubles.length === 0, troubles };
}

/** Each run of the job writes when it began, and when it ended well: then the file store had answered. */
async function readProbe(ctx: Ctx): Promise<{ written: boolean; files: boolean }> {
  const now = ctx.now();
  const isRecent = (at: number | null | undefined) => typeof at === "number" && at > now - PROBE_LIFETIME;
  try {
    const [row] = await ctx.db
      .select({ start: jobs.last_start, ok: jobs.last_ok })
      .from(jobs)
      .where(eq(jobs.name, STORE_CHECK));
    return { written: isRecent(row?.start), files: isRecent(row?.ok) };
  } catch {
    return { written: false, files: false };
  }
}
