import type { Instant } from "~/lib/time";
import { LinkButton } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Mono } from "~/ui/mono";
import { type Column, DataTable } from "~/ui/table";
import { Time } from "~/ui/time-ago";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { NONE_FOUND } from "../copy";
import type { SubmissionStatus } from "../model";
import { SubmissionStatusPill } from "./submission-status";

export type SubmissionRow = {
  id: string;
  /** As people quote it: "L-1001". */
  number: string;
  name: string;
  email: string;
  company: string | null;
  phone: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
};

type SubmissionTableProps = {
  rows: readonly SubmissionRow[];
  /** How many match the filter in all. */
  total: number;
  zone: string;
  /** Address of the unfiltered list while a filter is on; `null` while none is. */
  clearTo: string | null;
};

/** The list of submissions, newest first. */
export function SubmissionTable({ rows, total, zone, clearTo }: SubmissionTableProps) {
  return (
    <DataTable
      id="submissions"
      caption={`Showing ${rows.length.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} submissions`}
      columns={columns(zone)}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<NoSubmissions clearTo={clearTo} />}
    />
  );
}

const address = (row: SubmissionRow) => `/admin/submissions/${row.id}`;

const columns = (zone: string): Column<SubmissionRow>[] => [
  {
    label: "Name",
    header: true,
    wide: true,
    cell: (row) => (
      <>
        <Link to={address(row)}>{row.name}</Link>
        <Mono className="sub">{row.number}</Mono>
      </>
    ),
  },
  { label: "Email", wide: true, cell: (row) => <a href={`mailto:${row.email}`}>{row.email}</a> },
  { label: "Company", labelled: true, cell: (row) => row.company ?? "—" },
  { label: "Phone", labelled: true, keep: true, cell: (row) => row.phone ?? "—" },
  { label: "Status", labelled: true, cell: (row) => <SubmissionStatusPill status={row.status} /> },
  {
    label: "Submitted",
    labelled: true,
    keep: true,
    cell: (row) => <Time at={row.submittedAt} zone={zone} />,
  },
  {
    label: "Actions",
    wide: true,
    keep: true,
    cell: (row) => (
      <LinkButton variant="quiet" size="sm" to={address(row)}>
        View <VisuallyHidden>{row.name}</VisuallyHidden>
      </LinkButton>
    ),
  },
];

function NoSubmissions({ clearTo }: { clearTo: string | null }) {
  if (clearTo === null) {
    return <EmptyState title={NONE_FOUND} body="They arrive from the contact form." />;
  }
  return (
    <EmptyState
      title={NONE_FOUND}
      body="Nothing matches these filters."
      action={
        <LinkButton variant="quiet" to={clearTo}>
          Clear filters
        </LinkButton>
      }
    />
  );
}
