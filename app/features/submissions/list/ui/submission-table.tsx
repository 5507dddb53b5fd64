import { mailtoHref } from "~/lib/contact-links";
import { initialsOf } from "~/lib/initials";
import { selectionColumn } from "~/ui/bulk-bar";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { STATUS_LABELS } from "../../copy";
import { type ListedSubmission, SUBMISSION_STATUSES } from "../../model";
import { listedSubmissionPath } from "../../subject";

/** Names the form of the rows. */
export const ROWS_FORM = "rows";

type SubmissionTableProps = {
  rows: readonly ListedSubmission[];
  /** Id of the element that says how many rows there are. */
  labelledBy: string;
  zone: string;
  /** The query of the list, which its records keep for the way back. */
  query: string;
  /** Returns the sort link of a column's heading; undefined where the list cannot be sorted by it. */
  sortOf: (column: "submitted" | "name" | "status") => RowColumn<ListedSubmission>["sort"];
  /** What a row offers: a choice of its status, its release from review, or nothing. */
  offer: "status" | "release" | null;
  /** Checkboxes of a form that was refused, as they were posted. */
  selected: readonly string[];
  /** Ids of the row that is being saved, and of the one that was saved last. */
  sending: string | null;
  saved: string | null;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
};

/** Shows the list of submissions; each row can be selected, opened, and moved to another status. */
export function SubmissionTable({ rows, labelledBy, resetKey, ...rest }: SubmissionTableProps) {
  return (
    <RowTable
      labelledBy={labelledBy}
      look="submission-rows"
      columns={columns({ rows, ...rest })}
      rows={rows}
      rowKey={({ id }) => id}
      resetKey={resetKey}
    />
  );
}

const columns = ({
  rows,
  zone,
  query,
  sortOf,
  offer,
  selected,
  sending,
  saved,
}: Omit<SubmissionTableProps, "labelledBy" | "resetKey">): RowColumn<ListedSubmission>[] => [
  selectionColumn(({ name }) => name, selected),
  {
    label: "Name",
    header: true,
    sort: sortOf("name"),
    cell: ({ id, name, number }) => (
      <>
        <a href={listedSubmissionPath(id, query)}>{name}</a>
        <small>{number}</small>
      </>
    ),
  },
  {
    label: "Email",
    cell: ({ email, snippet }) => (
      <>
        <a href={mailtoHref(email)} title={email}>
          {email}
        </a>
        {snippet ? <small>{snippet}</small> : null}
      </>
    ),
  },
  { label: "Company", cell: ({ company }) => company ?? "—" },
  { label: "Phone", cell: ({ phone }) => phone ?? "—" },
  {
    label: "Status",
    sort: sortOf("status"),
    cell: (row) => {
      if (offer === "status") {
        const state = row.id === sending ? "sending" : row.id === saved ? "saved" : null;
        return <StatusChoice row={row} position={rows.indexOf(row)} state={state} />;
      }
      if (offer === "release") return <NotSpam row={row} />;
      return STATUS_LABELS[row.status];
    },
  },
  {
    label: "Submitted",
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

const STATUS_OPTIONS = SUBMISSION_STATUSES.map((status) => (
  <option key={status} value={status}>
    {STATUS_LABELS[status]}
  </option>
));

type StatusChoiceProps = { row: ListedSubmission; position: number; state: "sending" | "saved" | null };

/**
 * Offers the statuses of a row. The row tells what was changed by comparing with the option marked at rendering, so a
 * new value must be a new element. All selects have one name: the button posts which of them it is about.
 */
function StatusChoice({ row: { id, name, status }, position, state }: StatusChoiceProps) {
  return (
    <>
      <select key={status} form={ROWS_FORM} name="status" defaultValue={status} aria-label={`Status of ${name}`}>
        {STATUS_OPTIONS}
      </select>
      <button
        type="submit"
        form={ROWS_FORM}
        name="save"
        value={`${position}.${id}`}
        aria-label={`Save ${name}`}
        aria-disabled={state === "sending" || undefined}
      >
        Save
      </button>
      {state === "saved" ? <i>✓ Saved</i> : null}
    </>
  );
}

/** Releases a held submission without opening it. */
function NotSpam({ row: { id, name } }: { row: ListedSubmission }) {
  return (
    <button
      type="submit"
      form={ROWS_FORM}
      name="id"
      value={id}
      aria-label={`Not spam: ${name}`}
      className="w-auto! px-3!"
    >
      Not spam
    </button>
  );
}
