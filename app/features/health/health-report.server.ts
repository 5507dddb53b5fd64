import type { Ctx } from "~/platform/context.server";
import type { HealthLine } from "./model";
import { runChecks } from "./system-status.server";

/** Returns every check with what was found, and what is deliberately not switched on. */
export async function readHealthReport(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<HealthLine[]> {
  const checks = await runChecks(ctx);
  const hasBotCheck = Boolean(ctx.config.TURNSTILE_SITE_KEY);
  const sendsMail = ctx.config.MAIL_PROVIDER !== "capture";
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
      detail: hasBotCheck ? "On" : "No keys configured. The contact form uses basic spam filtering only.",
      at: ctx.now(),
    },
    {
      name: "Mail provider",
      state: sendsMail ? "ok" : "off",
      detail: sendsMail ? "Connected" : "Email isn't being sent yet. Connect a mail provider.",
      at: ctx.now(),
    },
  ];
}
