import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Two hundred thousand files: beyond that a run would exceed what the platform allows one invocation. */
const MAX_PAGES = 400;

/**
 * Deletes files that belong to nothing. They are left behind when a form fails after its file was stored; a day
 * of grace keeps the sweep from racing with a form that is just being stored.
 */
export async function sweepOrphans(ctx: Ctx): Promise<JobReport> {
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
