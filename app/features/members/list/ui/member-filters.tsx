import { CHOICES_LIMIT, type OrganizationChoices } from "~/features/organizations/model";
import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ChoiceField, SortField } from "~/ui/list-fields";
import { MembershipFields } from "../../ui/membership-fields";
import { type MemberFilter, memberList } from "../definition";

type MemberFiltersProps = {
  filter: MemberFilter;
  size: PageSize;
  organizations: OrganizationChoices;
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
    ...organizations.choices.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const hint = organizations.isMore ? "organization-choices" : undefined;
  return (
    <ListFilters
      definition={memberList}
      label="Members"
      search="Search email, name or organization"
      filter={filter}
      size={size}
      values={values}
    >
      <ChoiceField
        name="organization"
        id="filter-organization"
        label="Organization"
        describedBy={hint}
        className="md:max-w-52!"
        options={options}
        value={values.organization}
      />
      <MembershipFields role={values.role} status={values.status} />
      <SortField options={memberList.sortOptions(filter)} value={filter.sort} />
      {hint ? (
        <p id={hint} className="order-last m-0 basis-full text-ink-2 text-xs">
          The filter offers the first {CHOICES_LIMIT} organizations by name. Search for others.
        </p>
      ) : null}
    </ListFilters>
  );
}
