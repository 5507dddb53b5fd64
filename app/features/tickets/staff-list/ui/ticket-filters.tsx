import { CHOICES_LIMIT, type OrganizationChoices } from "~/features/organizations/model";
import { DATES_BACKWARDS } from "~/lists/copy";
import { areDatesReversed } from "~/lists/criteria";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ChoiceField, DatesField, SortField } from "~/ui/list-fields";
import { optionsWithNone } from "~/ui/select";
import { PRIORITY_OPTIONS, UNASSIGNED } from "../../copy";
import { DUE_LABELS, ONE_PERSON, STATUS_FILTER_LABELS } from "../copy";
import { DUE_FILTERS, STATUS_FILTERS, type TicketFilter, ticketList } from "../definition";
import { NOBODY, type StaffChoice } from "../model";

type TicketFiltersProps = {
  filter: TicketFilter;
  size: PageSize;
  organizations: OrganizationChoices;
  staff: readonly StaffChoice[];
};

const ANY_STATUS = optionsWithNone("Any status", STATUS_FILTERS, STATUS_FILTER_LABELS);
const ANY_PRIORITY = [{ value: "", label: "Any priority" }, ...PRIORITY_OPTIONS];
const ANY_TIME = optionsWithNone("Any", DUE_FILTERS, DUE_LABELS);

/** Shows the filters of the list of tickets. */
export function TicketFilters({ filter, size, organizations, staff }: TicketFiltersProps) {
  const values = {
    organization: filter.organization ?? "",
    status: filter.status ?? "",
    priority: filter.priority ?? "",
    assignee: filter.assignee ?? "",
    due: filter.due ?? "",
    from: filter.from ?? "",
    to: filter.to ?? "",
    sort: filter.sort,
  };
  const anyOrganization = [
    { value: "", label: "All organizations" },
    ...organizations.choices.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const hint = organizations.isMore ? "organization-choices" : undefined;
  const anyone = anyAssignee(staff, filter.assignee);
  const orders = ticketList.sortOptions(filter);
  return (
    <ListFilters
      definition={ticketList}
      label="Filter tickets"
      search="Search text, number or organization"
      placeholder="Text, number, organization"
      filter={filter}
      size={size}
      values={values}
    >
      <ChoiceField
        name="organization"
        id="filter-organization"
        label="Organization"
        describedBy={hint}
        options={anyOrganization}
        value={values.organization}
      />
      <ChoiceField name="status" id="filter-status" label="Status" options={ANY_STATUS} value={values.status} />
      <ChoiceField name="priority" label="Priority" options={ANY_PRIORITY} value={values.priority} />
      <ChoiceField name="assignee" id="filter-assignee" label="Assigned" options={anyone} value={values.assignee} />
      <ChoiceField name="due" label="Reply due" options={ANY_TIME} value={values.due} />
      {hint ? (
        <p id={hint} className="order-last m-0 basis-full text-ink-2 text-xs">
          The filter offers the first {CHOICES_LIMIT} organizations by name. Search for others.
        </p>
      ) : null}
      <DatesField
        key={`${filter.from} ${filter.to}`}
        from={values.from}
        to={values.to}
        isOn={filter.from !== null || filter.to !== null}
        error={areDatesReversed(filter) ? DATES_BACKWARDS : null}
        clearTo={ticketList.pathTo({ ...filter, from: null, to: null }, { size: sizeParam(size) })}
      />
      {orders.length > 1 ? <SortField options={orders} value={values.sort} /> : null}
    </ListFilters>
  );
}

/** Returns whose tickets can be asked for, also of one who is no member of staff any more. */
function anyAssignee(staff: readonly StaffChoice[], chosen: string | null) {
  const options = [
    { value: "", label: "Anyone" },
    { value: "me", label: "Me" },
    { value: NOBODY, label: UNASSIGNED },
    ...staff.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const isListed = chosen === null || options.some(({ value }) => value === chosen);
  return isListed ? options : [...options, { value: chosen, label: ONE_PERSON }];
}
