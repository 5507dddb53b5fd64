import type { Ctx } from "~/platform/context.server";
import type { HealthLine } from "./model";
import { runChecks } from "./system-status.server";

/** Returns every check with what was found, and what is deliberately not switched on. */
export async function readHealthReport(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<HealthLine[]> {
  const checks = await runChecks(ctx);
  const hasBotCheck = Boolean(ctx.config.TURNSTILE_SITE_KEY);
  return [
    ...checks.map(({ name, ok, detail, at }) => ({
      name,
      state: ok ? ("ok" as const) : ("attention" as const),
      detail,
      at,
    })),
    {
      name: "Bot check",
      state: hasBotCheck ? "ok" : "off",
      detail: hasBotCheck
        ? "its keys are configured"
        : "no keys are configured; the contact form relies on its other layers",
      at: ctx.now(),
    },
  ];
}
