import { cx } from "../cx";
import { namedUtilities } from "./named-utilities";

export default namedUtilities({
  // A filter that is set.
  "filter-chip": cx(
    "inline-flex min-h-7 max-w-full items-center gap-[0.35rem] rounded-2 border border-control bg-sheet",
    "py-[0.1rem] pr-[0.3rem] pl-[0.6rem] text-ink text-xs no-underline hover:border-ink hover:line-through",
    "max-md:min-h-9",
  ),
  "list-foot": cx(
    "flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 text-ink-2 text-xs print:hidden [&_a]:inline-grid",
    "[&_a]:min-h-6 [&_a]:min-w-6 [&_a]:place-items-center max-md:[&_a]:min-h-11 max-md:[&_a]:min-w-11",
    "[&_a]:current:font-semibold [&_a]:current:text-ink [&_a]:current:no-underline",
  ),
  "details-panel": cx(
    "floating absolute top-full right-0 z-5 mt-1 grid w-[min(20rem,100vw-2rem)] gap-3 rounded-3 border",
    "border-line-strong bg-raised p-4 max-md:static max-md:w-full",
  ),
  // What a list's forms say, and the bar for selected rows. It stays in sight, because the row that was pressed may
  // stand anywhere on the page; on a low page it would cover the rows.
  "list-dock": cx(
    "bottom-0 z-4 print:hidden [&>form:first-of-type>[role=alert]]:m-0 [@media(height>=32rem)]:sticky",
    "[&>form:first-of-type>[role=alert]]:border-t-2 [&>form:first-of-type>[role=alert]]:border-t-danger",
    "[&>form:first-of-type>[role=alert]]:bg-raised [&>form:first-of-type>[role=alert]]:px-3",
    "[&>form:first-of-type>[role=alert]]:py-2 [&>form:first-of-type>[role=alert]]:ring-1",
    "[&>form:first-of-type>[role=alert]]:ring-line-strong",
  ),
});
