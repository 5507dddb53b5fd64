import { mailtoHref } from "~/lib/contact-links";
import { NO_MATCH } from "~/lists/copy";
import { selectionColumn } from "~/ui/bulk-bar";
import { Button, LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Form } from "~/ui/form";
import { InlineSelect } from "~/ui/inline-select";
import { Link } from "~/ui/link";
import { NoRows } from "~/ui/no-rows";
import { CLIPPED, type Column, DataTable } from "~/ui/table";
import { Time } from "~/ui/time";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { NONE_FOUND } from "../../copy";
import type { ListedSubmission } from "../../model";
import { submissionPath } from "../../subject";
import { STATUS_LOOK, STATUS_OPTIONS, SubmissionStatusPill } from "../../ui/submission-status";

type SubmissionTableProps = {
  rows: readonly ListedSubmission[];
  /** "Showing 25 of 1,204 submissions". */
  caption: string;
  zone: string;
  /** Returns the sort link of a column's heading; undefined where the list cannot be sorted by it. */
  sortOf: (column: "submitted" | "name" | "status") => Column<ListedSubmission>["sort"];
  /** Address of the unfiltered list if a filter is set, otherwise `null`. */
  clearTo: string | null;
  /** Says why no row can match the filter; `null` if there is no such reason. */
  reason: string | null;
  /** Token of the forms in the rows; `null` where the viewer may not change the status. */
  statusToken: string | null;
  /** Token of the "Not spam" forms in the rows; `null` where the rows have none. */
  releaseToken: string | null;
  /** Checkboxes of a form that was refused, as they were posted. */
  selected: readonly string[];
  /** The list's own address, to return to. */
  path: string;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
};

/** Shows the list of submissions; each row can be selected, opened, and moved to another status. */
export function SubmissionTable(props: SubmissionTableProps) {
  const { rows, caption, clearTo, reason, resetKey } = props;
  return (
    <DataTable
      id="submissions"
      caption={caption}
      columns={columns(props)}
      rows={rows}
      rowKey={(row) => row.id}
      resetKey={resetKey}
      empty={
        <NoRows
          empty={{ title: NONE_FOUND, body: "They arrive from the contact form." }}
          noMatch={{ title: NONE_FOUND, body: reason ?? NO_MATCH }}
          clearTo={clearTo}
        />
      }
    />
  );
}

const rowForm = (row: ListedSubmission) => `status-${row.id}`;

const columns = ({
  zone,
  sortOf,
  statusToken,
  releaseToken,
  selected,
  path,
}: SubmissionTableProps): Column<ListedSubmission>[] => [
  selectionColumn(({ name }) => name, selected),
  {
    label: "Name",
    header: true,
    wide: true,
    sort: sortOf("name"),
    cell: (row) => (
      <>
        <Link className={CLIPPED} to={submissionPath(row.id)}>
          {row.name}
        </Link>
        <span className="block font-medium font-mono text-ink-3 text-xs/[1.4]">{row.number}</span>
      </>
    ),
  },
  { label: "Email", wide: true, cell: (row) => <Address email={row.email} /> },
  { label: "Company", labelled: true, cell: (row) => <span className={CLIPPED}>{row.company ?? "—"}</span> },
  { label: "Phone", labelled: true, cell: (row) => <Phone number={row.phone ?? "—"} /> },
  {
    label: "Status",
    labelled: true,
    sort: sortOf("status"),
    cell: (row) => (statusToken ? <StatusSelect row={row} /> : <SubmissionStatusPill status={row.status} />),
  },
  {
    label: "Submitted",
    labelled: true,
    noWrap: true,
    sort: sortOf("submitted"),
    cell: (row) => (
      <>
        <Time at={row.submittedAt} zone={zone} mode="date" />
        <span className="block text-ink-3 text-xs">
          <Time at={row.submittedAt} zone={zone} mode="time" />
        </span>
      </>
    ),
  },
  {
    label: "Actions",
    wide: true,
    noWrap: true,
    cell: (row) => (
      <ButtonRow dense>
        <LinkButton variant="quiet" size="sm" to={submissionPath(row.id)}>
          View <VisuallyHidden>{row.name}</VisuallyHidden>
        </LinkButton>
        {statusToken ? <SaveStatus row={row} token={statusToken} path={path} /> : null}
        {releaseToken ? <NotSpam row={row} token={releaseToken} path={path} /> : null}
      </ButtonRow>
    ),
  },
];

/** Shows a phone number on one line, unless somebody typed much more than a number. */
const Phone = ({ number }: { number: string }) => (
  <span className={number.length > 18 ? CLIPPED : "whitespace-nowrap"}>{number}</span>
);

/** Shows an email address, which breaks before its domain if it is too long for the line. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf("@");
  return (
    <a className={CLIPPED} href={mailtoHref(email)}>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </a>
  );
}

function StatusSelect({ row }: { row: ListedSubmission }) {
  return (
    <InlineSelect
      tone={STATUS_LOOK[row.status].tone}
      options={STATUS_OPTIONS}
      defaultValue={row.status}
      name="status"
      form={rowForm(row)}
      aria-label={`Status of ${row.name}`}
    />
  );
}

/** Posts the status that is set in a row. Its button shows once the status differs from the stored one. */
function SaveStatus({ row, token, path }: { row: ListedSubmission; token: string; path: string }) {
  return (
    <Form id={rowForm(row)} action={path} token={token}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="return_to" value={path} />
      <Button
        size="xs"
        className="not-focus:not-in-[tr:has(option:checked:not([selected]))]:hidden"
        type="submit"
        name="intent"
        value="status"
      >
        Save <VisuallyHidden>status of {row.name}</VisuallyHidden>
      </Button>
    </Form>
  );
}

/** Releases a held submission without opening it. */
function NotSpam({ row, token, path }: { row: ListedSubmission; token: string; path: string }) {
  return (
    <Form action={path} token={token}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="return_to" value={path} />
      <Button size="sm" type="submit" name="intent" value="release">
        Not spam<VisuallyHidden>: {row.name}</VisuallyHidden>
      </Button>
    </Form>
  );
}
