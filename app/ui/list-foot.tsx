import { Link } from "./link";

type ListFootProps = {
  /** "Showing 25 of 1,204 submissions". */
  caption: string;
  /** Sizes that a page may have, with their addresses. */
  sizes: readonly { size: number; to: string; current: boolean }[];
  /** Addresses of the neighbouring pages; `null` at the ends. */
  previousTo: string | null;
  nextTo: string | null;
  /** Texts of the two links. */
  labels: { previous: string; next: string };
};

/**
 * Shows below a list how many rows there are, how many a page has, and the links to the previous and the next page.
 * Paging by key has no page numbers.
 */
export function ListFoot({ caption, sizes, previousTo, nextTo, labels }: ListFootProps) {
  return (
    <nav className="list-foot" aria-label="Pagination">
      <span>{caption}</span>
      <span className="print:hidden">
        Rows per page:{" "}
        {sizes.map(({ size, to, current }) => (
          <Link
            key={size}
            className="current:font-semibold current:text-ink current:no-underline"
            to={to}
            aria-current={current ? "true" : undefined}
          >
            {size}
          </Link>
        ))}
      </span>
      <span className="ml-auto flex gap-4 text-sm print:hidden">
        {previousTo ? (
          <Link to={previousTo} rel="prev">
            {labels.previous}
          </Link>
        ) : null}
        {nextTo ? (
          <Link to={nextTo} rel="next">
            {labels.next}
          </Link>
        ) : null}
      </span>
    </nav>
  );
}
