import type { ReactNode } from "react";
import { Link } from "~/ui/link";
import { inWords, shareInWords } from "../words";
import { SmallTable } from "./small-table";

type Bar = {
  key: string;
  label: ReactNode;
  count: number;
  /** Holds the address of the rows that it counts. */
  to: string;
  /** Holds the classes of its colour. */
  look?: string;
};

type BarChartProps = {
  caption: string;
  note: string;
  /** Names the columns of the table: what a bar is, and what it counts. */
  names: readonly [bar: string, count: string];
  bars: readonly Bar[];
  total: number;
  /** Tells whether a table beside it has the same numbers. */
  hasTable?: boolean;
};

/** Shows counts as bars, each with its number, which leads to its rows, and its share of the total. */
export function BarChart({ caption, note, names, bars, total, hasTable = false }: BarChartProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <figure>
      <figcaption className="mb-2 font-semibold text-md">
        {caption}
        <small className="block font-normal text-ink-2 text-xs">{note}</small>
      </figcaption>
      <ul className="grid grid-cols-[minmax(0,max-content)_minmax(2rem,1fr)_minmax(0,max-content)] items-center gap-x-3 gap-y-1 text-sm">
        {bars.map(({ key, label, count, to, look }) => (
          <li key={key} className="col-span-full grid grid-cols-subgrid items-center">
            <span className="wrap-anywhere min-w-0">{label}</span>
            <svg
              className={`h-5 w-full ${look ?? "text-brand"}`}
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
