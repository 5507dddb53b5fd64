import { SEARCH_MAX } from "~/lists/fields";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { Field } from "~/ui/field";
import { Filters } from "~/ui/filters";
import { SearchField } from "~/ui/list-fields";
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
  /** The organizations to choose from: those of the rows, and the one the list is limited to. */
  organizations: readonly { id: string; name: string }[];
};

/** Shows the filters of the list of all memberships. */
export function MemberFilters({ filter, size, organizations }: MemberFiltersProps) {
  const values = {
    q: filter.q,
    organization: filter.organization ?? "",
    role: filter.role ?? "",
    status: filter.status ?? "",
  };
  const sizeOf = sizeParam(size);
  const options = [
    { value: "", label: "Any organization" },
    ...organizations.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Filters label="Members" action={memberList.path} values={values} defaults={memberList.defaults}>
      {sizeOf ? <input type="hidden" name="size" value={sizeOf} /> : null}
      {filter.sort === memberList.defaultSort ? null : <input type="hidden" name="sort" value={filter.sort} />}
      <SearchField label="Search email, name or organization" value={values.q} max={SEARCH_MAX} />
      <Field name="organization" id="filter-organization" label="Organization">
        <Select key={options.length} options={options} defaultValue={values.organization} />
      </Field>
      <Field name="role" id="filter-role" label="Role">
        <Select options={ROLES} defaultValue={values.role} />
      </Field>
      <Field name="status" id="filter-status" label="Status">
        <Select options={STATUSES} defaultValue={values.status} />
      </Field>
    </Filters>
  );
}
