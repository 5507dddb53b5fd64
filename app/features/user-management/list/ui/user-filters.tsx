import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ChoiceField, SortField } from "~/ui/list-fields";
import { StatCards } from "~/ui/stat-cards";
import { ROLE_OPTIONS } from "../../copy";
import type { UserCounts } from "../../model";
import { type UserFilter, userList } from "../definition";

const ANY_ROLE = [{ value: "", label: "All roles" }, ...ROLE_OPTIONS.toReversed()];

export function UserFilters({ filter, size }: { filter: UserFilter; size: PageSize }) {
  const values = { role: filter.role ?? "", sort: filter.sort };
  return (
    <ListFilters
      definition={userList}
      label="Filter users"
      search="Search name or email"
      filter={filter}
      size={size}
      values={values}
    >
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      <ChoiceField name="role" id="filter-role" label="Role" options={ANY_ROLE} value={values.role} />
      <SortField options={userList.sortOptions(filter)} value={values.sort} />
    </ListFilters>
  );
}

const CARDS = [
  { counted: "all", label: "Total Users", role: null },
  { counted: "admin", label: "Admins", role: "admin" },
  { counted: "moderator", label: "Moderators", role: "moderator" },
  { counted: "user", label: "Regular Users", role: "user" },
] as const;

const UNFILTERED = userList.readFilter(new URLSearchParams());

/** Shows how many accounts there are, by role; each figure links to its rows. */
export function UserStatCards({ counts, filter }: { counts: UserCounts | null; filter: UserFilter }) {
  return (
    <StatCards
      label="Users by role"
      items={CARDS.map(({ counted, label, role }) => ({
        label,
        value: counts?.[counted] ?? null,
        to: userList.pathTo({ ...UNFILTERED, role }),
        current: filter.view === null && filter.role === role,
      }))}
    />
  );
}
