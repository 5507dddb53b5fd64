import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/**
 * Checks that the file store responds. The job's row shows the result, and also that the database accepts writes.
 * System Status reads this row, so that no page has to check the stores itself.
 */
export async function checkStores({ files }: Pick<Ctx, "files">): Promise<JobReport> {
  await files.get("health/probe");
  return { count: 0 };
}
