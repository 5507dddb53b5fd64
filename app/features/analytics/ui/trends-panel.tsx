import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Box } from "~/ui/panel";
import { DEFINITIONS, NO_DATA, type Range } from "../definitions";
import type { FlowFigures } from "../model";
import { activeRowsPath, openRowsPath, rowsPath } from "../paths";
import { daysOf } from "../period";
import { inWords, monthInWords } from "../words";
import { SmallTable } from "./small-table";
import { TrendColumns } from "./trend-columns";

/** Shows what was created and resolved each month, as columns and as a table. */
export function TrendsPanel({ months, range }: { months: readonly FlowFigures[]; range: Range }) {
  const last = months.at(-1);
  if (!last || months.every(({ created, resolved }) => created + resolved === 0))
    return <EmptyState title={NO_DATA.tickets} />;
  const { from } = daysOf(range, last.to);
  const named = months.map((month) => ({
    ...month,
    label: monthInWords(month, last),
    isInRange: month.to >= from,
  }));
  const context = named.filter(({ isInRange }) => !isInRange).length;
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
      <Box>
        <figure>
          <figcaption className="font-semibold text-md">
            Created and resolved, by month
            <small className="block font-normal text-ink-2 text-xs">
              {shownInWords(named.length, context)} {DEFINITIONS.resolved}
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
            { label: "Month", cell: ({ label, isInRange }) => (isInRange ? <b>{label}</b> : label) },
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

/** Says which months are shown, and which of them are of the chosen range. */
function shownInWords(months: number, context: number): string {
  if (context === 0) return `The ${months} months of the chosen range.`;
  const inRange = months - context;
  return `The last ${months} months. The chosen range ${inRange === 1 ? "is in the marked one" : `touches the ${inRange} marked ones`}; the others are for comparison.`;
}
