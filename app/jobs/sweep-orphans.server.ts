import { knownKeys } from "~/features/attachments/queries.server";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Two hundred thousand files: beyond that a run would exceed what the platform allows one invocation. */
const MAX_PAGES = 400;

/**
 * Deletes files that no attachment row knows. They are left behind when a form fails after its file was stored; a day
 * of grace keeps the sweep from racing with a form that is just being stored.
 */
export async function sweepOrphans(ctx: Ctx): Promise<JobReport> {
  const before = ctx.now() - days(1);
  let count = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await ctx.files.listOlderThan("att/", before, cursor);
    const known = await knownKeys(ctx.db, page.keys);
    const orphans = page.keys.filter((key) => !known.has(key));
    if (orphans.length > 0) await ctx.files.delete(orphans);
    count += orphans.length;
    cursor = page.cursor;
    if (!cursor) break;
  }
  return { count };
}
