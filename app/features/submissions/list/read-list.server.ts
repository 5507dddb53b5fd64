import { readInSiteZone } from "~/features/settings/queries.server";
import type { PageRequest } from "~/lib/paging";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { MatchCount, SubmissionCounts } from "../model";
import { countSubmissions } from "../queries.server";
import { countMatches } from "./count-matches.server";
import { isBackwards, isNarrowed, type ListFilter, scopeOf } from "./list-filter";
import { listSubmissions, type SubmissionPage } from "./list-queries.server";

export type SubmissionList = {
  page: SubmissionPage;
  counts: SubmissionCounts;
  total: MatchCount;
  zone: string;
  drawnAt: Instant;
};

const NOTHING: SubmissionPage = { rows: [], newer: null, older: null, lookedAt: null };

/** Everything the list page shows, in one round trip. Contradicting dates are not asked for: nothing can match them. */
export async function readList(
  ctx: Ctx,
  userId: string,
  { filter, page }: { filter: ListFilter; page: PageRequest },
): Promise<SubmissionList> {
  const drawnAt = ctx.now();
  const [counts, { settings, value }] = await Promise.all([
    countSubmissions(ctx.db),
    readInSiteZone(ctx.db, async (zone) => {
      if (isBackwards(filter)) return { page: NOTHING, matches: { count: 0, more: false as const } };
      const scope = scopeOf(filter, { zone, now: drawnAt, userId });
      const [rows, matches] = await Promise.all([
        listSubmissions(ctx.db, page, scope),
        isCounted(filter) ? null : countMatches(ctx.db, scope),
      ]);
      return { page: rows, matches };
    }),
  ]);
  const total = value.matches ?? { count: counts[countOf(filter)], more: false };
  return { page: value.page, counts, total, zone: settings.timeZone, drawnAt };
}

/** The maintained total that answers a filter. */
const countOf = ({ view, status }: ListFilter) => (view === "held" ? "held" : (status ?? "all"));

/** Whether a maintained total answers the filter: all, one status, or all that is held. */
function isCounted(filter: ListFilter): boolean {
  return !isNarrowed(filter.view === "held" ? { ...filter, view: null } : { ...filter, status: null });
}
