import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon";
import { Link } from "./link";
import { VisuallyHidden } from "./visually-hidden";

type Chip = { label: string; to: string };

/** Shows each filter that is set as a link that removes just this one. */
export function FilterChips({ chips }: { chips: readonly Chip[] }) {
  return chips.map(({ label, to }) => (
    <Link key={label} className="filter-chip" to={to}>
      <VisuallyHidden>Remove filter: </VisuallyHidden>
      <span className="truncate">{label}</span>
      <Icon of={X} size="1rem" />
    </Link>
  ));
}

type ListSummaryProps = {
  id: string;
  /** "Showing 25 of 1,204 submissions". */
  caption: string;
  /** Marks the caption as what a search has found; not where a title says it. */
  isResult: boolean;
  chips: readonly Chip[];
  /** Address of the list without any filter. */
  clearTo: string;
  /** Further links, at the end of the line. */
  children?: ReactNode;
};

/** Shows in one line how many rows there are, and by which filters. */
export function ListSummary({ id, caption, isResult, chips, clearTo, children }: ListSummaryProps) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2 text-ink-2 text-xs">
      <p id={id} className={chips.length > 0 ? "max-md:w-full" : undefined} data-result={isResult ? "" : undefined}>
        {caption}
      </p>
      <span className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
        <FilterChips chips={chips} />
        {chips.length > 0 ? <Link to={clearTo}>Clear filters</Link> : null}
        {children}
      </span>
    </div>
  );
}
