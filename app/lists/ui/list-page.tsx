import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { LinkButton } from "~/ui/button";
import { ReadyFile } from "~/ui/export-links";
import { Filters } from "~/ui/filters";
import { Form, SAVED_LABELS, type SentRow } from "~/ui/form";
import { Icon, X } from "~/ui/icon";
import { Link } from "~/ui/link";
import { SearchField } from "~/ui/list-fields";
import { EmptyState, ErrorPanel, Notice, Page } from "~/ui/page";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { VisuallyHidden } from "~/ui/text";
import { type FilterChip, SEARCH_MAX } from "../define-list";
import { NO_MATCH, onlyNewest, scanStopped } from "../labels";
import {
  type ListRead,
  type LoadedList,
  type PageSize,
  ROWS_CAPTION,
  showingText,
  sizeLinks,
  sizeParam,
} from "../model";

type Params = Record<string, string | null>;

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

type PanelProps<Filter extends { sort: string }> = {
  definition: ShownList<Filter>;
  filters: ReactNode;
  kept?: Partial<Filter>;
  links?: ReactNode;
  notice?: ReactNode;
  empty: Message;
  noMatch?: Partial<Message>;
};

type AnyList = Pick<ListRead<unknown>, "page" | "total">;

type ListPageProps<Filter extends { sort: string }, Read> = PanelProps<Filter> & {
  loaded: LoadedList<NoInfer<Filter>, Read>;
  title: string;
  actions?: ReactNode;
  isDense?: boolean;
  above?: ReactNode;
  children: (list: Read, path: string) => ReactNode;
};

export function ListPage<Filter extends { sort: string }, Read extends AnyList>(props: ListPageProps<Filter, Read>) {
  const { loaded, title, actions, isDense = true, above, children, ...panel } = props;
  const { list, filter, size, isLimited, problem, file } = loaded;
  const path = useListPath(panel.definition, loaded);
  return (
    <Page title={title} actions={actions} isDense={isDense}>
      {file ? <ReadyFile {...file} /> : null}
      {above}
      {list ? (
        <ListPanel {...panel} list={list} filter={filter} size={size}>
          {children(list, path)}
        </ListPanel>
      ) : (
        <>
          {isLimited ? panel.filters : null}
          <ErrorPanel message={problem} retryTo={path} />
        </>
      )}
    </Page>
  );
}

export function useListPath<Filter>(
  { pathTo }: { pathTo: (filter: Filter) => string },
  { file, filter }: { file: object | null; filter: Filter },
): string {
  const { pathname, search } = useLocation();
  return file ? pathTo(filter) : pathname + search;
}

type ListPanelProps<Filter extends { sort: string }> = PanelProps<Filter> & {
  list: AnyList;
  filter: Filter;
  size: PageSize;
  children: ReactNode;
};

function ListPanel<Filter extends { sort: string }>(props: ListPanelProps<Filter>) {
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
> & {
  chips: readonly FilterChip[];
  clearTo: string;
};

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

function FilterChips({ chips }: { chips: readonly { label: string; to: string }[] }) {
  return chips.map(({ label, to }) => (
    <Link key={label} className="filter-chip" to={to}>
      <VisuallyHidden>Remove filter: </VisuallyHidden>
      <span className="truncate">{label}</span>
      <Icon of={X} size="1rem" />
    </Link>
  ));
}

export function ListFilters<Filter extends { q: string }>(props: {
  definition: {
    path: string;
    defaults: Readonly<Record<string, string>>;
    fieldValues: (filter: Filter) => Readonly<Record<string, string>>;
  };
  label: string;
  search: string;
  filter: Filter;
  size: PageSize;
  children?: ReactNode;
}) {
  const { definition, label, search, filter, size, children } = props;
  const sizeOf = sizeParam(size);
  return (
    <Filters
      label={label}
      action={definition.path}
      values={definition.fieldValues(filter)}
      defaults={definition.defaults}
      folds={Boolean(children)}
    >
      {sizeOf ? <input type="hidden" name="size" value={sizeOf} /> : null}
      <SearchField label={search} value={filter.q} max={SEARCH_MAX} />
      {children}
    </Filters>
  );
}

type RowsFormProps = {
  name: string;
  intent?: string;
  path: string;
  token: string;
  sent?: SentRow;
  children?: ReactNode;
};

export function RowsForm({ name, intent = name, path, token, sent, children }: RowsFormProps) {
  return (
    <Form id={name} name={name} action={path} token={token} staysFilled={Boolean(sent)} onSubmit={sent?.remember}>
      {children}
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="return_to" value={path} />
      {sent ? <input type="hidden" name="answer" value="beside" /> : null}
    </Form>
  );
}

/** Says to a screen reader that the choice of a row was saved, or that it was so already. */
export function SavedStatus({ sent }: { sent: readonly SentRow[] }) {
  const [last] = sent.flatMap((row) => row.last ?? []);
  return (
    <p className="sr-only" role="status">
      {last ? SAVED_LABELS[last] : null}
    </p>
  );
}

export type ShownRows<Row, Column extends string = never> = Pick<ListRead<Row>, "zone" | "readAt"> & {
  rows: readonly Row[];
  query: string;
  sortOf: (column: Column) => RowColumn<Row>["sort"];
};

export type ListTableProps<Row, Filter> = {
  list: ListRead<Row>;
  filter: Filter;
  size: PageSize;
  resetKey?: string;
};

type TableOfList<Row, Filter, Column extends string> = ListTableProps<Row, Filter> & {
  definition: {
    query: (filter: Filter) => string;
    sortLink: (filter: Filter, column: Column, extra: { size: string | null }) => RowColumn<Row>["sort"];
  };
  layout?: string;
  columns: (shown: ShownRows<Row, Column>) => readonly RowColumn<Row>[];
};

export function ListTable<Row extends { id: string }, Filter, Column extends string>(
  props: TableOfList<Row, Filter, Column>,
) {
  const { definition, filter, size, columns, ...table } = props;
  const { rows } = props.list.page;
  const shown = {
    ...props.list,
    rows,
    query: definition.query(filter),
    sortOf: (column: Column) => definition.sortLink(filter, column, { size: sizeParam(size) }),
  };
  return <RowTable {...table} labelledBy={ROWS_CAPTION} columns={columns(shown)} rows={rows} />;
}
