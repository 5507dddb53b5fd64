import { PAGE_SIZES, type PageSize } from "~/lib/paging";
import { Button, LinkButton } from "~/ui/button";
import { Field } from "~/ui/field";
import { FilterForm } from "~/ui/filters";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { Select } from "~/ui/select";
import { DATES_BACKWARDS, SORT_LABELS } from "../../copy";
import { STATUS_OPTIONS } from "../../ui/submission-status";
import {
  hasDates,
  isBackwards,
  isNarrowed,
  LIST_SORTS,
  type ListFilter,
  listPath,
  offersSort,
  SEARCH_MAX,
} from "../list-filter";

const LIST = "/admin/submissions";
const ANY_STATUS = [{ value: "", label: "All" }, ...STATUS_OPTIONS];
const SIZES = PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }));

type SubmissionFiltersProps = { filter: ListFilter; size: PageSize };

/** Everything the list can be narrowed by. A GET form: what it shows is its address. */
export function SubmissionFilters({ filter, size }: SubmissionFiltersProps) {
  const orders = LIST_SORTS.filter((sort) => offersSort(filter, sort)).map((sort) => ({
    value: sort,
    label: SORT_LABELS[sort],
  }));
  const values = {
    q: filter.q,
    status: filter.status ?? "",
    sort: filter.sort,
    size: String(size),
    from: filter.from ?? "",
    to: filter.to ?? "",
  };
  return (
    <FilterForm label="Submissions" action={LIST} values={values}>
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      {filter.recent ? <input type="hidden" name="filter" value="recent" /> : null}
      <Field name="q" label="Search name, email, company">
        <Input type="search" maxLength={SEARCH_MAX} autoComplete="off" inputMode="search" defaultValue={values.q} />
      </Field>
      <Field name="status" id="filter-status" label="Status">
        <Select options={ANY_STATUS} defaultValue={values.status} />
      </Field>
      <Field name="sort" label="Order">
        <Select options={orders} defaultValue={values.sort} />
      </Field>
      <Field name="size" label="Page">
        <Select options={SIZES} defaultValue={values.size} />
      </Field>
      <Dates filter={filter} key={`${filter.from} ${filter.to} ${filter.recent}`} />
      <div className="acts-row">
        <Button type="submit" variant="quiet">
          Search
        </Button>
        {isNarrowed(filter) ? (
          <LinkButton variant="ghost" to={LIST}>
            Clear filters
          </LinkButton>
        ) : null}
      </div>
    </FilterForm>
  );
}

/** Two days, both inclusive. The mark on its button is said in words too. */
function Dates({ filter }: { filter: ListFilter }) {
  const active = hasDates(filter);
  const backwards = isBackwards(filter);
  const without = listPath({ ...filter, recent: false, from: null, to: null });
  return (
    <details className="dates" open={backwards || undefined}>
      <summary className="btn quiet">Dates{active ? <span className="dot"> (on)</span> : null}</summary>
      <div className="dates-panel">
        {filter.recent ? <p className="hint">The last 7 days. Dates chosen here take their place.</p> : null}
        <Field name="from" label="From Date" error={backwards ? DATES_BACKWARDS : undefined}>
          <Input type="date" autoComplete="off" defaultValue={filter.from ?? ""} />
        </Field>
        <Field name="to" label="To Date">
          <Input type="date" autoComplete="off" defaultValue={filter.to ?? ""} />
        </Field>
        <div className="acts-row">
          <Button type="submit" size="sm">
            Apply Filter
          </Button>
          {active ? <Link to={without}>Clear</Link> : null}
        </div>
      </div>
    </details>
  );
}
