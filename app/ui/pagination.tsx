import { Link } from "./link";

type PaginationProps = {
  /** Addresses of the neighbouring pages; `null` at the ends. */
  previousTo: string | null;
  nextTo: string | null;
  /** Texts of the two links. Absent: those of a list that begins with the newest. */
  labels?: { previous: string; next: string };
};

const NEWEST_FIRST = { previous: "Newer", next: "Older" };

/** Links to the previous and the next page. Paging by key has no page numbers. */
export function Pagination({ previousTo, nextTo, labels = NEWEST_FIRST }: PaginationProps) {
  if (!previousTo && !nextTo) return null;
  return (
    <nav
      className="flex items-center justify-between gap-4 pt-[0.9rem] text-ink-2 print:hidden"
      aria-label="Pagination"
    >
      <span>
        {previousTo ? (
          <Link to={previousTo} rel="prev">
            {labels.previous}
          </Link>
        ) : null}
      </span>
      {nextTo ? (
        <Link to={nextTo} rel="next">
          {labels.next}
        </Link>
      ) : null}
    </nav>
  );
}
