import { organizationPath } from "~/features/organizations/model";
import { useBrand } from "~/features/settings/brand";
import type { LoadedList, PageSize } from "~/lists/model";
import { ListFilters, ListPage, ListTable, type ShownRows } from "~/lists/ui/list-page";
import { ButtonRow, LinkButton } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";
import { SortField } from "~/ui/list-fields";
import { ListTabs } from "~/ui/list-tabs";
import type { RowColumn } from "~/ui/row-table";
import { StatCards } from "~/ui/stat-cards";
import { formatInstant } from "~/ui/text";
import { type OrganizationFilter, organizationList } from "./definition";
import { NEEDS_REVIEW, NO_ORGANIZATION_FOUND, NONE_CREATED, TRY_OTHER_TERMS } from "./labels";
import type { ListedOrganization, OrganizationCounts, OrganizationListRead } from "./model";
import { deletionPath, EDIT_QUERY, NEW_ORGANIZATION_PATH } from "./paths";

function OrganizationFilters({ filter, size }: { filter: OrganizationFilter; size: PageSize }) {
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

const UNFILTERED = organizationList.readFilter(new URLSearchParams());

function Tabs({ figures, isToReview }: { figures: OrganizationCounts; isToReview: boolean }) {
  return (
    <ListTabs
      label="Lists of organizations"
      items={[
        {
          to: organizationList.pathTo(UNFILTERED),
          label: "All",
          count: figures.organizations,
          current: !isToReview,
        },
        {
          to: organizationList.pathTo({ ...UNFILTERED, toReview: true }),
          label: NEEDS_REVIEW,
          count: figures.toReview,
          current: isToReview,
        },
      ]}
    />
  );
}

type LoadedOrganizations = LoadedList<OrganizationFilter, OrganizationListRead> & { may: Permissions };

export function OrganizationListPage({ loaded }: { loaded: LoadedOrganizations }) {
  const { list, filter, size, may } = loaded;
  const hasTabs = list && (list.figures.toReview > 0 || filter.toReview);
  const actions = (
    <ButtonRow dense>
      <ExportLink to={organizationList.exportPathTo(filter)} />
      <LinkButton to={NEW_ORGANIZATION_PATH}>New Organization</LinkButton>
    </ButtonRow>
  );
  return (
    <ListPage
      definition={organizationList}
      loaded={loaded}
      title="Organizations"
      actions={may.edit ? actions : undefined}
      above={list ? <OrganizationStatCards figures={list.figures} /> : null}
      filters={
        <>
          {hasTabs ? <Tabs figures={list.figures} isToReview={filter.toReview} /> : null}
          <OrganizationFilters filter={filter} size={size} />
        </>
      }
      empty={{ title: NO_ORGANIZATION_FOUND, body: NONE_CREATED }}
      noMatch={{ body: TRY_OTHER_TERMS }}
    >
      {(organizations) => (
        <ListTable
          {...{ filter, size }}
          list={organizations}
          definition={organizationList}
          layout="rows-of-organizations"
          columns={(shown) => columns(shown, may)}
        />
      )}
    </ListPage>
  );
}
