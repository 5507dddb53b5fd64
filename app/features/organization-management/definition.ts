import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { defineList, type FilterOf, flagField, searchField } from "~/lists/define-list";
import { NEEDS_REVIEW } from "./labels";

export const organizationList = defineList({
  name: "organizations",
  ability: "organization.view",
  path: ORGANIZATIONS_PATH,
  csvPath: "/admin/exports/organizations.csv",
  noun: { one: "organization", many: "organizations" },
  fields: { toReview: flagField("view", "review"), q: searchField() },
  orders: {
    created: { ascending: "oldest", descending: "newest", isTime: true },
    name: { ascending: "name", descending: "name_desc", allowedFilters: [] },
    tickets: { descending: "active_tickets", allowedFilters: [] },
  },
  defaultSort: "newest",
  sortLabels: {
    newest: "Newest first",
    oldest: "Oldest first",
    name: "Name, A to Z",
    name_desc: "Name, Z to A",
    active_tickets: "Most active tickets",
  },
  describe: ({ q, toReview }) => [
    { label: toReview ? NEEDS_REVIEW : null, fields: ["toReview"] },
    { label: q ? `“${q}”` : null, fields: ["q"] },
  ],
});

export type OrganizationFilter = FilterOf<typeof organizationList>;
