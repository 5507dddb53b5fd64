import type { ListRead, PageSize } from "~/lists/model";
import { ListFilters, ListPanel } from "~/lists/ui/list-page";
import { optionsWithNone } from "~/ui/form";
import { ChoiceField } from "~/ui/list-fields";
import { StatCards } from "~/ui/stat-cards";
import { ACTIVITY_TYPE_LABELS, NO_ACTIVITY } from "../labels";
import type { ActivityCounts, ActivityType } from "../model";
import type { ActivityEntry } from "./activity-entry";
import { ActivityFeed } from "./activity-feed";
import { type ActivityFilter, activityList } from "./definition";

type ActivityFiltersProps = {
  filter: ActivityFilter;
  size: PageSize;
  types: readonly ActivityType[];
};

export function ActivityFilters({ filter, size, types }: ActivityFiltersProps) {
  const options = optionsWithNone("Any type", types, ACTIVITY_TYPE_LABELS);
  const type = filter.type ?? "";
  return (
    <ListFilters
      definition={activityList}
      label="Activity"
      search="Search action, details or person"
      filter={filter}
      size={size}
    >
      <ChoiceField name="type" label="Type" options={options} value={type} />
    </ListFilters>
  );
}

function ActivityStatCards({ counts }: { counts: ActivityCounts }) {
  return (
    <StatCards
      label="Activity"
      items={[
        { label: "Total Activities", value: counts.all },
        { label: "Submissions", note: "With changes of status", value: counts.submissions },
        { label: "User Actions", note: "By people with an account", value: counts.people },
        {
          label: "Recent Activity",
          note: counts.lastHour.more ? "Last hour, at least" : "Last hour",
          value: counts.lastHour.count,
        },
      ]}
    />
  );
}

const NO_MATCH = { title: "Nothing found", body: "No activity matches these filters." };

type ActivityPanelProps = {
  activity: ListRead<ActivityEntry> & { counts: ActivityCounts };
  types: readonly ActivityType[];
  filter: ActivityFilter;
  size: PageSize;
};

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
