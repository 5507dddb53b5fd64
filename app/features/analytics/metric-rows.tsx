import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { referenceNumber } from "~/lib/ids";
import { durationInWords } from "~/lib/time-labels";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { EmptyState } from "~/ui/page";
import { DataTable } from "~/ui/table";
import { Time } from "~/ui/text";
import { NO_ROWS, periodInWords, ROW_TITLES, TARGET_LABELS } from "./labels";
import type { MetricRow, MetricRows } from "./model";
import { type RowKind, type RowsAsked, rowsPath } from "./paths";

export function MetricRowTable({ asked, rows, next, zone }: MetricRows & { asked: RowsAsked; zone: string }) {
  return (
    <>
      <DataTable
        id="rows"
        caption={`${ROW_TITLES[asked.of]}${whenInWords(asked)}${filterInWords(asked)}`}
        rows={rows}
        rowKey={({ id }) => `fact_${id}`}
        columns={[
          {
            label: "Ticket",
            header: true,
            wide: true,
            cell: ({ number, title }) => (
              <Link to={`${STAFF_TICKETS_PATH}/${referenceNumber("ticket", number)}`}>
                {referenceNumber("ticket", number)} {title}
              </Link>
            ),
          },
          {
            label: "Organization",
            wide: true,
            cell: ({ organizationId, organization }) => (
              <Link to={`${ORGANIZATIONS_PATH}/${organizationId}`}>{organization}</Link>
            ),
          },
          { label: "Priority", labelled: true, cell: ({ priority }) => PRIORITY_LABELS[priority] },
          { label: "Status now", labelled: true, cell: ({ status }) => TICKET_STATUS_LABELS[status] },
          {
            label: "Time",
            labelled: true,
            noWrap: true,
            cell: ({ at }) => <Time at={at} zone={zone} mode="datetime" />,
          },
          { label: "Measured", labelled: true, cell: (row) => measuredInWords(asked.of, row) },
        ]}
        empty={<EmptyState title={NO_ROWS} />}
      />
      {next ? (
        <p>
          <LinkButton variant="quiet" to={`${rowsPath(asked)}&after=${encodeURIComponent(next)}`}>
            Earlier rows
          </LinkButton>
        </p>
      ) : null}
    </>
  );
}

/** Says of which days the rows are. What was open at the end of a day may have been created on any day before. */
const whenInWords = ({ of, from, to }: RowsAsked): string =>
  of === "open" ? ` of ${periodInWords({ from: to, to })}` : `, ${periodInWords({ from, to })}`;

function filterInWords({ priority, status, promise }: RowsAsked): string {
  const parts = [
    priority ? PRIORITY_LABELS[priority].toLowerCase() : null,
    status ? (status === "active" ? "active now" : `now ${TICKET_STATUS_LABELS[status].toLowerCase()}`) : null,
    promise ? "first replies" : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : `; ${parts.join(", ")}`;
}

function measuredInWords(of: RowKind, { openTime, totalTime, pausedTime, detail }: MetricRow): string {
  const [open, total, paused] = [openTime, totalTime, pausedTime].map((time) =>
    time === null ? "" : durationInWords(time),
  );
  switch (of) {
    case "answered":
      return `${open} in open hours, ${total} in all`;
    case "resolved":
      return pausedTime ? `after ${total}, ${paused} of it waiting for the client` : `after ${total}`;
    case "reopened":
      return `reopened after ${total}`;
    case "kept":
      return `${TARGET_LABELS[detail as keyof typeof TARGET_LABELS]}, after ${total}`;
    case "missed":
      return `${TARGET_LABELS[detail as keyof typeof TARGET_LABELS]}, ${totalTime === null ? "not answered when it fell due" : `late by ${total}`}`;
    default:
      return "";
  }
}
