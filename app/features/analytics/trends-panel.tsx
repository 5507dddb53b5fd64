import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "~/ui/link";
import { Box, EmptyState } from "~/ui/page";
import { inWords, METRIC_DEFINITIONS, monthInWords, NO_DATA } from "./labels";
import { daysOfRange, type MonthMetrics, type NamedMonth, type Range } from "./model";
import { SmallTable } from "./overview-panel";
import { activeRowsPath, openRowsPath, rowsPath } from "./paths";

export function TrendsPanel({ months, range }: { months: readonly MonthMetrics[]; range: Range }) {
  const last = months.at(-1);
  if (!last || months.every(({ created, resolved }) => created + resolved === 0))
    return <EmptyState title={NO_DATA.tickets} />;
  const { from } = daysOfRange(range, last.to);
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
              {shownInWords(named.length, context)} {METRIC_DEFINITIONS.resolved}
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

function shownInWords(months: number, context: number): string {
  if (context === 0) return `The ${months} months of the chosen range.`;
  const inRange = months - context;
  return `The last ${months} months. The chosen range ${inRange === 1 ? "is in the marked one" : `touches the ${inRange} marked ones`}; the others are for comparison.`;
}

/** Loads as a script of its own, with the library that draws it: only this part of this page asks for it. */
const TrendChart = lazy(() => import("./trend-chart.client"));

const HEIGHT = 200;
const LABELS = 24;
const GROUP = 80;
const COLUMN = 30;
const TOP = 20;

/** Shows pairs of columns: created in one colour, resolved in another and hatched, each with its number. */
function TrendColumns({ months }: { months: readonly NamedMonth[] }) {
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  const drawing = <Drawing months={months} />;
  return (
    <>
      <p className="my-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <Legend fill="fill-brand" label="Created" />
        <Legend fill="fill-[url(#hatched)]" label="Resolved" />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="overflow-x-auto" aria-label="Created and resolved, by month" tabIndex={0}>
        <Hatch />
        {/* The table beside it has the same numbers. */}
        <div className="min-w-[26rem]" aria-hidden="true">
          {isInBrowser ? (
            <Suspense fallback={drawing}>
              <TrendChart months={months} aspect={(GROUP * months.length) / (HEIGHT + LABELS)} />
            </Suspense>
          ) : (
            drawing
          )}
        </div>
      </section>
    </>
  );
}

function Drawing({ months }: { months: readonly NamedMonth[] }) {
  const most = Math.max(1, ...months.flatMap(({ created, resolved }) => [created, resolved]));
  const heightOf = (count: number) => ((HEIGHT - TOP) * count) / most;
  return (
    <svg
      className="w-full"
      viewBox={`0 0 ${GROUP * months.length} ${HEIGHT + LABELS}`}
      aria-hidden="true"
      fontSize="12"
    >
      {months.map(({ from, label, created, resolved, isInRange }, index) => (
        <g key={from} transform={`translate(${GROUP * index} 0)`} textAnchor="middle">
          <Column x={8} count={created} height={heightOf(created)} fill={`fill-brand ${fade(isInRange)}`} />
          <Column
            x={10 + COLUMN}
            count={resolved}
            height={heightOf(resolved)}
            fill={`fill-[url(#hatched)] ${fade(isInRange)}`}
          />
          <text className={isInRange ? "fill-ink font-semibold" : "fill-ink-2"} x={9 + COLUMN} y={HEIGHT + 16}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}

const fade = (isInRange: boolean) => (isInRange ? "" : "opacity-45");

/** Draws the pattern of the second colour, which is told apart on paper too. */
const Hatch = () => (
  <svg className="absolute size-0" aria-hidden="true">
    <defs>
      <pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="fill-progress-tint" width="6" height="6" />
        <rect className="fill-progress-dot" width="3.5" height="6" />
      </pattern>
    </defs>
  </svg>
);

function Column({ x, count, height, fill }: { x: number; count: number; height: number; fill: string }) {
  return (
    <>
      <rect className={fill} x={x} y={HEIGHT - height} width={COLUMN} height={height} />
      <text className="fill-ink" x={x + COLUMN / 2} y={HEIGHT - height - 5}>
        {inWords(count)}
      </text>
    </>
  );
}

function Legend({ fill, label }: { fill: string; label: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg className="size-3" viewBox="0 0 12 12" aria-hidden="true">
        <rect className={fill} width="12" height="12" />
      </svg>
      {label}
    </span>
  );
}
