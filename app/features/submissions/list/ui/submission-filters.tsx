import { SEARCH_MAX } from "~/lists/fields";
import { PAGE_SIZE_OPTIONS, type PageSize } from "~/lists/page-size";
import { Field } from "~/ui/field";
import { Filters } from "~/ui/filters";
import { DatesField, SearchField, SizeField, SortField } from "~/ui/list-fields";
import { Select } from "~/ui/select";
import { STATUS_OPTIONS } from "../../ui/submission-status";
import { hasDates, type SubmissionFilter, submissionList } from "../definition";

const ANY_STATUS = [{ value: "", label: "All" }, ...STATUS_OPTIONS];
const LABELS = { apply: "Search", clear: "Clear filters" };

type SubmissionFiltersProps = { filter: SubmissionFilter; size: PageSize };

/** Shows the filters of the list, as a GET form: its state is the address. */
export function SubmissionFilters({ filter, size }: SubmissionFiltersProps) {
  const values = {
    q: filter.q,
    status: filter.status ?? "",
    sort: filter.sort,
    size: String(size),
    from: filter.from ?? "",
    to: filter.to ?? "",
  };
  return (
    <Filters
      label="Submissions"
      action={submissionList.path}
      values={values}
      active={submissionList.isFiltered(filter)}
      labels={LABELS}
    >
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      {filter.recent ? <input type="hidden" name="filter" value="recent" /> : null}
      <SearchField label="Search name, email, company" value={values.q} max={SEARCH_MAX} />
      <Field name="status" id="filter-status" label="Status">
        <Select options={ANY_STATUS} defaultValue={values.status} />
      </Field>
      <SortField options={submissionList.sortOptions(filter)} value={values.sort} />
      <SizeField options={PAGE_SIZE_OPTIONS} value={values.size} />
      <DatesField
        key={`${filter.from} ${filter.to} ${filter.recent}`}
        from={values.from}
        to={values.to}
        isOn={hasDates(filter)}
        hint={filter.recent ? "The last 7 days. Dates chosen here take their place." : undefined}
        error={submissionList.noMatchReason?.(filter) ?? null}
        clearTo={submissionList.pathTo({ ...filter, recent: false, from: null, to: null })}
      />
    </Filters>
  );
}
