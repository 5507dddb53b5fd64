import type { Ctx } from "~/platform/context.server";
import { REMEDIES } from "./copy";
import { readDnsRecords } from "./dns-records.server";
import type { HealthLine } from "./model";
import { runChecks } from "./system-status.server";

/** Returns every check with what was found, and what is deliberately not switched on. */
export async function readHealthReport(
  ctx: Pick<Ctx, "config" | "cost" | "db" | "log" | "now">,
): Promise<HealthLine[]> {
  const [checks, dns] = await Promise.all([runChecks(ctx), readDnsRecords(ctx)]);
  const hasBotCheck = Boolean(ctx.config.TURNSTILE_SITE_KEY);
  const sendsMail = ctx.config.MAIL_PROVIDER !== "capture";
  const found: Omit<HealthLine, "wanted" | "fix">[] = [
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
  return [...found.map((line) => ({ ...line, ...(REMEDIES[line.name] ?? { wanted: "OK", fix: "" }) })), ...dns];
}
