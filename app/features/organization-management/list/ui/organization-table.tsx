import { PLAN_LABELS } from "~/features/organizations/model";
import { organizationPath } from "~/features/organizations/subject";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { deletionPath, EDIT_FRAGMENT } from "../../addresses";
import { NEEDS_REVIEW } from "../../copy";
import type { ListedOrganization } from "../../model";
import { type OrganizationFilter, organizationList } from "../definition";

/** Tells which actions the rows offer. */
type Permissions = { edit: boolean; delete: boolean };

/** Shows the list of organizations; each row opens the page of one. */
export function OrganizationTable(
  props: ListTableProps<ListedOrganization, OrganizationFilter> & { may: Permissions },
) {
  return (
    <ListTable
      {...props}
      definition={organizationList}
      look="rows-of-organizations"
      columns={(shown) => columns(shown, props.may)}
    />
  );
}

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
  { label: "Plan", width: "w-[5.5rem]", cell: ({ plan }) => PLAN_LABELS[plan] },
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
          href={organizationPath(id) + (may.edit ? EDIT_FRAGMENT : "")}
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

/** Shows a number: in a table alone, in a card with what it counts. */
function Figure({ value, one, many = `${one}s`, marked }: FigureProps) {
  return (
    <>
      <b data-some={marked && value > 0 ? "" : undefined}>{value.toLocaleString("en-US")}</b>
      <span> {value === 1 ? one : many}</span>
    </>
  );
}
