import { PLATFORM_ROLES } from "~/access/model";
import { USERS_PATH } from "~/features/users/model";
import { choiceField, defineList, type FilterOf, searchField } from "~/lists/define-list";
import { ROLE_LABELS } from "./labels";
import { USER_VIEWS } from "./model";

export const userList = defineList({
  name: "users",
  ability: "user.view",
  path: USERS_PATH,
  csvPath: "/admin/exports/users.csv",
  noun: { one: "user", many: "users" },
  fields: { view: choiceField(USER_VIEWS), q: searchField(), role: choiceField(PLATFORM_ROLES) },
  orders: {
    joined: { ascending: "oldest", descending: "newest", isTime: true },
    name: { ascending: "name", descending: "name_desc", allowedFilters: ["role"] },
  },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first", oldest: "Oldest first", name: "Name, A to Z", name_desc: "Name, Z to A" },
  describe: ({ q, role }) => [
    { label: role && ROLE_LABELS[role], fields: ["role"] },
    { label: q ? `“${q}”` : null, fields: ["q"] },
  ],
});

export const userListHeading = ({ view }: Pick<UserFilter, "view">): string => (view ? "Pending invitations" : "Users");

export type UserFilter = FilterOf<typeof userList>;
