import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { SortField } from "~/ui/list-fields";
import { StatCards } from "~/ui/stat-cards";
import type { OrganizationFigures } from "../../model";
import { type OrganizationFilter, organizationList } from "../definition";

type OrganizationFiltersProps = { filter: OrganizationFilter; size: PageSize };

export function OrganizationFilters({ filter, size }: OrganizationFiltersProps) {
  return (
    <ListFilters
      definition={organizationList}
      label="Organizations"
      search="Search name, slug or description"
      filter={filter}
      size={size}
      values={{ sort: filter.sort }}
    >
      {filter.toReview ? <input type="hidden" name="view" value="review" /> : null}
      <SortField options={organizationList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
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
