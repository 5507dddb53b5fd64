import type { ReactNode } from "react";
import { LinkButton } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { FilterChips } from "~/ui/filter-chips";
import { Notice } from "~/ui/flash";
import { Link } from "~/ui/link";
import { NO_MATCH, onlyNewest, scanStopped } from "../copy";
import type { FilterChip } from "../define-list";
import { ROWS_CAPTION, showingText } from "../match-count";
import type { ListRead } from "../model";
import { type PageSize, sizeLinks, sizeParam } from "../page-size";

type Params = Record<string, string | null>;

/** Describes what is used of the part of a list that browser and server share, as `defineList` returns it. */
type ShownList<Filter extends { sort: string }> = {
  noun: { many: string };
  readFilter: (params: URLSearchParams) => Filter;
  chips: (filter: Filter, extra?: Params) => FilterChip[];
  isFiltered: (filter: Filter) => boolean;
  pathTo: (filter: Filter, extra?: Params) => string;
  pageLabels: (sort: Filter["sort"]) => { previous: string; next: string };
  noMatchReason?: (filter: Filter) => string | null;
};

type Message = { title: string; body?: string; action?: ReactNode };

type ListPanelProps<Filter extends { sort: string }> = {
  definition: ShownList<Filter>;
  list: Pick<ListRead<unknown>, "page" | "total">;
  filter: Filter;
  size: PageSize;
  filters: ReactNode;
  /** Holds what "Clear filters" keeps, such as the view. */
  kept?: Partial<Filter>;
  /** Holds further links beside the filters that are set. */
  links?: ReactNode;
  /** Holds what is said above the rows. */
  notice?: ReactNode;
  /** Says that the list has no rows at all. */
  empty: Message;
  /** Says that no row matches the filter, where that is not said as in other lists. */
  noMatch?: Partial<Message>;
  children: ReactNode;
};

/**
 * Shows the rows of a list with everything around them: filters, how many rows there are and by which filters, links to
 * the neighbouring pages. Paging by key has no page numbers.
 */
export function ListPanel<Filter extends { sort: string }>(props: ListPanelProps<Filter>) {
  const { definition, list, filter, size } = props;
  const { page, total } = list;
  const labels = definition.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const to = (extra: Params) => definition.pathTo(filter, { ...sized, ...extra });
  const unfiltered = definition.readFilter(new URLSearchParams());
  const caption = showingText(page.rows.length, total, definition.noun);
  const chips = definition.chips(filter, sized);
  const isEmpty = page.rows.length === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {props.filters}
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2 text-ink-2 text-xs">
        {/* Marked as what a search has found; without rows a title says it. */}
        <p
          id={ROWS_CAPTION}
          className={chips.length > 0 ? "max-md:w-full" : undefined}
          data-result={isEmpty ? undefined : ""}
        >
          {caption}
        </p>
        <div className="flex flex-auto flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
          <FilterChips chips={chips} />
          {chips.length > 0 ? (
            <Link to={definition.pathTo({ ...unfiltered, ...props.kept }, sized)}>Clear filters</Link>
          ) : null}
          {props.links}
        </div>
      </div>
      {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, definition.noun, labels)} /> : null}
      {total.more === "older" ? <Notice kind="info" message={onlyNewest(definition.noun)} /> : null}
      {props.notice}
      {isEmpty ? <NoRows {...props} chips={chips} clearTo={definition.pathTo(unfiltered, sized)} /> : props.children}
      <nav className="list-foot" aria-label="Pagination">
        <span>{caption}</span>
        <span>
          Rows per page:{" "}
          {sizeLinks(size, (param) => to({ size: param })).map(({ size: rows, to: path, current }) => (
            <Link key={rows} to={path} aria-current={current ? "true" : undefined}>
              {rows}
            </Link>
          ))}
        </span>
        <span className="ml-auto flex gap-4 text-sm">
          {page.previous ? (
            <Link to={to({ before: page.previous })} rel="prev">
              {labels.previous}
            </Link>
          ) : null}
          {page.next ? (
            <Link to={to({ after: page.next })} rel="next">
              {labels.next}
            </Link>
          ) : null}
        </span>
      </nav>
    </div>
  );
}

type NoRowsProps<Filter extends { sort: string }> = Pick<
  ListPanelProps<Filter>,
  "definition" | "filter" | "empty" | "noMatch"
> & { chips: readonly FilterChip[]; clearTo: string };

/** Replaces the rows of a list if there are none: repeats the filters, each of which can be dropped. */
function NoRows<Filter extends { sort: string }>(props: NoRowsProps<Filter>) {
  const { definition, filter, empty, noMatch, chips, clearTo } = props;
  if (!definition.isFiltered(filter)) return <EmptyState {...empty} />;
  return (
    <EmptyState
      title={noMatch?.title ?? empty.title}
      body={definition.noMatchReason?.(filter) ?? noMatch?.body ?? NO_MATCH}
      action={
        <>
          {chips.length > 0 ? (
            <p className="flex flex-wrap items-center gap-2">
              <FilterChips chips={chips} />
            </p>
          ) : null}
          <LinkButton variant="quiet" to={clearTo}>
            Clear filters
          </LinkButton>
        </>
      }
    />
  );
}
