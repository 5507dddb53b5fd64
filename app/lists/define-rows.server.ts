import type { Db } from "~/db/client.server";
import { invariant } from "~/lib/assert";
import type { CsvCell } from "~/lib/csv";
import type { Instant } from "~/lib/time";
import { BULK_LIMIT } from "./bulk";
import { countMatches } from "./count-matches.server";
import type { List, ListFilter } from "./define-list";
import type { MatchCount } from "./match-count";
import type { PageRequest } from "./paging.server";
import { type ListPage, type Positioned, readComplete, readPage } from "./read-page.server";
import type { Bounds, Clause, RowOrder, RowQuery, RowSource } from "./row-source.server";
import type { ListReader, ListScope } from "./scope";
import type { SelectedRow } from "./selection.server";

/** Limits how many rows an export reads at a time. */
const CHUNK = 500;

type Defined<Values, Sort extends string, OrderName extends string, Scope extends ListScope<Sort>, Reader> = {
  list: List<Values, Sort, OrderName>;
  /** Turns what the address says into what the database is asked. */
  scopeOf: (filter: ListFilter<Values, Sort>, reader: Reader) => Scope;
  /** What the reader may see at all, whatever the filter says: how far their ability goes. */
  visible: (reader: Reader) => Partial<Scope>;
  /** The scope as conditions. */
  clauses: (scope: Scope) => readonly Clause[];
  /** The scope as bounds of one column, such as the days it lies between. */
  bounds?: (scope: Scope) => Bounds;
  orders: Readonly<Record<OrderName, RowOrder>>;
  /** The kept number of rows of a scope; null where none is kept. */
  keptCount?: (db: Db, scope: Scope) => Promise<number> | null;
};

/** Holds what a page reads of each row, over the alias `t` and those of the joins, and the row as it is shown. */
type Shown<Row, View> = { columns: string; view: (row: Row) => View };

/** Holds what a file reads of each row, and its headings, each with its cell. */
type Csv<Exported> = {
  columns: string;
  cells: Readonly<Record<string, (row: Exported, zone: string) => CsvCell>>;
};

/** Describes a list as a file, for readers who are told apart by it. */
export type ListFile<Reader> = {
  header: readonly string[];
  /** Reads its lines, a chunk at a time: the rows an address names one by one, or those of its filter. */
  lines: (db: Db, asked: { params: URLSearchParams; reader: Reader }) => AsyncGenerator<CsvCell[][]>;
};

export type ListRead<View> = { page: ListPage<View>; total: MatchCount; zone: string; drawnAt: Instant };

/**
 * Makes the server's half of a list out of its definition: everything that is read of it. One definition serves the
 * page, its count, the bulk actions and the file, so that all of them mean the same rows.
 */
export function defineRows<
  Values,
  Sort extends string,
  OrderName extends string,
  Scope extends ListScope<Sort>,
  Row,
  View,
  Exported,
  Reader extends ListReader,
>(defined: RowSource & Defined<Values, Sort, OrderName, Scope, Reader> & Shown<Row, View> & { csv: Csv<Exported> }) {
  const { list, columns, csv } = defined;
  type Filter = ListFilter<Values, Sort>;

  /** Returns the scope of a filter for a reader, within what they may see. */
  const scopeOf = (filter: Filter, reader: Reader): Scope => ({
    ...defined.scopeOf(filter, reader),
    ...defined.visible(reader),
  });

  /** Returns the scope of the rows an address names one by one, as far as the reader may see them. */
  const selectionScope = (ids: string, reader: Reader): Scope => ({
    ...scopeOf(list.readFilter(new URLSearchParams()), reader),
    selectedIds: ids.split(",").slice(0, BULK_LIMIT),
  });

  function queryOf(scope: Scope): RowQuery {
    const { search, unchangedSince, selectedIds, sort = list.defaultSort } = scope;
    const order = (Object.keys(list.orders) as OrderName[]).find(
      (name) => list.orders[name].ascending === sort || list.orders[name].descending === sort,
    );
    invariant(order, `The list ${list.name} has no order ${sort}`);
    const ascending = list.orders[order].ascending === sort;
    const bounds = defined.bounds?.(scope);
    const isBound = bounds?.from !== undefined || bounds?.until !== undefined;
    const narrowed = { clauses: defined.clauses(scope), bounds: isBound ? bounds : undefined };
    return { order, ascending, ...narrowed, search, unchangedSince, selectedIds };
  }

  /** Reads one page of a scope. */
  async function readRows(db: Db, page: PageRequest, scope: Scope): Promise<ListPage<View>> {
    const { rows, ...rest } = await readPage<Row>(db, defined, { query: queryOf(scope), page, columns });
    return { ...rest, rows: rows.map(defined.view) };
  }

  /** Counts the rows of a scope: exactly where a count is kept, and otherwise as far as counting is cheap. */
  async function count(db: Db, scope: Scope): Promise<MatchCount> {
    const kept = defined.keptCount?.(db, scope) ?? null;
    if (kept) return { count: await kept, more: false };
    return countMatches(db, defined, { query: queryOf(scope), columns });
  }

  /** Reads the page an address asks for, with the number of rows that match, in one round trip. */
  async function read(
    db: Db,
    { filter, page, reader }: { filter: Filter; page: PageRequest; reader: Reader },
  ): Promise<ListRead<View>> {
    const rest = { zone: reader.zone, drawnAt: reader.now };
    if (list.impossible?.(filter)) return { page: NOTHING, total: { count: 0, more: false }, ...rest };
    const scope = scopeOf(filter, reader);
    const [rows, total] = await Promise.all([readRows(db, page, scope), count(db, scope)]);
    return { page: rows, total, ...rest };
  }

  /** Selects the first rows of a scope, as many as one bulk action takes, with their versions. */
  async function selectMatching(db: Db, scope: Scope): Promise<SelectedRow[]> {
    const query = queryOf(scope);
    const range = { from: null, ascending: query.ascending, limit: BULK_LIMIT, columns: "t.id, t.version" };
    const rows = await readComplete<SelectedRow>(db, { ...defined, joins: undefined }, query, range);
    return rows.map(({ row }) => row);
  }

  async function* lines(
    db: Db,
    { params, reader }: { params: URLSearchParams; reader: Reader },
  ): AsyncGenerator<CsvCell[][]> {
    const filter = list.readFilter(params);
    const ids = params.get("ids");
    if (ids === null && list.impossible?.(filter)) return;
    const query = queryOf(ids === null ? scopeOf(filter, reader) : selectionScope(ids, reader));
    const cells = Object.values(csv.cells);
    for (let last: Positioned<Exported> | undefined; ; ) {
      const range = { from: last?.cursor ?? null, ascending: query.ascending, limit: CHUNK, columns: csv.columns };
      const rows: Positioned<Exported>[] = await readComplete<Exported>(db, defined, query, range);
      if (rows.length > 0) yield rows.map(({ row }) => cells.map((cell) => cell(row, reader.zone)));
      if (rows.length < CHUNK) return;
      last = rows.at(-1);
    }
  }

  const file: ListFile<Reader> = { header: Object.keys(csv.cells), lines };
  return { list, source: defined, scopeOf, queryOf, read, readRows, count, selectMatching, file };
}

const NOTHING = { rows: [], previous: null, next: null, scanned: null };
