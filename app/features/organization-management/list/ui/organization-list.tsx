import { scanStopped } from "~/lists/copy";
import { showingText } from "~/lists/match-count";
import { type PageSize, sizeLinks, sizeParam } from "~/lists/page-size";
import { ListSummary } from "~/ui/filter-chips";
import { Notice } from "~/ui/flash";
import { ListFoot } from "~/ui/list-foot";
import { ListTabs } from "~/ui/list-tabs";
import { NoRows } from "~/ui/no-rows";
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

const CAPTION = "organizations-caption";
const UNFILTERED = organizationList.readFilter(new URLSearchParams());

/** Shows the list with everything around it: figures, filters, rows, links to the neighbouring pages. */
export function OrganizationListPanel({ list, filter, size, may }: OrganizationListPanelProps) {
  const { page, total, zone, figures } = list;
  const labels = organizationList.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const caption = showingText(page.rows.length, total, organizationList.noun);
  const chips = organizationList.chips(filter, sized);
  const clearTo = organizationList.isFiltered(filter) ? organizationList.pathTo(UNFILTERED, sized) : null;
  return (
    <>
      <OrganizationStatCards figures={figures} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {figures.toReview === 0 && !filter.toReview ? null : (
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
        )}
        <OrganizationFilters filter={filter} size={size} />
        <ListSummary
          id={CAPTION}
          caption={caption}
          isResult={page.rows.length > 0}
          chips={chips}
          clearTo={organizationList.pathTo(UNFILTERED, sized)}
        />
        {page.scanned ? (
          <Notice kind="info" message={scanStopped(page.scanned, organizationList.noun, labels)} />
        ) : null}
        {page.rows.length > 0 ? (
          <OrganizationTable
            rows={page.rows}
            labelledBy={CAPTION}
            zone={zone}
            sortOf={(column) => organizationList.sortLink(filter, column, sized)}
            may={may}
          />
        ) : (
          <NoRows
            empty={{ title: NONE_FOUND, body: NONE_CREATED }}
            noMatch={{ title: NONE_FOUND, body: organizationList.noMatchReason?.(filter) ?? TRY_OTHER_TERMS }}
            chips={chips}
            clearTo={clearTo}
          />
        )}
        <ListFoot
          caption={caption}
          sizes={sizeLinks(size, (param) => organizationList.pathTo(filter, { size: param }))}
          previousTo={page.previous && organizationList.pathTo(filter, { ...sized, before: page.previous })}
          nextTo={page.next && organizationList.pathTo(filter, { ...sized, after: page.next })}
          labels={labels}
        />
      </div>
    </>
  );
}
