import type { ReactNode } from "react";
import { ListSummary } from "~/ui/filter-chips";
import { Notice } from "~/ui/flash";
import { ListFoot } from "~/ui/list-foot";
import { NoRows } from "~/ui/no-rows";
import { NO_MATCH, scanStopped } from "../copy";
import type { FilterChip } from "../define-list";
import { showingText } from "../match-count";
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

type Message = { title: string; body: string };

type ListPanelProps<Filter extends { sort: string }> = {
  definition: ShownList<Filter>;
  list: Pick<ListRead<unknown>, "page" | "total">;
  filter: Filter;
  size: PageSize;
  /** Id of the line that says how many rows there are, by which the rows are labelled. */
  captionId: string;
  filters: ReactNode;
  /** What "Clear filters" keeps, such as the view. */
  kept?: Partial<Filter>;
  /** Further links beside the filters that are set. */
  links?: ReactNode;
  /** What is said above the rows. */
  notice?: ReactNode;
  /** Says that the list has no rows at all. */
  empty: Message;
  /** Says that no row matches the filter, where that is not said as in other lists. */
  noMatch?: Message;
  /** The rows. */
  children: ReactNode;
};

/** Shows the rows of a list with everything around them: filters, their number, links to the neighbouring pages. */
export function ListPanel<Filter extends { sort: string }>(props: ListPanelProps<Filter>) {
  const {
    definition,
    list,
    filter,
    size,
    captionId,
    kept,
    empty,
    noMatch = { title: empty.title, body: NO_MATCH },
  } = props;
  const { page, total } = list;
  const labels = definition.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const to = (extra: Params) => definition.pathTo(filter, { ...sized, ...extra });
  const unfiltered = definition.readFilter(new URLSearchParams());
  const caption = showingText(page.rows.length, total, definition.noun);
  const chips = definition.chips(filter, sized);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {props.filters}
      <ListSummary
        id={captionId}
        caption={caption}
        isResult={page.rows.length > 0}
        chips={chips}
        clearTo={definition.pathTo({ ...unfiltered, ...kept }, sized)}
      >
        {props.links}
      </ListSummary>
      {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, definition.noun, labels)} /> : null}
      {props.notice}
      {page.rows.length > 0 ? (
        props.children
      ) : (
        <NoRows
          empty={empty}
          noMatch={{ ...noMatch, body: definition.noMatchReason?.(filter) ?? noMatch.body }}
          chips={chips}
          clearTo={definition.isFiltered(filter) ? definition.pathTo(unfiltered, sized) : null}
        />
      )}
      <ListFoot
        caption={caption}
        sizes={sizeLinks(size, (param) => to({ size: param }))}
        previousTo={page.previous && to({ before: page.previous })}
        nextTo={page.next && to({ after: page.next })}
        labels={labels}
      />
    </div>
  );
}
