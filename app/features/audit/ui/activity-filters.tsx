import { Field } from "~/ui/field";
import { Filters } from "~/ui/filters";
import { Input } from "~/ui/input";
import { Select } from "~/ui/select";
import { StatCards } from "~/ui/stat-cards";
import { ACTIVITY_SEARCH_MAX, type ActivityFilter } from "../activity";
import { ACTIVITY_TYPE_LABELS } from "../copy";
import { ACTIVITY_TYPES } from "../model";

const TYPES = [
  { value: "", label: "All" },
  ...ACTIVITY_TYPES.map((value) => ({ value, label: ACTIVITY_TYPE_LABELS[value] })),
];

export function ActivityFilters({ filter }: { filter: ActivityFilter }) {
  const active = filter.q !== "" || filter.type !== null;
  const values = { q: filter.q, type: filter.type ?? "" };
  return (
    <Filters label="Activity" action="/admin/activity" active={active} values={values}>
      <Field name="q" label="Search action, details, person">
        <Input type="search" autoComplete="off" maxLength={ACTIVITY_SEARCH_MAX} defaultValue={values.q} />
      </Field>
      <Field name="type" label="Type">
        <Select options={TYPES} defaultValue={values.type} />
      </Field>
    </Filters>
  );
}

type ActivityStatCardsProps = {
  counts: { all: number; submissions: number; people: number; lastHour: { count: number; more: boolean } };
};

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
