import { selectionColumn } from "~/ui/bulk-bar";
import { cx } from "~/ui/cx";
import { choiceOfRows } from "~/ui/row-choice";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import type { SentRow } from "~/ui/use-sent-row";
import { STATUS_OPTIONS, UNASSIGNED } from "../../copy";
import { staffTicketPath } from "../../subject";
import { PriorityBadge } from "../../ui/badges";
import { FOUND_IN } from "../copy";
import { type ListedTicket, NOBODY, type StaffChoice } from "../model";

/** Names the forms that the choices of the rows belong to. */
export const STATUS_FORM = "statuses";
export const ASSIGNEE_FORM = "assignees";

type Options = readonly { value: string; label: string }[];

type TicketTableProps = {
  rows: readonly ListedTicket[];
  /** Id of the element that says how many rows there are. */
  labelledBy: string;
  zone: string;
  staff: readonly StaffChoice[];
  sortOf: (column: "created") => RowColumn<ListedTicket>["sort"];
  /** Checkboxes of a form that was rejected, as they were posted. */
  selected: readonly string[];
  statuses: SentRow;
  assignees: SentRow;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
};

/**
 * Says where the cells of a row stand if it is no line of a table, and which tone each status has. `nth-1:` is the
 * first cell, and so on, in the order of the columns.
 */
const PLACES = cx(
  "*:*:nth-1:[grid-area:check] *:*:nth-2:[grid-area:title] *:*:nth-3:[grid-area:client] *:*:nth-4:[grid-area:priority]",
  "*:*:nth-5:[grid-area:time] *:*:nth-6:[grid-area:status] *:*:nth-7:[grid-area:assignee]",

  // Two lines.
  "max-table:*:grid-cols-[auto_minmax(0,1.6fr)_minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-3",
  "max-table:*:[grid-template-areas:'check_title_client_status'_'check_title_priority_assignee'_'check_title_time_assignee']",
  "max-table:*:gap-y-0 max-table:*:py-[0.45rem] max-table:*:*:nth-6:before:left-2!",

  // A card.
  "max-lines:*:grid-cols-[auto_minmax(0,1fr)_auto] max-lines:*:gap-y-[0.25rem] max-lines:*:py-[0.7rem]",
  "max-lines:*:[grid-template-areas:'check_title_title'_'._client_priority'_'._time_status'_'._time_assignee']",

  // A card on a phone: what can be chosen has a line of its own, as wide as the card.
  "max-md:*:grid-cols-[auto_minmax(0,1fr)]",
  "max-md:*:[grid-template-areas:'check_title'_'._client'_'._priority'_'._time'_'._status'_'._assignee']",
  "max-md:row-idle-save:hidden max-md:*:*:nth-6:flex max-md:*:*:nth-7:flex max-md:[&_select]:flex-1",
  "max-md:[&_td>small]:ml-2 max-md:[&_td>small]:before:content-['·_']",

  // The number above the title, which may take two lines, and what was written below it.
  "[&_th_a]:whitespace-normal! [&_th_a]:line-clamp-2!",
  "[&_th>small+small]:font-sans [&_th>small]:mr-2 [&_th>small]:inline [&_th>span]:block [&_th>span]:truncate [&_th>span]:text-ink-2 [&_th>span]:text-xs",
  "*:*:nth-3:[&>a]:block *:*:nth-3:[&>a]:truncate max-table:*:*:nth-3:[&>a]:inline",

  // "In Progress" is the longest status.
  "[&_select]:w-33!",

  "[&_td:has([value^=in]:checked)]:tone-progress [&_td:has([value=resolved]:checked)]:tone-resolved",
  "[&_td:has([value^=waiting]:checked)]:tone-waiting [&_td:has([value=closed]:checked)]:tone-closed",

  // Paper has nothing to press.
  "print:*:*:nth-1:hidden",
);

/** Shows the list of tickets; each row can be selected, opened, assigned, and moved to another status. */
export function TicketTable({ rows, labelledBy, resetKey, staff, ...rest }: TicketTableProps) {
  return (
    <RowTable
      labelledBy={labelledBy}
      look={PLACES}
      columns={columns({ rows, people: peopleOf(staff), ...rest })}
      rows={rows}
      resetKey={resetKey}
    />
  );
}

const columns = ({
  rows,
  zone,
  people,
  sortOf,
  selected,
  statuses,
  assignees,
}: Omit<TicketTableProps, "labelledBy" | "resetKey" | "staff"> & { people: Options }): RowColumn<ListedTicket>[] => [
  selectionColumn(({ number }) => number, selected),
  {
    label: "Ticket",
    header: true,
    cell: ({ number, title, snippet, isPrivate, matched }) => (
      <>
        <small>{number}</small>
        {isPrivate ? <small>Private</small> : null}
        {matched ? <small>{FOUND_IN[matched]}</small> : null}
        <a href={staffTicketPath(number)}>{title}</a>
        {snippet ? <span>{snippet}</span> : null}
      </>
    ),
  },
  {
    label: "Organization",
    width: "w-[13%]",
    cell: ({ organization, organizationPath, creator }) => (
      <>
        {organizationPath ? <a href={organizationPath}>{organization}</a> : organization}
        <small>{creator}</small>
      </>
    ),
  },
  {
    label: "Priority",
    width: "w-[7.6rem]",
    cell: ({ priority, category }) => (
      <>
        <PriorityBadge priority={priority} />
        {category ? <small>{category}</small> : null}
      </>
    ),
  },
  {
    label: "Created",
    width: "w-[8.2rem]",
    sort: sortOf("created"),
    cell: ({ createdAt, due }) => (
      <>
        <time dateTime={new Date(createdAt).toISOString()}>{formatInstant(createdAt, zone, "short")}</time>
        {due ? <small data-late={due.isLate ? "" : undefined}>{due.words}</small> : null}
      </>
    ),
  },
  {
    label: "Status",
    width: "w-[13.4rem]",
    cell: choiceOfRows(rows, statuses, {
      ...{ form: STATUS_FORM, name: "status", label: "Status" },
      of: ({ number }) => number,
      value: ({ status }) => status,
      options: () => STATUS_OPTIONS,
    }),
  },
  {
    label: "Assigned to",
    width: "w-[13.4rem]",
    cell: choiceOfRows(rows, assignees, {
      ...{ form: ASSIGNEE_FORM, name: "assignee_id", label: "Assignee", isPlain: true },
      of: ({ number }) => number,
      value: ({ assigneeId }) => assigneeId ?? NOBODY,
      options: (row) => assigneeOptions(people, row),
    }),
  },
];

/** Returns the people to whom a ticket can be assigned: the same options for all rows. */
const peopleOf = (staff: readonly StaffChoice[]): Options => [
  { value: NOBODY, label: UNASSIGNED },
  ...staff.map(({ id, name }) => ({ value: id, label: name })),
];

/** Adds who has a ticket, who may be no member of staff any more. */
function assigneeOptions(people: Options, { assigneeId, assignee }: ListedTicket): Options {
  if (assigneeId === null || people.some(({ value }) => value === assigneeId)) return people;
  return [...people, { value: assigneeId, label: assignee ?? "Former member" }];
}
