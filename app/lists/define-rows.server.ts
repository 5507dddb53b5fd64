import type { Actor } from "~/access/model";
import type { Ability, GrantedScope } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { invariant } from "~/lib/assert";
import type { CsvCell } from "~/lib/csv";
import type { Instant } from "~/lib/time";
import { BULK_LIMIT } from "./bulk";
import { countMatches } from "./count-matches.server";
import type { ListCriteria, ListViewer } from "./criteria";
import type { MatchCount } from "./match-count";
import type { ListPage, ListRead } from "./model";
import type { PageRequest } from "./paging.server";
import { type Neighbours, type RowWithCursor, readComplete, readNeighbours, readPage } from "./read-page.server";
import type { Bounds, Clause, RowOrder, RowQuery, RowSource } from "./row-source.server";
import { parseRows, type SelectedRow, type Selection, selectionOf } from "./selection.server";
import { criteriaOfIds, isLimited, limitsOf, type VisibleTo, visibleRow } from "./visibility.server";

/** Limits how many rows an export reads at a time. */
const CHUNK = 500;

/** Holds what the page of a list is read by. */
export type ListRequest<Filter> = { filter: Filter; page: PageRequest; viewer: ListViewer };

/** Describes what is used of the part that browser and server share, as `defineList` returns it. */
type SharedDefinition<Filter, OrderName extends string, Viewing extends Ability> = {
  name: string;
  ability: Viewing;
  path: string;
  csvPath: string;
  fields: object;
  sorts: readonly string[];
  defaultSort: string;
  orders: Readonly<Record<OrderName, { ascending?: string; descending?: string }>>;
  readFilter: (params: URLSearchParams) => Filter;
  noMatchReason?: (filter: Filter) => string | null;
};

type RowsInput<Filter, OrderName extends string, Criteria extends ListCriteria, Viewing extends Ability> = RowSource & {
  list: SharedDefinition<Filter, OrderName, Viewing>;
  /** Turns the filter of the address into query criteria. */
  criteriaOf: (filter: Filter, viewer: ListViewer) => Criteria;
  /**
   * Returns the criteria that limit what somebody sees of the list, whatever the filter is: one function for each scope
   * in which the policy grants the list's ability. They hold for pages, counts, files and everything that is selected.
   */
  visibleTo: VisibleTo<Criteria, GrantedScope<Viewing>>;
  /** Returns the conditions of the criteria. */
  clauses: (criteria: Partial<Criteria>) => readonly Clause[];
  /** Returns the criteria that limit one column from value to value, such as a range of days. */
  bounds?: (criteria: Partial<Criteria>) => Bounds;
  /** Names the order of the rows for each order of the list. */
  orders: Readonly<Record<OrderName, RowOrder>>;
  /** Reads a count that triggers maintain; null where none is maintained for the criteria. */
  maintainedCount?: (db: Db, criteria: Criteria) => Promise<number> | null;
  /**
   * Tells whether the maintained counts heed the criteria of `visibleTo`. Otherwise they are those of everybody, and
   * for a viewer who sees a part of the list the rows are counted.
   */
  maintainsLimitedCounts?: boolean;
};

/**
 * Describes the rows of a page: the columns that are read, over `t` and the aliases of the joins, and the row's view.
 */
type PageRows<Row, View> = { columns: string; view: (row: Row) => View };

/** Describes the rows of a CSV file: the columns that are read, and the cell under each heading. */
type CsvRows<Row> = {
  columns: string;
  cells: Readonly<Record<string, (row: Row, zone: string) => CsvCell>>;
};

/** Describes the CSV export of a list. */
export type ListExport = {
  header: readonly string[];
  /** Reads the lines, a chunk at a time: of the rows whose ids the address contains, or else of those of its filter. */
  lines: (db: Db, request: { params: URLSearchParams; viewer: ListViewer }) => AsyncGenerator<CsvCell[][]>;
};

/**
 * Makes the database part of a list out of its definition: everything that reads its rows. The page, its count, the
 * bulk actions and the export use the same definition, so that all of them mean the same rows.
 */
export function defineRows<
  Filter,
  OrderName extends string,
  Criteria extends ListCriteria,
  Row,
  View,
  Exported,
  Viewing extends Ability,
>(input: RowsInput<Filter, OrderName, Criteria, Viewing> & PageRows<Row, View> & { csv: CsvRows<Exported> }) {
  const { list, columns, csv } = input;
  const queryOf = (criteria: Partial<Criteria>) => rowQuery(input, criteria);

  /** Returns the criteria of a filter, limited to what the viewer may see. */
  const criteriaOf = (filter: Filter, viewer: ListViewer): Criteria => ({
    ...input.criteriaOf(filter, viewer),
    ...limitsOf(input, viewer.actor),
  });

  type CountRequest = Omit<ListRequest<Filter>, "page">;

  /** Reads one page. */
  async function readRows(db: Db, { filter, viewer, page }: ListRequest<Filter>): Promise<ListPage<View>> {
    const query = queryOf(criteriaOf(filter, viewer));
    const { rows, ...rest } = await readPage<Row>(db, input, { query, page, columns });
    return { ...rest, rows: rows.map(input.view) };
  }

  /**
   * Counts the matching rows: exactly where a count is maintained, otherwise as far as counting is cheap.
   */
  async function count(db: Db, { filter, viewer, page }: ListRequest<Filter>): Promise<MatchCount> {
    const criteria = criteriaOf(filter, viewer);
    const isOfEverybody = isLimited(limitsOf(input, viewer.actor)) && !input.maintainsLimitedCounts;
    const maintained = isOfEverybody ? null : (input.maintainedCount?.(db, criteria) ?? null);
    if (maintained) return { count: await maintained, more: false };
    return countMatches(db, input, { query: queryOf(criteria), page, columns });
  }

  /** Reads the page of an address and the number of matching rows, in one round trip. */
  async function read(db: Db, request: ListRequest<Filter>): Promise<ListRead<View>> {
    const { zone, now } = request.viewer;
    const rest = { zone, readAt: now };
    if (list.noMatchReason?.(request.filter)) return { page: NO_ROWS, total: { count: 0, more: false }, ...rest };
    const [page, total] = await Promise.all([readRows(db, request), count(db, request)]);
    return { page, total, ...rest };
  }

  /** Finds the rows before and after one in the list of an address, in one round trip. */
  async function neighbours(db: Db, { filter, viewer, id }: CountRequest & { id: string }): Promise<Neighbours> {
    if (list.noMatchReason?.(filter)) return { previous: null, next: null };
    return readNeighbours(db, { ...input, joins: undefined }, queryOf(criteriaOf(filter, viewer)), id);
  }

  const select = (rows: readonly SelectedRow[], actor: Actor) => selectionOf(rows, visibleRow(input, actor));

  /** Returns the rows whose checkboxes were posted, for a bulk action. */
  const selectPosted = (values: readonly string[], actor: Actor): Selection => select(parseRows(values), actor);

  /**
   * Returns the first matching rows, as many as one bulk action takes. Those that were created or changed after an
   * instant are left out.
   */
  async function selectMatching(
    db: Db,
    { filter, viewer, unchangedSince }: CountRequest & { unchangedSince?: Instant },
  ): Promise<Selection> {
    const query = queryOf({ ...criteriaOf(filter, viewer), unchangedSince });
    return select(await firstRows(db, input, query), viewer.actor);
  }

  const lines: ListExport["lines"] = (db, { params, viewer }) => {
    const filter = list.readFilter(params);
    const ids = params.get("ids")?.split(",").slice(0, BULK_LIMIT);
    if (!ids && list.noMatchReason?.(filter)) return noLines();
    const criteria = ids ? criteriaOfIds<Criteria>(limitsOf(input, viewer.actor), ids) : criteriaOf(filter, viewer);
    return csvLines(db, input, { query: queryOf(criteria), csv, zone: viewer.zone });
  };

  const csvExport: ListExport = { header: Object.keys(csv.cells), lines };
  return { list, read, neighbours, selectPosted, selectMatching, csvExport };
}

const NO_ROWS = { rows: [], previous: null, next: null, scanned: null };

type RowQueryInput<Criteria extends ListCriteria> = Pick<
  RowsInput<never, string, Criteria, Ability>,
  "clauses" | "bounds"
> & { list: Pick<SharedDefinition<never, string, Ability>, "name" | "defaultSort" | "orders"> };

/** Turns criteria into the query of the list's table. */
function rowQuery<Criteria extends ListCriteria>(
  { list, ...input }: RowQueryInput<Criteria>,
  criteria: Partial<Criteria>,
): RowQuery {
  const { search, unchangedSince, selectedIds, sort = list.defaultSort } = criteria;
  const found = Object.entries(list.orders).find(([, order]) => order.ascending === sort || order.descending === sort);
  invariant(found, `The list ${list.name} has no order ${sort}`);
  const [order, { ascending }] = found;
  const bounds = input.bounds?.(criteria);
  return {
    order,
    ascending: ascending === sort,
    clauses: input.clauses(criteria),
    bounds: bounds?.from === undefined && bounds?.until === undefined ? undefined : bounds,
    search,
    unchangedSince,
    selectedIds,
  };
}

/** Reads the first rows of a query, as many as one bulk action takes, with their versions. */
async function firstRows(db: Db, source: RowSource, query: RowQuery): Promise<SelectedRow[]> {
  const range = { from: null, ascending: query.ascending, limit: BULK_LIMIT, columns: "t.id, t.version" };
  const rows = await readComplete<SelectedRow>(db, { ...source, joins: undefined, lookups: undefined }, query, range);
  return rows.map(({ row }) => row);
}

type CsvRequest<Row> = { query: RowQuery; csv: CsvRows<Row>; zone: string };

/** Reads the lines of a CSV file, a chunk at a time. */
async function* csvLines<Row>(
  db: Db,
  source: RowSource,
  { query, csv, zone }: CsvRequest<Row>,
): AsyncGenerator<CsvCell[][]> {
  const cells = Object.values(csv.cells);
  for (let last: RowWithCursor<Row> | undefined; ; ) {
    const range = { from: last?.cursor ?? null, ascending: query.ascending, limit: CHUNK, columns: csv.columns };
    const rows: RowWithCursor<Row>[] = await readComplete<Row>(db, { ...source, lookups: undefined }, query, range);
    if (rows.length > 0) yield rows.map(({ row }) => cells.map((cell) => cell(row, zone)));
    if (rows.length < CHUNK) return;
    last = rows.at(-1);
  }
}

async function* noLines(): AsyncGenerator<CsvCell[][]> {}
