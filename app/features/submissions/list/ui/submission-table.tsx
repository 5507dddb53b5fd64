import { mailtoHref } from "~/lib/contact-links";
import { initialsOf } from "~/lib/initials";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { selectionColumn } from "~/ui/bulk-bar";
import { EmailText } from "~/ui/email-text";
import { choiceOfRows } from "~/ui/row-choice";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import type { SentRow } from "~/ui/use-sent-row";
import { STATUS_LABELS, STATUS_OPTIONS } from "../../copy";
import type { ListedSubmission } from "../../model";
import { listedSubmissionPath } from "../../subject";
import { type SubmissionFilter, submissionList } from "../definition";

/** Names the form of the rows. */
export const ROWS_FORM = "rows";

type RowOptions = {
  /** Holds what a row offers: a choice of its status, its release from review, or nothing. */
  offer: "status" | "release" | null;
  /** Holds the checkboxes of a form that was rejected, as they were posted. */
  selected: readonly string[];
  statuses: SentRow;
};

/** Shows the list of submissions; each row can be selected, opened, and moved to another status. */
export function SubmissionTable(props: ListTableProps<ListedSubmission, SubmissionFilter> & RowOptions) {
  return (
    <ListTable
      {...props}
      definition={submissionList}
      look="rows-of-submissions"
      columns={(shown) => columns(shown, props)}
    />
  );
}

const columns = (
  { rows, zone, query, sortOf }: ShownRows<ListedSubmission, "submitted" | "name" | "status">,
  { offer, selected, statuses }: RowOptions,
): RowColumn<ListedSubmission>[] => [
  selectionColumn(({ name }) => name, selected),
  {
    label: "Name",
    width: "w-[14.5%]",
    header: true,
    sort: sortOf("name"),
    cell: ({ id, name, number }) => (
      <>
        <a href={listedSubmissionPath(id, query)}>{name}</a>
        <small data-number="">{number}</small>
      </>
    ),
  },
  {
    label: "Email",
    cell: ({ email, snippet }) => (
      <>
        <a href={mailtoHref(email)}>
          <EmailText email={email} />
        </a>
        {snippet ? <small data-excerpt="">{snippet}</small> : null}
      </>
    ),
  },
  { label: "Company", width: "w-[9.5%]", cell: ({ company }) => company ?? "—" },
  { label: "Phone", width: "w-[6.75rem]", cell: ({ phone }) => phone ?? "—" },
  {
    label: "Status",
    width: "w-[12.6rem]",
    sort: sortOf("status"),
    cell:
      offer === "status"
        ? choiceOfRows(rows, statuses, {
            form: ROWS_FORM,
            name: "status",
            label: "Status",
            of: ({ name }) => name,
            value: ({ status }) => status,
            options: () => STATUS_OPTIONS,
          })
        : (row) => (offer === "release" ? <NotSpam row={row} /> : STATUS_LABELS[row.status]),
  },
  {
    label: "Submitted",
    width: "w-[8.8rem]",
    sort: sortOf("submitted"),
    cell: ({ submittedAt, due }) => (
      <>
        <time dateTime={new Date(submittedAt).toISOString()}>{formatInstant(submittedAt, zone, "short")}</time>
        {due ? <small data-late={due.isLate ? "" : undefined}>{due.words}</small> : null}
      </>
    ),
  },
  {
    label: "Actions",
    width: "w-[5.4rem]",
    controls: true,
    cell: ({ id, name, owner }) => (
      <>
        <span role="img" title={owner ? `Owner: ${owner}` : "No owner"}>
          {owner ? initialsOf(owner) : null}
        </span>
        <a href={listedSubmissionPath(id, query)} aria-label={`View ${name}`}>
          View
        </a>
      </>
    ),
  },
];

/** Releases a held submission without opening it. */
function NotSpam({ row: { id, name } }: { row: ListedSubmission }) {
  return (
    <button type="submit" form={ROWS_FORM} name="id" value={id} aria-label={`Not spam: ${name}`}>
      Not spam
    </button>
  );
}
