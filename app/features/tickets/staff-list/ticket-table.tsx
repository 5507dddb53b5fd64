import { FORMER_MEMBER } from "~/lib/names";
import { selectionColumn } from "~/ui/bulk-bar";
import { choiceOfRows } from "~/ui/row-choice";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import type { SentRow } from "~/ui/use-sent-row";
import { FOUND_IN, TICKET_STATUS_OPTIONS, UNASSIGNED } from "../labels";
import { staffTicketPath } from "../paths";
import { PriorityBadge } from "../ui/badges";
import { type ListedTicket, NOBODY, type StaffChoice } from "./definition";

export const STATUS_FORM = "statuses";
export const ASSIGNEE_FORM = "assignees";

type Options = readonly { value: string; label: string }[];

type TicketTableProps = {
  rows: readonly ListedTicket[];
  labelledBy: string;
  zone: string;
  query: string;
  /** Null: who they are could not be read, and nobody can be chosen. */
  staff: readonly StaffChoice[] | null;
  /** Holds the link of the column that says what is due; undefined where the filter does not allow that order. */
  sortByDue: RowColumn<ListedTicket>["sort"];
  selected: readonly string[];
  statuses: SentRow;
  assignees: SentRow;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
};

export function TicketTable({ rows, labelledBy, resetKey, staff, ...rest }: TicketTableProps) {
  return (
    <RowTable
      labelledBy={labelledBy}
      layout="rows-of-tickets"
      columns={columns({ rows, people: staff && peopleOf(staff), ...rest })}
      rows={rows}
      resetKey={resetKey}
    />
  );
}

const columns = ({
  rows,
  zone,
  query,
  people,
  sortByDue,
  selected,
  statuses,
  assignees,
}: Omit<TicketTableProps, "labelledBy" | "resetKey" | "staff"> & {
  people: Options | null;
}): RowColumn<ListedTicket>[] => [
  selectionColumn(({ number }) => number, selected),
  {
    label: "Due",
    width: "w-[9rem]",
    sort: sortByDue,
    cell: ({ due }) =>
      due ? (
        <>
          <span data-late={due.isLate ? "" : undefined}>{due.words}</span>
          {due.sla ? <small>{due.sla}</small> : null}
        </>
      ) : (
        "—"
      ),
  },
  {
    label: "Ticket",
    header: true,
    cell: ({
      number,
      oldNumber,
      title,
      snippet,
      isPrivate,
      matched,
      creator,
      organization,
      organizationPath,
      ...row
    }) => (
      <>
        <a href={query ? `${staffTicketPath(number)}?${query}` : staffTicketPath(number)}>{title}</a>
        <small>
          <span data-number="">{oldNumber === null ? number : `${number} (${oldNumber})`}</span>
          {creator}, {organizationPath ? <a href={organizationPath}>{organization}</a> : organization}
          {row.category ? `, ${row.category}` : null},{" "}
          <time dateTime={new Date(row.createdAt).toISOString()}>{formatInstant(row.createdAt, zone, "short")}</time>
          {isPrivate ? ". Private" : null}
          {matched ? `. ${FOUND_IN[matched]}` : null}
        </small>
        {snippet ? <small data-excerpt="">{snippet}</small> : null}
      </>
    ),
  },
  { label: "Priority", width: "w-[6.5rem]", cell: ({ priority }) => <PriorityBadge priority={priority} /> },
  {
    label: "Status",
    width: "w-[9.25rem]",
    cell: choiceOfRows(rows, statuses, {
      form: STATUS_FORM,
      name: "status",
      label: "Status",
      of: ({ number }) => number,
      value: ({ status }) => status,
      options: () => TICKET_STATUS_OPTIONS,
    }),
  },
  {
    label: "Assigned to",
    width: "w-[10.5rem]",
    cell: choiceOfRows(rows, assignees, {
      form: ASSIGNEE_FORM,
      name: "assignee_id",
      label: "Assignee",
      isPlain: true,
      isDisabled: people === null,
      of: ({ number }) => number,
      value: ({ assigneeId }) => assigneeId ?? NOBODY,
      options: (row) => assigneeOptions(people, row),
    }),
  },
];

const peopleOf = (staff: readonly StaffChoice[]): Options => [
  { value: NOBODY, label: UNASSIGNED },
  ...staff.map(({ id, name }) => ({ value: id, label: name })),
];

function assigneeOptions(people: Options | null, { assigneeId, formerAssignee }: ListedTicket): Options {
  const choices = people ?? peopleOf([]);
  if (assigneeId === null || choices.some(({ value }) => value === assigneeId)) return choices;
  return [...choices, { value: assigneeId, label: formerAssignee ?? FORMER_MEMBER }];
}
