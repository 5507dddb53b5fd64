import type { ListRead } from "~/lists/model";
import type { PageSize } from "~/lists/page-size";
import { ListPanel } from "~/lists/ui/list-panel";
import type { ActivityEntry } from "../activity/activity-entry";
import { type ActivityFilter, activityList } from "../activity/definition";
import { NO_ACTIVITY } from "../copy";
import type { ActivityCounts, ActivityType } from "../model";
import { ActivityFeed } from "./activity-feed";
import { ActivityFilters, ActivityStatCards } from "./activity-filters";

const NO_MATCH = { title: "Nothing found", body: "No activity matches these filters." };

type ActivityPanelProps = {
  activity: ListRead<ActivityEntry> & { counts: ActivityCounts };
  types: readonly ActivityType[];
  filter: ActivityFilter;
  size: PageSize;
};

/** Shows the activity with everything around it: figures, filters, lines and the link to more lines. */
export function ActivityPanel({ activity, types, filter, size }: ActivityPanelProps) {
  const { page, counts, zone } = activity;
  return (
    <>
      <ActivityStatCards counts={counts} />
      <ListPanel
        definition={activityList}
        list={activity}
        filter={filter}
        size={size}
        filters={<ActivityFilters filter={filter} size={size} types={types} />}
        empty={NO_ACTIVITY}
        noMatch={NO_MATCH}
      >
        <ActivityFeed entries={page.rows} zone={zone} />
      </ListPanel>
    </>
  );
}
