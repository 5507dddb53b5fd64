import { fold } from "~/lib/text";
import { SEARCH_TOO_SHORT } from "~/lists/copy";
import { defineList, type FilterOf } from "~/lists/define-list";
import { choiceField, searchField } from "~/lists/fields";
import { commonScope, isShort, type ListReader, type ListScope } from "~/lists/scope";
import { ACTIVITY_TYPES, type ActivityType } from "../model";

/** Defines the activity list as its address describes it: what has happened, newest first. */
export const activityList = defineList({
  name: "activity",
  path: "/admin/activity",
  noun: { one: "activity", many: "activities" },
  fields: { q: searchField(), type: choiceField(ACTIVITY_TYPES) },
  orders: { happened: { descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first" },
  impossible: ({ q }) => (isShort(fold(q)) && fold(q) ? SEARCH_TOO_SHORT : null),
});

export type ActivityFilter = FilterOf<typeof activityList>;

type ActivityScope = ListScope<"newest"> & { type: ActivityType | null };

export const scopeOf = (filter: ActivityFilter, reader: ListReader): ActivityScope => ({
  ...commonScope(filter, reader),
  type: filter.type,
});
