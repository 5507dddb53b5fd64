import type { ListRead, LoadedList } from "~/lists/model";
import { ListFilters, ListPage } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { optionsWithNone } from "~/ui/form";
import { ChoiceField } from "~/ui/list-fields";
import { StatCards } from "~/ui/stat-cards";
import { ACTIVITY_TYPE_LABELS, NO_ACTIVITY } from "../labels";
import type { ActivityCounts, ActivityType } from "../model";
import type { ActivityEntry } from "./activity-entry";
import { ActivityFeed } from "./activity-feed";
import { type ActivityFilter, activityList } from "./definition";

type LoadedActivity = LoadedList<ActivityFilter, ListRead<ActivityEntry> & { counts: ActivityCounts }> & {
  types: readonly ActivityType[];
  mayExport: boolean;
};

function ActivityFilters({ filter, size, types }: Pick<LoadedActivity, "filter" | "size" | "types">) {
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

export function ActivityListPage({ loaded }: { loaded: LoadedActivity }) {
  const { list, filter, size, types, mayExport } = loaded;
  return (
    <ListPage
      definition={activityList}
      loaded={loaded}
      title="Activity"
      actions={mayExport ? <ExportLink to={activityList.exportPathTo(filter)} /> : undefined}
      isDense={false}
      above={list ? <ActivityStatCards counts={list.counts} /> : null}
      filters={<ActivityFilters filter={filter} size={size} types={types} />}
      empty={NO_ACTIVITY}
      noMatch={NO_MATCH}
    >
      {({ page, zone }) => <ActivityFeed entries={page.rows} zone={zone} />}
    </ListPage>
  );
}
