import { Link } from "./link";

type PaginationProps = {
  /** Addresses of the neighbouring pages; absent at the ends. */
  newerTo: string | null;
  olderTo: string | null;
  /** What the two are called, where the list is not in the usual order. */
  labels?: { back: string; on: string };
};

const NEWEST_FIRST = { back: "Newer", on: "Older" };

/** Links to the newer and the older page. Paging by key has no page numbers. */
export function Pagination({ newerTo, olderTo, labels = NEWEST_FIRST }: PaginationProps) {
  if (!newerTo && !olderTo) return null;
  return (
    <nav
      className="flex items-center justify-between gap-4 pt-[0.9rem] text-ink-2 print:hidden"
      aria-label="Pagination"
    >
      <span>
        {newerTo ? (
          <Link to={newerTo} rel="prev">
            {labels.back}
          </Link>
        ) : null}
      </span>
      {olderTo ? (
        <Link to={olderTo} rel="next">
          {labels.on}
        </Link>
      ) : null}
    </nav>
  );
}
