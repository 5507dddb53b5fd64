import type { ReactNode } from "react";
import { TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import { TICKET_PRIORITIES, TICKET_STATUSES } from "~/features/tickets/model";
import { PriorityBadge, STATUS_TONES } from "~/features/tickets/ui/badges";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";
import { Box, EmptyState } from "~/ui/page";
import { TONES, ToneIcon } from "~/ui/status-pill";
import { counted, inWords, METRIC_DEFINITIONS, NO_DATA, partInWords, shareInWords, timeInWords } from "./labels";
import type { Metrics } from "./model";
import { rowsPath } from "./paths";

/** Describes a column. `hasPoint`: its numbers have decimals; digits of equal width would set the point apart. */
type SmallColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  isText?: boolean;
  hasPoint?: boolean;
};

type SmallTableProps<Row> = {
  caption: ReactNode;
  note?: ReactNode;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  hasSum?: boolean;
};

/** Shows the numbers of a chart as a table. The first column names the row; numbers stand at the right. */
export function SmallTable<Row>({ caption, note, columns, rows, rowKey, hasSum = false }: SmallTableProps<Row>) {
  const align = ({ isText }: SmallColumn<Row>, index: number) => (isText || index === 0 ? "text-left" : "text-right");
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-sm [&_tbody_th]:border-line [&_tbody_th]:border-t [&_td]:border-line [&_td]:border-t [&_td]:px-4 [&_td]:py-2 [&_th]:px-4 [&_th]:py-2">
        <caption className="px-4 pt-3 pb-2 text-left font-semibold text-ink text-md">
          {caption}
          {note ? <small className="block font-normal text-ink-2 text-xs">{note}</small> : null}
        </caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.label}
                scope="col"
                className={cx("font-semibold text-ink-2 text-xs", align(column, index))}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={hasSum ? "[&>tr:last-child]:font-semibold" : undefined}>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" className="text-left [font-weight:inherit]">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.label} className={cx(align(column, index), !column.hasPoint && "tabular-nums")}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const PRIORITIES = TICKET_PRIORITIES.toReversed();

export function OverviewPanel({ metrics }: { metrics: Metrics }) {
  const { from, to, created, byStatus, byPriority } = metrics;
  if (created === 0 && metrics.firstResponse.open.n === 0) return <EmptyState title={NO_DATA.tickets} />;
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
      <Box className="grid gap-6">
        <BarChart
          caption="Tickets by status"
          note={`${counted(created, "ticket")} created in the range, status now`}
          names={["Status", "Tickets"]}
          total={created}
          bars={TICKET_STATUSES.map((status) => ({
            key: status,
            label: (
              <span className="inline-flex items-center gap-[0.4rem]">
                <ToneIcon tone={STATUS_TONES[status]} />
                {TICKET_STATUS_LABELS[status]}
              </span>
            ),
            count: byStatus[status],
            to: rowsPath({ of: "created", from, to, status }),
            color: TONES[STATUS_TONES[status]].dot,
          }))}
        />
        <BarChart
          caption="Tickets by priority"
          note={METRIC_DEFINITIONS.byPriority}
          names={["Priority", "Tickets"]}
          total={created}
          hasTable
          bars={PRIORITIES.map((priority) => ({
            key: priority,
            label: <PriorityBadge priority={priority} />,
            count: byPriority[priority].created,
            to: rowsPath({ of: "created", from, to, priority }),
          }))}
        />
      </Box>
      <div className="rounded-3 border border-line bg-sheet">
        <PriorityTable metrics={metrics} />
      </div>
    </div>
  );
}

function PriorityTable({ metrics }: { metrics: Metrics }) {
  const { from, to, byPriority, created, firstResponse, firstReplyTargets } = metrics;
  const rows = [
    ...PRIORITIES.map((priority) => ({ priority, ...byPriority[priority] })),
    { priority: null, created, firstResponse: firstResponse.open, promises: firstReplyTargets },
  ];
  return (
    <SmallTable
      caption="First reply and promise, by priority"
      note={`${counted(firstResponse.open.n, "answered ticket")}, in open hours; priority as first chosen`}
      hasSum
      rows={rows}
      rowKey={({ priority }) => priority ?? "all"}
      columns={[
        { label: "Priority", cell: ({ priority }) => (priority ? <PriorityBadge priority={priority} /> : "All") },
        {
          label: "Tickets",
          cell: ({ priority, created: count }) => (
            <Link to={rowsPath({ of: "created", from, to, priority })}>{inWords(count)}</Link>
          ),
        },
        {
          label: "First reply, median",
          hasPoint: true,
          cell: ({ priority, firstResponse: { median, n } }) =>
            n === 0 ? (
              timeInWords(null)
            ) : (
              <Link to={rowsPath({ of: "answered", from, to, priority })}>{timeInWords(median)}</Link>
            ),
        },
        {
          label: "In promise",
          cell: ({ priority, promises: { kept, missed } }) =>
            kept + missed === 0 ? (
              timeInWords(null)
            ) : (
              <Link
                to={rowsPath({ of: missed > 0 ? "missed" : "kept", from, to, priority, promise: "first_response" })}
              >
                {partInWords({ part: kept, n: kept + missed })}
              </Link>
            ),
        },
      ]}
    />
  );
}

type BarChartProps = {
  caption: string;
  note: string;
  names: readonly [bar: string, count: string];
  bars: readonly { key: string; label: ReactNode; count: number; to: string; color?: string }[];
  total: number;
  /** Tells whether a table beside it has the same numbers. */
  hasTable?: boolean;
};

export function BarChart({ caption, note, names, bars, total, hasTable = false }: BarChartProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <figure>
      <figcaption className="mb-2 font-semibold text-md">
        {caption}
        <small className="block font-normal text-ink-2 text-xs">{note}</small>
      </figcaption>
      <ul className="grid grid-cols-[minmax(0,max-content)_minmax(2rem,1fr)_minmax(0,max-content)] items-center gap-x-3 gap-y-1 text-sm">
        {bars.map(({ key, label, count, to, color }) => (
          <li key={key} className="col-span-full grid grid-cols-subgrid items-center">
            <span className="wrap-anywhere min-w-0">{label}</span>
            <svg
              className={`h-5 w-full ${color ?? "text-brand"}`}
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect width={count === 0 ? 0 : Math.max(0.6, (100 * count) / most)} height="10" fill="currentColor" />
            </svg>
            <span className="whitespace-nowrap text-right [font-variant-numeric:tabular-nums]">
              <Link to={to}>{inWords(count)}</Link>{" "}
              <span className="text-ink-3 text-xs">{total === 0 ? "" : shareInWords({ part: count, n: total })}</span>
            </span>
          </li>
        ))}
      </ul>
      {hasTable ? null : (
        <details className="mt-2 text-sm">
          <summary className="w-fit cursor-pointer text-link">Show as a table</summary>
          <SmallTable
            caption={caption}
            columns={[
              { label: names[0], cell: ({ label }) => label },
              { label: names[1], cell: ({ count }) => inWords(count) },
              { label: "Share", cell: ({ count }) => shareInWords({ part: count, n: total }) },
            ]}
            rows={bars}
            rowKey={({ key }) => key}
          />
        </details>
      )}
    </figure>
  );
}
