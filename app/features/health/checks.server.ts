import { sql } from "drizzle-orm";
import { jobs } from "~/db/schema/infrastructure";
import { outbox } from "~/db/schema/outbox";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

type HealthCheck = { ok: boolean; detail: string };
type Health = { healthy: boolean; checks: Record<"d1" | "outbox" | "cron", HealthCheck> };

/** Limits the age of waiting mail: older mail means that nobody is sending it. */
const OUTBOX_LIMIT = minutes(15);
const CRON_LIMIT = minutes(15);

/**
 * Probes what every page needs. Only a database that does not respond makes the site unhealthy: waiting mail and a late
 * schedule are reported, but taking the site out of service would help neither.
 */
export async function checkHealth(ctx: Pick<Ctx, "db" | "now">): Promise<Health> {
  const now = ctx.now();
  try {
    const [[waiting], [ran]] = await Promise.all([
      ctx.db
        .select({ oldest: sql<number | null>`min(${outbox.created_at})`.as("oldest") })
        .from(outbox)
        .where(sql`${outbox.status} = 'pending'`),
      ctx.db.select({ last: sql<number | null>`max(${jobs.last_ok})`.as("last") }).from(jobs),
    ]);
    const mailAge = waiting?.oldest ? now - waiting.oldest : null;
    const cronAge = ran?.last ? now - ran.last : null;
    return {
      healthy: true,
      checks: {
        d1: { ok: true, detail: "Responding" },
        outbox: {
          ok: mailAge === null || mailAge < OUTBOX_LIMIT,
          detail: mailAge === null ? "No mail waiting" : `Oldest mail has waited ${inMinutes(mailAge)}`,
        },
        cron: {
          ok: cronAge === null || cronAge < CRON_LIMIT,
          detail: cronAge === null ? "Has not run yet" : lastRun(cronAge),
        },
      },
    };
  } catch {
    const unknown = { ok: false, detail: "Unknown" };
    return { healthy: false, checks: { d1: { ok: false, detail: "Not responding" }, outbox: unknown, cron: unknown } };
  }
}

const lastRun = (age: number) => (age < minutes(2) ? "Ran just now" : `Ran ${inMinutes(age)} ago`);

const inMinutes = (duration: number) => `${Math.floor(duration / minutes(1))} min`;
