import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ChoiceField } from "~/ui/list-fields";
import { optionsWithNone } from "~/ui/select";
import { StatCards } from "~/ui/stat-cards";
import { type ActivityFilter, activityList } from "../activity/definition";
import { ACTIVITY_TYPE_LABELS } from "../copy";
import type { ActivityCounts, ActivityType } from "../model";

type ActivityFiltersProps = {
  filter: ActivityFilter;
  size: PageSize;
  /** Lists the types of events that the viewer sees. */
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
      values={{ type }}
    >
      <ChoiceField name="type" label="Type" options={options} value={type} />
    </ListFilters>
  );
}

type ActivityStatCardsProps = { counts: ActivityCounts };

export function ActivityStatCards({ counts }: ActivityStatCardsProps) {
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
