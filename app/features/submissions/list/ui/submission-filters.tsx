import { type PageSize, sizeParam } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ChoiceField, DatesField, SortField } from "~/ui/list-fields";
import { RECENT_FILTER, STATUS_OPTIONS } from "../../copy";
import { hasDates, type SubmissionFilter, submissionList } from "../definition";

const ANY_STATUS = [{ value: "", label: "Any status" }, ...STATUS_OPTIONS];
const ANY_OWNER = [
  { value: "", label: "Any owner" },
  { value: "me", label: "Me" },
  { value: "none", label: "No owner" },
];

type SubmissionFiltersProps = { filter: SubmissionFilter; size: PageSize };

export function SubmissionFilters({ filter, size }: SubmissionFiltersProps) {
  const values = {
    status: filter.status ?? "",
    owner: filter.owner ?? "",
    sort: filter.sort,
    from: filter.from ?? "",
    to: filter.to ?? "",
  };
  return (
    <ListFilters
      definition={submissionList}
      label="Submissions"
      search="Search name, email or company"
      filter={filter}
      size={size}
      values={values}
    >
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      {filter.recent ? <input type="hidden" name="filter" value="recent" /> : null}
      <ChoiceField name="status" id="filter-status" label="Status" options={ANY_STATUS} value={values.status} />
      {filter.view === "mine" ? null : (
        <ChoiceField name="owner" label="Owner" options={ANY_OWNER} value={values.owner} />
      )}
      <SortField options={submissionList.sortOptions(filter)} value={values.sort} />
      <DatesField
        key={`${filter.from} ${filter.to} ${filter.recent}`}
        from={values.from}
        to={values.to}
        isOn={hasDates(filter)}
        hint={filter.recent ? `${RECENT_FILTER}. Dates chosen here take their place.` : undefined}
        error={submissionList.noMatchReason?.(filter) ?? null}
        clearTo={submissionList.pathTo({ ...filter, recent: false, from: null, to: null }, { size: sizeParam(size) })}
      />
    </ListFilters>
  );
}
