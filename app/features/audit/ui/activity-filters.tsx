import { SEARCH_MAX } from "~/lists/fields";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { Field } from "~/ui/field";
import { Filters } from "~/ui/filters";
import { SearchField } from "~/ui/list-fields";
import { Select } from "~/ui/select";
import { StatCards } from "~/ui/stat-cards";
import { type ActivityFilter, activityList } from "../activity/definition";
import { ACTIVITY_TYPE_LABELS } from "../copy";
import type { ActivityCounts, ActivityType } from "../model";

type ActivityFiltersProps = {
  filter: ActivityFilter;
  size: PageSize;
  /** The types of events that the viewer sees. */
  types: readonly ActivityType[];
};

export function ActivityFilters({ filter, size, types }: ActivityFiltersProps) {
  const options = [
    { value: "", label: "Any type" },
    ...types.map((value) => ({ value, label: ACTIVITY_TYPE_LABELS[value] })),
  ];
  const values = { q: filter.q, type: filter.type ?? "" };
  const sizeOf = sizeParam(size);
  return (
    <Filters label="Activity" action={activityList.path} values={values} defaults={activityList.defaults}>
      {sizeOf ? <input type="hidden" name="size" value={sizeOf} /> : null}
      <SearchField label="Search action, details or person" value={values.q} max={SEARCH_MAX} />
      <Field name="type" label="Type">
        <Select options={options} defaultValue={values.type} />
      </Field>
    </Filters>
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
