import { STATUS_LABELS } from "~/features/tickets/labels";
import { TICKET_PRIORITIES, TICKET_STATUSES } from "~/features/tickets/model";
import { PriorityBadge, STATUS_TONES } from "~/features/tickets/ui/badges";
import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Box } from "~/ui/panel";
import { TONES, ToneIcon } from "~/ui/status-pill";
import { DEFINITIONS, NO_DATA } from "../definitions";
import type { Figures } from "../model";
import { rowsPath } from "../paths";
import { counted, inWords, partInWords, timeInWords } from "../words";
import { BarChart } from "./bar-chart";
import { SmallTable } from "./small-table";

/** Lists the priorities, the most urgent first. */
const PRIORITIES = TICKET_PRIORITIES.toReversed();

/**
 * Shows what the tickets of the range are: by status and priority, and how soon those of each priority are answered.
 */
export function OverviewPanel({ figures }: { figures: Figures }) {
  const { from, to, created, byStatus, byPriority } = figures;
  if (created === 0 && figures.firstResponse.open.n === 0) return <EmptyState title={NO_DATA.tickets} />;
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
                {STATUS_LABELS[status]}
              </span>
            ),
            count: byStatus[status],
            to: rowsPath({ of: "created", from, to, status }),
            look: TONES[STATUS_TONES[status]].dot,
          }))}
        />
        <BarChart
          caption="Tickets by priority"
          note={DEFINITIONS.byPriority}
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
        <PriorityTable figures={figures} />
      </div>
    </div>
  );
}

/** Shows how soon first replies come, and whether as promised. */
function PriorityTable({ figures }: { figures: Figures }) {
  const { from, to, byPriority, created, firstResponse, firstPromises } = figures;
  const rows = [
    ...PRIORITIES.map((priority) => ({ priority, ...byPriority[priority] })),
    { priority: null, created, firstResponse: firstResponse.open, promises: firstPromises },
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
