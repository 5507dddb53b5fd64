import { SEARCH_MAX } from "~/lists/fields";
import { PAGE_SIZE_OPTIONS, type PageSize } from "~/lists/page-size";
import { isBackwards } from "~/lists/scope";
import { Actions } from "~/ui/actions";
import { Button, LinkButton } from "~/ui/button";
import { buttonLook } from "~/ui/button-look";
import { cx } from "~/ui/cx";
import { Field } from "~/ui/field";
import { FilterForm } from "~/ui/filters";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { Select } from "~/ui/select";
import { STATUS_OPTIONS } from "../../ui/submission-status";
import { hasDates, type SubmissionFilter, submissionList } from "../definition";

const ANY_STATUS = [{ value: "", label: "All" }, ...STATUS_OPTIONS];

type SubmissionFiltersProps = { filter: SubmissionFilter; size: PageSize };

/** Everything the list can be narrowed by. A GET form: what it shows is its address. */
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
    <FilterForm label="Submissions" action={submissionList.path} values={values}>
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      {filter.recent ? <input type="hidden" name="filter" value="recent" /> : null}
      <Field name="q" label="Search name, email, company">
        <Input type="search" maxLength={SEARCH_MAX} autoComplete="off" inputMode="search" defaultValue={values.q} />
      </Field>
      <Field name="status" id="filter-status" label="Status">
        <Select options={ANY_STATUS} defaultValue={values.status} />
      </Field>
      <Field name="sort" label="Order">
        <Select options={submissionList.sortOptions(filter)} defaultValue={values.sort} />
      </Field>
      <Field name="size" label="Page">
        <Select options={PAGE_SIZE_OPTIONS} defaultValue={values.size} />
      </Field>
      <Dates filter={filter} key={`${filter.from} ${filter.to} ${filter.recent}`} />
      <Actions dense>
        <Button type="submit" variant="quiet">
          Search
        </Button>
        {submissionList.isNarrowed(filter) ? (
          <LinkButton variant="ghost" to={submissionList.path}>
            Clear filters
          </LinkButton>
        ) : null}
      </Actions>
    </FilterForm>
  );
}

/** Two days, both inclusive. The mark on its button is said in words too. */
function Dates({ filter }: { filter: SubmissionFilter }) {
  const active = hasDates(filter);
  const backwards = isBackwards(filter);
  const without = submissionList.pathTo({ ...filter, recent: false, from: null, to: null });
  return (
    <details className="relative @max-medium:flex-[1_1_40%]" open={backwards || undefined}>
      <summary
        className={cx(
          buttonLook({ variant: "quiet" }),
          "@max-medium:w-full list-none [&::-webkit-details-marker]:hidden",
        )}
      >
        Dates
        {active ? (
          <span className="before:ms-[0.4em] before:me-[0.15em] before:inline-block before:size-[0.55em] before:rounded-full before:bg-brand before:content-['']">
            {" (on)"}
          </span>
        ) : null}
      </summary>
      <div className="floating absolute right-0 z-3 mt-[0.4rem] grid @max-medium:w-[calc(100cqw-2rem)] w-[min(17rem,100vw-2rem)] gap-3 rounded-3 border border-line-strong bg-raised p-4">
        {filter.recent ? (
          <p className="text-ink-2 text-sm">The last 7 days. Dates chosen here take their place.</p>
        ) : null}
        <Field name="from" label="From Date" error={submissionList.impossible?.(filter) ?? undefined}>
          <Input type="date" autoComplete="off" defaultValue={filter.from ?? ""} />
        </Field>
        <Field name="to" label="To Date">
          <Input type="date" autoComplete="off" defaultValue={filter.to ?? ""} />
        </Field>
        <Actions dense>
          <Button type="submit" size="sm">
            Apply Filter
          </Button>
          {active ? <Link to={without}>Clear</Link> : null}
        </Actions>
      </div>
    </details>
  );
}
