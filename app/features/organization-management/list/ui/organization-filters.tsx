import { SEARCH_MAX } from "~/lists/fields";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { Filters } from "~/ui/filters";
import { SearchField, SortField } from "~/ui/list-fields";
import { StatCards } from "~/ui/stat-cards";
import type { OrganizationFigures } from "../../model";
import { type OrganizationFilter, organizationList } from "../definition";

type OrganizationFiltersProps = { filter: OrganizationFilter; size: PageSize };

/** Shows the filters of the list, as a GET form: its state is the address. */
export function OrganizationFilters({ filter, size }: OrganizationFiltersProps) {
  const values = { q: filter.q, sort: filter.sort };
  const sizeOf = sizeParam(size);
  return (
    <Filters label="Organizations" action={organizationList.path} values={values} defaults={organizationList.defaults}>
      {filter.toReview ? <input type="hidden" name="view" value="review" /> : null}
      {sizeOf ? <input type="hidden" name="size" value={sizeOf} /> : null}
      <SearchField label="Search name, slug or description" value={values.q} max={SEARCH_MAX} />
      <SortField options={organizationList.sortOptions(filter)} value={values.sort} />
    </Filters>
  );
}

export function OrganizationStatCards({ figures }: { figures: OrganizationFigures }) {
  return (
    <StatCards
      label="Organizations in numbers"
      items={[
        { label: "Total Organizations", value: figures.organizations },
        { label: "Total Members", value: figures.members },
        { label: "Total Tickets", value: figures.tickets },
        { label: "Active Tickets", value: figures.activeTickets },
      ]}
    />
  );
}
