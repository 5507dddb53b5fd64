import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Box } from "~/ui/panel";
import { DEFINITIONS, NO_DATA } from "../definitions";
import type { FlowFigures } from "../model";
import { activeRowsPath, openRowsPath, rowsPath } from "../paths";
import { inWords, monthInWords } from "../words";
import { SmallTable } from "./small-table";
import { TrendColumns } from "./trend-columns";

/** Shows what was created and resolved each month, as columns and as a table. */
export function TrendsPanel({ months }: { months: readonly FlowFigures[] }) {
  const last = months.at(-1);
  if (!last || months.every(({ created, resolved }) => created + resolved === 0))
    return <EmptyState title={NO_DATA.tickets} />;
  const named = months.map((month) => ({ ...month, label: monthInWords(month, last) }));
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
      <Box>
        <figure>
          <figcaption className="font-semibold text-md">
            Created and resolved, by month
            <small className="block font-normal text-ink-2 text-xs">
              {DEFINITIONS.resolved} Whatever range is chosen: the last {named.length} months.
            </small>
          </figcaption>
          <TrendColumns months={named} />
        </figure>
      </Box>
      <div className="rounded-3 border border-line bg-sheet">
        <SmallTable
          caption="The same as a table"
          rows={named}
          rowKey={({ from }) => from}
          columns={[
            { label: "Month", cell: ({ label }) => label },
            {
              label: "Created",
              cell: ({ from, to, created }) => (
                <Link to={rowsPath({ of: "created", from, to })}>{inWords(created)}</Link>
              ),
            },
            {
              label: "Resolved",
              cell: ({ from, to, resolved }) => (
                <Link to={rowsPath({ of: "resolved", from, to })}>{inWords(resolved)}</Link>
              ),
            },
            {
              label: "Open at the end",
              cell: ({ to, openAtEnd }) => (
                <Link to={to === last.to ? activeRowsPath({ to }) : openRowsPath({ to })}>{inWords(openAtEnd)}</Link>
              ),
            },
          ]}
        />
      </div>
    </div>
  );
}
