import type { PageSize } from "~/lists/page-size";
import { ListPanel } from "~/lists/ui/list-panel";
import { ListTabs } from "~/ui/list-tabs";
import { NEEDS_REVIEW, NONE_CREATED, NONE_FOUND, TRY_OTHER_TERMS } from "../../copy";
import type { OrganizationListRead } from "../../model";
import { type OrganizationFilter, organizationList } from "../definition";
import { OrganizationFilters, OrganizationStatCards } from "./organization-filters";
import { OrganizationTable } from "./organization-table";

type OrganizationListPanelProps = {
  list: OrganizationListRead;
  filter: OrganizationFilter;
  size: PageSize;
  may: { edit: boolean; delete: boolean };
};

const UNFILTERED = organizationList.readFilter(new URLSearchParams());

/** Shows the list with everything around it: figures, filters, rows, links to the neighbouring pages. */
export function OrganizationListPanel({ list, filter, size, may }: OrganizationListPanelProps) {
  const { figures } = list;
  const tabs = (
    <ListTabs
      label="Lists of organizations"
      items={[
        {
          to: organizationList.pathTo(UNFILTERED),
          label: "All",
          count: figures.organizations,
          current: !filter.toReview,
        },
        {
          to: organizationList.pathTo({ ...UNFILTERED, toReview: true }),
          label: NEEDS_REVIEW,
          count: figures.toReview,
          current: filter.toReview,
        },
      ]}
    />
  );
  const filters = (
    <>
      {figures.toReview === 0 && !filter.toReview ? null : tabs}
      <OrganizationFilters filter={filter} size={size} />
    </>
  );
  return (
    <>
      <OrganizationStatCards figures={figures} />
      <ListPanel
        definition={organizationList}
        list={list}
        filter={filter}
        size={size}
        filters={filters}
        empty={{ title: NONE_FOUND, body: NONE_CREATED }}
        noMatch={{ body: TRY_OTHER_TERMS }}
      >
        <OrganizationTable list={list} filter={filter} size={size} may={may} />
      </ListPanel>
    </>
  );
}
