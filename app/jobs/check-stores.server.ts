import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/**
 * Checks that the file store responds. System Status reads how it came out from the record of the run, so that no page
 * has to check the stores itself; that there is one shows that the database accepts writes.
 */
export async function checkStores({ files }: Pick<Ctx, "files">): Promise<JobReport> {
  await files.get("health/probe");
  return { count: 0 };
}
