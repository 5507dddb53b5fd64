import type { OrganizationChoice } from "~/features/organizations/model";
import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { MembershipFields } from "../../ui/membership-fields";
import { type MemberFilter, memberList } from "../definition";

type MemberFiltersProps = {
  filter: MemberFilter;
  size: PageSize;
  organizations: readonly OrganizationChoice[];
};

/** Shows the filters of the list of all memberships. */
export function MemberFilters({ filter, size, organizations }: MemberFiltersProps) {
  const values = {
    organization: filter.organization ?? "",
    role: filter.role ?? "",
    status: filter.status ?? "",
  };
  const options = [
    { value: "", label: "Any organization" },
    ...organizations.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <ListFilters
      definition={memberList}
      label="Members"
      search="Search email, name or organization"
      filter={filter}
      size={size}
      values={values}
    >
      {filter.sort === memberList.defaultSort ? null : <input type="hidden" name="sort" value={filter.sort} />}
      <Field name="organization" id="filter-organization" label="Organization">
        <Select key={options.length} options={options} defaultValue={values.organization} />
      </Field>
      <MembershipFields role={values.role} status={values.status} />
    </ListFilters>
  );
}
