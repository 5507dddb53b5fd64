import { FORMER_MEMBER } from "~/lib/person-name";
import { selectionColumn } from "~/ui/bulk-bar";
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
  /** Holds the id of the element that says how many rows there are. */
  labelledBy: string;
  zone: string;
  staff: readonly StaffChoice[];
  sortOf: (column: "created") => RowColumn<ListedTicket>["sort"];
  /** Holds the checkboxes of a form that was rejected, as they were posted. */
  selected: readonly string[];
  statuses: SentRow;
  assignees: SentRow;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
};

/** Shows the list of tickets; each row can be selected, opened, assigned, and moved to another status. */
export function TicketTable({ rows, labelledBy, resetKey, staff, ...rest }: TicketTableProps) {
  return (
    <RowTable
      labelledBy={labelledBy}
      look="rows-of-tickets"
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
    width: "w-[8.4rem]",
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
      form: STATUS_FORM,
      name: "status",
      label: "Status",
      of: ({ number }) => number,
      value: ({ status }) => status,
      options: () => STATUS_OPTIONS,
    }),
  },
  {
    label: "Assigned to",
    width: "w-[13.4rem]",
    cell: choiceOfRows(rows, assignees, {
      form: ASSIGNEE_FORM,
      name: "assignee_id",
      label: "Assignee",
      isPlain: true,
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
function assigneeOptions(people: Options, { assigneeId, formerAssignee }: ListedTicket): Options {
  if (assigneeId === null || people.some(({ value }) => value === assigneeId)) return people;
  return [...people, { value: assigneeId, label: formerAssignee ?? FORMER_MEMBER }];
}
