import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { choiceField, defineList, type FilterOf, searchField } from "~/lists/define-list";
import { ACTIVITY_TYPE_LABELS } from "../labels";
import { ACTIVITY_TYPES, type ActivityType } from "../model";

export const activityList = defineList({
  name: "activity",
  ability: "activity.view",
  path: "/admin/activity",
  csvPath: "/admin/exports/activity.csv",
  noun: { one: "activity", many: "activities" },
  fields: { q: searchField(), type: choiceField(ACTIVITY_TYPES) },
  orders: { happened: { descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first" },
  describe: ({ q, type }) => [
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: type && ACTIVITY_TYPE_LABELS[type], fields: ["type"] },
  ],
});

export type ActivityFilter = FilterOf<typeof activityList>;

export const activityCriteriaOf = (
  filter: ActivityFilter,
  viewer: ListViewer,
): ListCriteria<"newest"> & { type: ActivityType | null; withoutSecurity?: true } => ({
  ...commonCriteria(filter, viewer),
  type: filter.type,
});
