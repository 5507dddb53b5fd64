import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/**
 * Asks the file store for an answer. That this run is written down at all shows that the database takes changes; System
 * Status reads both from the job's row, so that no page has to probe anything.
 */
export async function checkStores(ctx: Ctx): Promise<JobReport> {
  await ctx.files.get("health/probe");
  return { count: 0 };
}
