import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Limits a run to 200,000 files. A longer run would exceed the platform's limits for one invocation. */
const MAX_PAGES = 400;

/**
 * Deletes files without a row in the database. They remain when a form fails after its file was stored. Files younger
 * than a day are retained, because their form may still be in progress.
 */
export async function sweepOrphans(ctx: Pick<Ctx, "db" | "files" | "now">): Promise<JobReport> {
  const before = ctx.now() - days(1);
  let count = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await ctx.files.listOlderThan("att/", before, cursor);
    count += await deleteOrphans(ctx, page.keys);
    cursor = page.cursor;
    if (!cursor) break;
  }
  return { count };
}
