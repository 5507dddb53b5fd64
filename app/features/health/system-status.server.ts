import { sql } from "drizzle-orm";
import { type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { checkHealth } from "./checks.server";

/** Whether everything works that the product stands on, and what of it does not. */
export type SystemStatus = { operational: boolean; troubles: string[] };

type Probe = { at: Instant; ok: boolean };

/** How long the answer of a probe that writes is believed. */
const PROBE_LIFETIME = minutes(1);

/** What this process found last; the rest of the minute nobody has to ask again. */
const lastProbes = new Map<string, Probe>();

/** Asks the database for a write and the file store for an answer; mail and timetable are read. */
export async function getSystemStatus(ctx: Ctx): Promise<SystemStatus> {
  const [{ checks }, writes, files] = await Promise.all([
    checkHealth(ctx),
    probed(ctx, "d1-write", () =>
      ctx.db.run(sql`
        INSERT INTO totals(name, value) VALUES ('health.probe', ${ctx.now()})
        ON CONFLICT(name) DO UPDATE SET value = excluded.value`),
    ),
    probed(ctx, "r2", () => ctx.files.get("health/probe")),
  ]);
  const troubles = [
    checks.d1.ok && writes ? null : "The database does not take changes",
    checks.outbox.ok ? null : `Mail is not leaving (${checks.outbox.detail})`,
    checks.cron.ok ? null : `Scheduled work is late (${checks.cron.detail})`,
    files ? null : "The file store does not answer",
  ].filter((trouble) => trouble !== null);
  return { operational: troubles.length === 0, troubles };
}

async function probed(ctx: Ctx, name: string, probe: () => Promise<unknown>): Promise<boolean> {
  const last = lastProbes.get(name);
  const age = ctx.now() - (last?.at ?? Number.NEGATIVE_INFINITY);
  // A clock that goes back must not keep an old answer alive.
  if (last && age >= 0 && age < PROBE_LIFETIME) return last.ok;
  const ok = await probe().then(
    () => true,
    () => false,
  );
  lastProbes.set(name, { at: ctx.now(), ok });
  return ok;
}
