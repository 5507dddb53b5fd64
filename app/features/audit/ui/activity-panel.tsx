import { showingText } from "~/lists/match-count";
import type { ListRead } from "~/lists/model";
import { type PageSize, sizeLinks, sizeParam } from "~/lists/page-size";
import { ListSummary } from "~/ui/filter-chips";
import { ListFoot } from "~/ui/list-foot";
import { NoRows } from "~/ui/no-rows";
import type { ActivityEntry } from "../activity/activity-entry";
import { type ActivityFilter, activityList } from "../activity/definition";
import { NO_ACTIVITY } from "../copy";
import type { ActivityCounts, ActivityType } from "../model";
import { ActivityFeed } from "./activity-feed";
import { ActivityFilters, ActivityStatCards } from "./activity-filters";

const NO_MATCH = "No activity matches these filters.";

type ActivityPanelProps = {
  activity: ListRead<ActivityEntry> & { counts: ActivityCounts; types: ActivityType[] };
  filter: ActivityFilter;
  size: PageSize;
};

/** Shows the activity with everything around it: figures, filters, lines and the link to more lines. */
export function ActivityPanel({ activity, filter, size }: ActivityPanelProps) {
  const { page, total, counts, types, zone } = activity;
  const sized = { size: sizeParam(size) };
  const caption = showingText(page.rows.length, total, activityList.noun);
  const chips = activityList.chips(filter, sized);
  const clearTo = activityList.isFiltered(filter) ? activityList.path : null;
  return (
    <>
      <ActivityStatCards counts={counts} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <ActivityFilters filter={filter} size={size} types={types} />
        <ListSummary
          id="activity-caption"
          caption={caption}
          isResult={page.rows.length > 0}
          chips={chips}
          clearTo={activityList.path}
        />
        {page.rows.length > 0 ? (
          <ActivityFeed entries={page.rows} zone={zone} />
        ) : (
          <NoRows
            empty={NO_ACTIVITY}
            noMatch={{ title: "Nothing found", body: activityList.noMatchReason?.(filter) ?? NO_MATCH }}
            chips={chips}
            clearTo={clearTo}
          />
        )}
        <ListFoot
          caption={caption}
          sizes={sizeLinks(size, (param) => activityList.pathTo(filter, { size: param }))}
          previousTo={page.previous && activityList.pathTo(filter, { ...sized, before: page.previous })}
          nextTo={page.next && activityList.pathTo(filter, { ...sized, after: page.next })}
        />
      </div>
    </>
  );
}
