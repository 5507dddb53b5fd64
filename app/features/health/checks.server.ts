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
    const mailAge = waiting?.oldest ? now - waiting.oldest : 0;
    const cronAge = ran?.last ? now - ran.last : null;
    return {
      healthy: true,
      checks: {
        d1: { ok: true, detail: "answers" },
        outbox: { ok: mailAge < OUTBOX_LIMIT, detail: `oldest waiting mail: ${inMinutes(mailAge)}` },
        cron: {
          ok: cronAge === null || cronAge < CRON_LIMIT,
          detail: cronAge === null ? "has not run yet" : `last success: ${inMinutes(cronAge)} ago`,
        },
      },
    };
  } catch {
    const unknown = { ok: false, detail: "unknown" };
    return { healthy: false, checks: { d1: { ok: false, detail: "does not answer" }, outbox: unknown, cron: unknown } };
  }
}

const inMinutes = (duration: number) => `${Math.floor(duration / minutes(1))} min`;
