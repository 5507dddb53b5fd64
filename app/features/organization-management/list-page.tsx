import { organizationPath } from "~/features/organizations/model";
import { useBrand } from "~/features/settings/brand";
import type { PageSize } from "~/lists/model";
import { ListFilters, ListPanel, ListTable, type ShownRows } from "~/lists/ui/list-page";
import { SortField } from "~/ui/list-fields";
import { ListTabs } from "~/ui/list-tabs";
import type { RowColumn } from "~/ui/row-table";
import { StatCards } from "~/ui/stat-cards";
import { formatInstant } from "~/ui/text";
import { type OrganizationFilter, organizationList } from "./definition";
import { NEEDS_REVIEW, NO_ORGANIZATION_FOUND, NONE_CREATED, TRY_OTHER_TERMS } from "./labels";
import type { ListedOrganization, OrganizationCounts, OrganizationListRead } from "./model";
import { deletionPath, EDIT_QUERY } from "./paths";

export function OrganizationFilters({ filter, size }: { filter: OrganizationFilter; size: PageSize }) {
  return (
    <ListFilters
      definition={organizationList}
      label="Organizations"
      search="Search name, slug or description"
      filter={filter}
      size={size}
    >
      {filter.toReview ? <input type="hidden" name="view" value="review" /> : null}
      <SortField options={organizationList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

function OrganizationStatCards({ figures }: { figures: OrganizationCounts }) {
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

type Permissions = { edit: boolean; delete: boolean };

const PlanName = ({ plan }: Pick<ListedOrganization, "plan">) => useBrand().planNames[plan];

const columns = (
  { zone, sortOf }: ShownRows<ListedOrganization, "created" | "name">,
  may: Permissions,
): RowColumn<ListedOrganization>[] => [
  {
    label: "Name",
    width: "w-[21%]",
    header: true,
    sort: sortOf("name"),
    cell: ({ id, name, slug, needsReview }) => (
      <>
        <a href={organizationPath(id)}>{name}</a>
        <small>
          {needsReview ? <strong className="text-canary-ink">{NEEDS_REVIEW} </strong> : null}/{slug}
        </small>
      </>
    ),
  },
  { label: "Description", cell: ({ description }) => (description ? <p data-excerpt="">{description}</p> : "—") },
  { label: "Plan", width: "w-[5.5rem]", cell: ({ plan }) => <PlanName plan={plan} /> },
  { label: "Members", width: "w-[5.2rem] text-right", cell: ({ members }) => <Figure value={members} one="member" /> },
  { label: "Tickets", width: "w-[4.5rem] text-right", cell: ({ tickets }) => <Figure value={tickets} one="ticket" /> },
  {
    label: "Active",
    width: "w-[4.2rem] text-right",
    cell: ({ activeTickets }) => <Figure value={activeTickets} one="active" many="active" marked />,
  },
  {
    label: "Created",
    width: "w-[7.4rem]",
    sort: sortOf("created"),
    cell: ({ createdAt }) => (
      <time dateTime={new Date(createdAt).toISOString()}>{formatInstant(createdAt, zone, "date")}</time>
    ),
  },
  {
    label: "Actions",
    width: "w-[8rem]",
    controls: true,
    cell: ({ id, name }) => (
      <>
        <a
          href={organizationPath(id) + (may.edit ? EDIT_QUERY : "")}
          aria-label={`${may.edit ? "Edit" : "View"} ${name}`}
        >
          {may.edit ? "Edit" : "View"}
        </a>
        {may.delete ? (
          <a href={deletionPath(id)} aria-label={`Delete… ${name}`}>
            Delete…
          </a>
        ) : null}
      </>
    ),
  },
];

type FigureProps = { value: number; one: string; many?: string; marked?: boolean };

function Figure({ value, one, many = `${one}s`, marked }: FigureProps) {
  return (
    <>
      <b data-some={marked && value > 0 ? "" : undefined}>{value.toLocaleString("en-US")}</b>
      <span> {value === 1 ? one : many}</span>
    </>
  );
}

type OrganizationListPanelProps = {
  list: OrganizationListRead;
  filter: OrganizationFilter;
  size: PageSize;
  may: Permissions;
};

const UNFILTERED = organizationList.readFilter(new URLSearchParams());

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
        empty={{ title: NO_ORGANIZATION_FOUND, body: NONE_CREATED }}
        noMatch={{ body: TRY_OTHER_TERMS }}
      >
        <ListTable
          {...{ list, filter, size }}
          definition={organizationList}
          layout="rows-of-organizations"
          columns={(shown) => columns(shown, may)}
        />
      </ListPanel>
    </>
  );
}
