import { Link } from "./link";

type PaginationProps = {
  /** Addresses of the neighbouring pages; absent at the ends. */
  newerTo: string | null;
  olderTo: string | null;
};

/** Paging by key has no page numbers: there is a newer page, an older page, or neither. */
export function Pagination({ newerTo, olderTo }: PaginationProps) {
  if (!newerTo && !olderTo) return null;
  return (
    <nav className="pager" aria-label="Pagination">
      <span>
        {newerTo ? (
          <Link to={newerTo} rel="prev">
            Newer
          </Link>
        ) : null}
      </span>
      {olderTo ? (
        <Link to={olderTo} rel="next">
          Older
        </Link>
      ) : null}
    </nav>
  );
}
