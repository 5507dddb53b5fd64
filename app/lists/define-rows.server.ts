import type { Db } from "~/db/client.server";
import { invariant } from "~/lib/assert";
import type { CsvCell } from "~/lib/csv";
import { BULK_LIMIT } from "./bulk";
import { countMatches } from "./count-matches.server";
import type { ListCriteria, ListViewer } from "./criteria";
import type { MatchCount } from "./match-count";
import type { ListPage, ListRead } from "./model";
import type { PageRequest } from "./paging.server";
import { type Positioned, readComplete, readPage } from "./read-page.server";
import type { Bounds, Clause, RowOrder, RowQuery, RowSource } from "./row-source.server";
import type { SelectedRow } from "./selection.server";

/** Limits how many rows an export reads at a time. */
const CHUNK = 500;

/** Describes what is used of the part that browser and server share, as `defineList` returns it. */
type SharedDefinition<Filter, OrderName extends string> = {
  name: string;
  path: string;
  fields: object;
  sorts: readonly string[];
  defaultSort: string;
  orders: Readonly<Record<OrderName, { ascending?: string; descending?: string }>>;
  readFilter: (params: URLSearchParams) => Filter;
  noMatchReason?: (filter: Filter) => string | null;
};

type RowsInput<Filter, OrderName extends string, Criteria extends ListCriteria, Viewer> = RowSource & {
  list: SharedDefinition<Filter, OrderName>;
  /** Turns the filter of the address into query criteria. */
  criteriaOf: (filter: Filter, viewer: Viewer) => Criteria;
  /** Returns the criteria that limit what this viewer may see, whatever the filter is. */
  visibleTo: (viewer: Viewer) => Partial<Criteria>;
  /** Returns the conditions of the criteria. */
  clauses: (criteria: Criteria) => readonly Clause[];
  /** Returns the criteria that limit one column from value to value, such as a range of days. */
  bounds?: (criteria: Criteria) => Bounds;
  /** The order of the rows for each order of the list. */
  orders: Readonly<Record<OrderName, RowOrder>>;
  /** Reads a count that triggers maintain; null where none is maintained for the criteria. */
  maintainedCount?: (db: Db, criteria: Criteria) => Promise<number> | null;
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

/** Describes the CSV export of a list; `Viewer` says who it is for. */
export type ListExport<Viewer> = {
  header: readonly string[];
  /** Reads the lines, a chunk at a time: of the rows whose ids the address contains, or else of those of its filter. */
  lines: (db: Db, request: { params: URLSearchParams; viewer: Viewer }) => AsyncGenerator<CsvCell[][]>;
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
  Viewer extends ListViewer,
>(input: RowsInput<Filter, OrderName, Criteria, Viewer> & PageRows<Row, View> & { csv: CsvRows<Exported> }) {
  const { list, columns, csv } = input;
  const queryOf = (criteria: Criteria) => rowQuery(input, criteria);

  /** Returns the criteria of a filter, limited to what the viewer may see. */
  const criteriaOf = (filter: Filter, viewer: Viewer): Criteria => ({
    ...input.criteriaOf(filter, viewer),
    ...input.visibleTo(viewer),
  });

  /** Reads one page. */
  async function readRows(db: Db, page: PageRequest, criteria: Criteria): Promise<ListPage<View>> {
    const { rows, ...rest } = await readPage<Row>(db, input, { query: queryOf(criteria), page, columns });
    return { ...rest, rows: rows.map(input.view) };
  }

  /** Counts the matching rows: exactly where a count is maintained, otherwise as far as counting is cheap. */
  async function count(db: Db, criteria: Criteria): Promise<MatchCount> {
    const maintained = input.maintainedCount?.(db, criteria) ?? null;
    if (maintained) return { count: await maintained, more: false };
    return countMatches(db, input, { query: queryOf(criteria), columns });
  }

  type ReadRequest = { filter: Filter; page: PageRequest; viewer: Viewer };

  /** Reads the page of an address and the number of matching rows, in one round trip. */
  async function read(db: Db, { filter, page, viewer }: ReadRequest): Promise<ListRead<View>> {
    const rest = { zone: viewer.zone, readAt: viewer.now };
    if (list.noMatchReason?.(filter)) return { page: NO_ROWS, total: { count: 0, more: false }, ...rest };
    const criteria = criteriaOf(filter, viewer);
    const [rows, total] = await Promise.all([readRows(db, page, criteria), count(db, criteria)]);
    return { page: rows, total, ...rest };
  }

  /** Selects the first matching rows, as many as one bulk action takes, with their versions. */
  const selectMatching = (db: Db, criteria: Criteria) => firstRows(db, input, queryOf(criteria));

  const lines: ListExport<Viewer>["lines"] = (db, { params, viewer }) => {
    const filter = list.readFilter(params);
    const selectedIds = params.get("ids")?.split(",").slice(0, BULK_LIMIT);
    if (!selectedIds && list.noMatchReason?.(filter)) return noLines();
    const selection = { ...criteriaOf(list.readFilter(new URLSearchParams()), viewer), selectedIds };
    const query = queryOf(selectedIds ? selection : criteriaOf(filter, viewer));
    return csvLines(db, input, { query, csv, zone: viewer.zone });
  };

  const csvExport: ListExport<Viewer> = { header: Object.keys(csv.cells), lines };
  return { list, criteriaOf, read, readRows, count, selectMatching, csvExport };
}

const NO_ROWS = { rows: [], previous: null, next: null, scanned: null };

type RowQueryInput<Criteria extends ListCriteria> = Pick<
  RowsInput<never, string, Criteria, never>,
  "clauses" | "bounds"
> & { list: Pick<SharedDefinition<never, string>, "name" | "defaultSort" | "orders"> };

/** Turns criteria into the query of the list's table. */
function rowQuery<Criteria extends ListCriteria>(
  { list, ...input }: RowQueryInput<Criteria>,
  criteria: Criteria,
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
  const rows = await readComplete<SelectedRow>(db, { ...source, joins: undefined }, query, range);
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
  for (let last: Positioned<Row> | undefined; ; ) {
    const range = { from: last?.cursor ?? null, ascending: query.ascending, limit: CHUNK, columns: csv.columns };
    const rows: Positioned<Row>[] = await readComplete<Row>(db, source, query, range);
    if (rows.length > 0) yield rows.map(({ row }) => cells.map((cell) => cell(row, zone)));
    if (rows.length < CHUNK) return;
    last = rows.at(-1);
  }
}

async function* noLines(): AsyncGenerator<CsvCell[][]> {}
