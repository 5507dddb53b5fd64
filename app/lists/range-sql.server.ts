import { type SQL, sql } from "drizzle-orm";
import type { Cursor } from "./paging.server";
import { boundsFirstColumn, isBySearch, orderOf, type Plan, planOf } from "./plan.server";
import type { Bounds, RowOrder, RowQuery, RowSource } from "./row-source.server";
import { searchIndexOf, searchMatches } from "./search-query.server";

/** Describes rows from a position on, in one of the two directions. */
export type Range = { from: Cursor | null; ascending: boolean; limit: number };

/**
 * Tells which rows of a range are meant: `complete`, as many that meet the query as the limit says, however many are
 * read for them; or `candidates`, as many as are read, each told whether it meets the query.
 */
type RangeKind = "complete" | "candidates";

/** Sorts after every text that is stored. */
const LAST_TEXT = "\u{10FFFF}\u{10FFFF}";

/** Holds a position before the first row, so that the first page is found as every other page is. */
const START = {
  ascending: { number: -1, text: "" },
  descending: { number: Number.MAX_SAFE_INTEGER, text: LAST_TEXT },
};

/** Returns the columns by which the rows of a query have their position. */
function positionOf(source: RowSource, query: RowQuery, plan: Plan): RowOrder["columns"] {
  return isBySearch(plan) ? { [searchIndexOf(source).rowIdColumn]: "number" } : orderOf(source, query).columns;
}

/** Returns a cursor of the address, or null where it is one of another order. */
export function cursorFor(source: RowSource, query: RowQuery, cursor: Cursor | null): Cursor | null {
  const kinds = Object.values(positionOf(source, query, planOf(source, query)));
  const fits = cursor?.length === kinds.length && kinds.every((kind, place) => typeof cursor[place] === TYPE_OF[kind]);
  return fits ? cursor : null;
}

const TYPE_OF = { number: "number", text: "string" } as const;

/**
 * Returns the statement that reads columns of the rows of a range. Each row comes with its `cursor`, as JSON, and
 * candidates with `fits`, which is 1 where the row meets the query. Joined tables are read for these rows only.
 */
export function selectRange(
  source: RowSource,
  query: RowQuery,
  { kind, columns, ...range }: Range & { kind: RangeKind; columns: string },
): SQL {
  const plan = planOf(source, query);
  const { required, tested } = filtersOf(source, query, { plan, range });
  const names = columnsOf(Object.keys(positionOf(source, query, plan)));
  const isComplete = kind === "complete";
  const extra = sql`json_array(${list(names)}) AS cursor${isComplete ? sql`` : sql`, (${both(tested)}) AS fits`}`;
  const order = orderBy(names, range);
  // By the matches themselves, or the index of the search would be read to its end and sorted.
  const readOrder = isBySearch(plan) ? orderBy([sql`matches.match_id`], range) : order;
  const rows = sql`${rowsOf(source, query, { plan, range, isComplete })}
    WHERE ${both([...required, ...(isComplete ? tested : []), ...beyond(source, query, { plan, range })])}
    ${readOrder} LIMIT ${range.limit}`;
  if (!source.joins) return sql`SELECT ${sql.raw(columns)}, ${extra} ${rows}`;
  const told = sql.raw(isComplete ? "t.cursor" : "t.cursor, t.fits");
  return sql`SELECT ${sql.raw(columns)}, ${told} FROM (SELECT t.*, ${extra} ${rows}) t ${sql.raw(source.joins)} ${order}`;
}

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);
const columnsOf = (names: readonly string[]) => names.map((name) => sql.raw(`t.${name}`));
const both = (conditions: readonly SQL[]) => (conditions.length > 0 ? sql.join([...conditions], sql` AND `) : sql`1`);
const orderBy = (names: readonly SQL[], range: Range) =>
  sql`ORDER BY ${list(names.map((name) => sql`${name} ${directionOf(range)}`))}`;
const directionOf = ({ ascending }: Range) => sql.raw(ascending ? "ASC" : "DESC");

type Planned = { plan: Plan; range: Range };

/** Returns the FROM clause for the rows of a plan, over the alias `t`. */
function rowsOf(
  source: RowSource,
  query: RowQuery,
  { plan, range, isComplete }: Planned & { isComplete: boolean },
): SQL {
  const table = sql.raw(`${source.table} t`);
  if (!isBySearch(plan)) return sql`FROM ${table}${sql.raw(hintOf(plan))}`;
  const rowId = sql.raw(`t.${searchIndexOf(source).rowIdColumn}`);
  const few = isComplete ? sql`` : sql`LIMIT ${range.limit}`;
  return sql`FROM (SELECT f.rowid AS match_id ${searchMatches(source, query, range)}
    ORDER BY f.rowid ${directionOf(range)} ${few}) matches CROSS JOIN ${table} ON ${rowId} = matches.match_id`;
}

/** Returns the clause that names the index, so that no statistics of the table ever choose another one. */
function hintOf({ index }: Plan): string {
  if (index === null) return "";
  return index === "rowid" ? " NOT INDEXED" : ` INDEXED BY ${index}`;
}

/** Returns the condition that rows lie beyond a position. Matches of a search are found beyond it already. */
function beyond(source: RowSource, query: RowQuery, { plan, range }: Planned): SQL[] {
  if (isBySearch(plan)) return [];
  const order = orderOf(source, query);
  const values = startOf(order, query, range);
  const [names, places] = [columnsOf(Object.keys(order.columns)), values.map((value) => sql`${value}`)];
  return [sql`(${list(names)}) ${sql.raw(range.ascending ? ">" : "<")} (${list(places)})`];
}

/**
 * Returns where reading boundsFirstColumn: at the cursor, or at the first of the bounds. Only one of the two may be said: of two
 * bounds of the same column SQLite seeks the first one it sees, and reads everything up to the other.
 */
function startOf(order: RowOrder, { bounds }: RowQuery, { from: cursor, ascending }: Range): Cursor {
  const kinds = Object.values(order.columns);
  const edge = bounds && boundsFirstColumn(order, bounds) ? bounds[ascending ? "from" : "until"] : undefined;
  if (edge === undefined) return cursor ?? kinds.map((kind) => START[ascending ? "ascending" : "descending"][kind]);
  const isWithin = cursor && (ascending ? Number(cursor[0]) >= edge : Number(cursor[0]) < edge);
  return isWithin ? cursor : [edge, ...kinds.slice(1).map((kind) => START.ascending[kind])];
}

/**
 * Returns the conditions in two parts: what an index answers is required of every row that is read; the rest is tested
 * of each.
 */
function filtersOf(
  source: RowSource,
  query: RowQuery,
  { plan, range: { ascending } }: Planned,
): { required: SQL[]; tested: SQL[] } {
  const { clauses, bounds, selectedIds, unchangedSince, search } = query;
  const further: SQL[] = [];
  if (unchangedSince !== undefined) further.push(sql`t.updated_at <= ${unchangedSince}`);
  // A list that stores no folded text relies on its index.
  if (search && source.search?.foldedColumn)
    further.push(sql`instr(${sql.raw(`t.${source.search.foldedColumn}`)}, ${search}) > 0`);
  const all = clauses.map(({ where }) => where);
  if (isBySearch(plan)) return { required: [], tested: [...all, ...within(bounds, "both"), ...further] };
  if (selectedIds) {
    const named = sql`t.id IN (SELECT value FROM json_each(${JSON.stringify(selectedIds)}))`;
    return { required: [...all, named], tested: further };
  }
  const order = orderOf(source, query);
  const answers = order.indexes[plan.index ?? ""] ?? [];
  const isAnswered = ({ key }: { key: string }) => answers.includes(key);
  const [end, rest] =
    bounds && boundsFirstColumn(order, bounds)
      ? [within(bounds, ascending ? "until" : "from"), []]
      : [[], within(bounds, "both")];
  return {
    required: [...clauses.filter(isAnswered).map(({ where }) => where), ...end],
    tested: [...clauses.filter((clause) => !isAnswered(clause)).map(({ where }) => where), ...rest, ...further],
  };
}

/**
 * Returns the conditions that a row lies within bounds; of an index that is read in order, only the one where reading
 * ends.
 */
function within(bounds: Bounds | undefined, wanted: "both" | "from" | "until"): SQL[] {
  if (!bounds) return [];
  const { from, until } = bounds;
  const column = sql.raw(`t.${bounds.column}`);
  return [
    ...(from === undefined || wanted === "until" ? [] : [sql`${column} >= ${from}`]),
    ...(until === undefined || wanted === "from" ? [] : [sql`${column} < ${until}`]),
  ];
}
