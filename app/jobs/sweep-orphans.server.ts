import { deleteOrphans } from "~/features/attachments/queries.server";
import { days, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Limits a run to 200,000 files, if its share allows as many. */
const MAX_PAGES = 400;

const PREFIX = "att/";

/**
 * Sets by how much the places where runs begin lie apart, of 256: where there are more files than a run can look at,
 * each of them has its turn within days.
 */
const STRIDE = 97;

/**
 * Deletes files without a row in the database. They remain when a form fails after its file was stored. Files younger
 * than a day are retained, because their form may still be in progress.
 */
export async function sweepOrphans(
  ctx: Pick<Ctx, "budget" | "db" | "files" | "now">,
  { maxPages = MAX_PAGES } = {},
): Promise<JobReport> {
  const before = ctx.now() - days(1);
  const start = startOf(ctx.now());
  let count = 0;
  let pages = 0;
  // From there to the last file, and then from the first one to there.
  for (const after of [start, undefined]) {
    let cursor: string | undefined;
    do {
      if (pages === maxPages || (pages > 0 && ctx.budget.isUsedUp())) return { count };
      pages += 1;
      const page = await ctx.files.listOlderThan(PREFIX, before, cursor, after);
      count += await deleteOrphans(ctx, page.keys);
      const isRound = after === undefined && page.keys.some((key) => key > start);
      cursor = isRound ? undefined : page.cursor;
    } while (cursor);
  }
  return { count };
}

/** Returns the place in the order of the keys, which begin with random digits, at which a day's run begins. */
const startOf = (now: Instant): string =>
  PREFIX + ((Math.floor(now / days(1)) * STRIDE) % 256).toString(16).padStart(2, "0");
