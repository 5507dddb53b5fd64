import type { OrganizationChoice } from "~/features/organizations/model";
import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { Field } from "~/ui/field";
import { type Option, Select } from "~/ui/select";
import { ROLE_LABELS, STATUS_LABELS } from "../../copy";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "../../model";
import { type MemberFilter, memberList } from "../definition";

const ROLES: readonly Option[] = [
  { value: "", label: "Any role" },
  ...MEMBER_ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })),
];
const STATUSES: readonly Option[] = [
  { value: "", label: "Any status" },
  ...MEMBERSHIP_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
];

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
      <Field name="role" id="filter-role" label="Role">
        <Select options={ROLES} defaultValue={values.role} />
      </Field>
      <Field name="status" id="filter-status" label="Status">
        <Select options={STATUSES} defaultValue={values.status} />
      </Field>
    </ListFilters>
  );
}
