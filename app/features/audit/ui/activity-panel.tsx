import { showing } from "~/lists/match-count";
import type { ListRead } from "~/lists/model";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { Pagination } from "~/ui/pagination";
import type { ActivityEntry } from "../activity/activity-entry";
import { type ActivityFilter, activityList } from "../activity/definition";
import type { ActivityCounts, ActivityType } from "../model";
import { ActivityFeed } from "./activity-feed";
import { ActivityFilters, ActivityStatCards } from "./activity-filters";

type ActivityPanelProps = {
  activity: ListRead<ActivityEntry> & { counts: ActivityCounts; types: ActivityType[] };
  filter: ActivityFilter;
  size: PageSize;
};

/** Shows the activity with everything around it: figures, filters, lines and the link to more lines. */
export function ActivityPanel({ activity, filter, size }: ActivityPanelProps) {
  const { page, total, counts, types, zone } = activity;
  const to = (cursor: Record<string, string>) => activityList.pathTo(filter, { size: sizeParam(size), ...cursor });
  return (
    <>
      <ActivityStatCards counts={counts} />
      <ActivityFilters filter={filter} size={size} types={types} />
      <ActivityFeed
        entries={page.rows}
        caption={showing(page.rows.length, total, activityList.noun)}
        zone={zone}
        clearTo={activityList.isFiltered(filter) ? activityList.path : null}
        reason={activityList.noMatchReason?.(filter) ?? null}
      />
      <Pagination
        previousTo={page.previous && to({ before: page.previous })}
        nextTo={page.next && to({ after: page.next })}
      />
    </>
  );
}
