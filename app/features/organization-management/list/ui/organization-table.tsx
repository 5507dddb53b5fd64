import { PLAN_LABELS } from "~/features/organizations/model";
import { organizationPath } from "~/features/organizations/subject";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { cx } from "~/ui/cx";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { deletionPath, EDIT_FRAGMENT } from "../../addresses";
import { NEEDS_REVIEW } from "../../copy";
import type { ListedOrganization } from "../../model";
import { type OrganizationFilter, organizationList } from "../definition";

/** Tells what the actions of a row are allowed to be. */
type Permissions = { edit: boolean; delete: boolean };

/**
 * Says where the cells of a row stand if it is no line of a table. `nth-1:` is the first cell, and so on, in the order
 * of the columns.
 */
const PLACES = cx(
  "[&_th>small]:font-sans!",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:text] *:*:nth-3:[grid-area:plan] *:*:nth-4:[grid-area:members]",
  "*:*:nth-5:[grid-area:tickets] *:*:nth-6:[grid-area:active] *:*:nth-7:[grid-area:time] *:*:nth-8:[grid-area:open]",
  "*:*:nth-8:[&>a]:mr-2 max-md:*:*:nth-8:[&>a]:inline-grid max-md:*:*:nth-8:[&>a]:min-h-11 max-md:*:*:nth-8:[&>a]:items-center",

  // In a table the figures stand below each other, and a description may take two lines.
  "table:*:*:nth-4:text-right table:*:*:nth-5:text-right table:*:*:nth-6:text-right [&_b]:tabular-nums",
  "table:[&_b+span]:sr-only [&_b[data-some]]:font-semibold [&_b]:font-normal",
  "table:*:*:nth-2:whitespace-normal table:[&_p]:line-clamp-2 [&_p]:text-ink-2 max-table:[&_p]:truncate",

  // Two lines, or a card.
  "max-table:*:grid-cols-[auto_auto_auto_auto_minmax(0,1fr)_auto]",
  "max-table:*:[grid-template-areas:'name_name_name_name_name_open'_'text_text_text_text_text_text'_'plan_members_tickets_active_time_time']",
  "max-table:*:items-baseline max-table:*:gap-x-4 max-table:*:gap-y-1 max-table:*:py-[0.6rem]",
  "max-table:*:*:nth-7:justify-self-end max-table:*:*:nth-3:text-ink-2",
  "max-md:*:grid-cols-[auto_minmax(0,1fr)_auto]",
  "max-md:*:[grid-template-areas:'name_name_open'_'text_text_text'_'plan_members_time'_'._tickets_active']",

  // Paper has nothing to press.
  "print:*:*:nth-8:hidden",
);

/** Shows the list of organizations; each row opens the page of one. */
export function OrganizationTable(
  props: ListTableProps<ListedOrganization, OrganizationFilter> & { may: Permissions },
) {
  return (
    <ListTable {...props} definition={organizationList} look={PLACES} columns={(shown) => columns(shown, props.may)} />
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
  { label: "Description", cell: ({ description }) => (description ? <p>{description}</p> : "—") },
  { label: "Plan", width: "w-[5.5rem]", cell: ({ plan }) => PLAN_LABELS[plan] },
  { label: "Members", width: "w-[5.2rem]", cell: ({ members }) => <Figure value={members} one="member" /> },
  { label: "Tickets", width: "w-[4.5rem]", cell: ({ tickets }) => <Figure value={tickets} one="ticket" /> },
  {
    label: "Active",
    width: "w-[4.2rem]",
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
    width: "w-[8rem] print:hidden",
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
