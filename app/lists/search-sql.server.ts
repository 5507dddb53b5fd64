import { type SQL, sql } from "drizzle-orm";
import { invariant } from "~/lib/errors";
import { RECENT_LIMIT } from "./criteria";
import type { Cursor } from "./paging.server";
import { isBySearch, isFirstColumnBounded, orderOf, planOf, type RowPlan } from "./plan.server";
import type { Bounds, RowOrder, RowQuery, RowSource, SearchIndex } from "./row-source.server";

/* The SQL of a search: a list names its FTS5 table and its columns as `search` in its `definition.server.ts`. */

const LAST_ROW_ID = Number.MAX_SAFE_INTEGER;

function searchIndexOf({ table, search }: RowSource): SearchIndex {
  invariant(search, `${table} has no search index`);
  return search;
}

/** The `rowid` of the alias `f` is the row id of the list's table. */
export function searchMatches(
  source: RowSource,
  query: RowQuery,
  { from: cursor, ascending }: { from: readonly (number | string | SQL)[] | null; ascending: boolean },
): SQL {
  const index = searchIndexOf(source);
  const bounds = rowIdBounds(index, query.bounds);
  const position = cursor?.[0] ?? null;
  const above = ascending ? later("max", bounds.from - 1, position) : bounds.from - 1;
  const below = ascending ? bounds.until : later("min", bounds.until, position);
  const name = sql.raw(index.table);
  // FTS5 uses integer rowid bounds only; a bound parameter may arrive as REAL.
  return sql`FROM ${name} f WHERE f.${name} MATCH ${trigramMatch(index, query)}
    AND f.rowid > CAST(${above} AS INTEGER) AND f.rowid < CAST(${below} AS INTEGER)`;
}

/** Returns the bound or the position, whichever leaves fewer rows; what is queried is compared by SQLite. */
function later(pick: "max" | "min", bound: number, position: number | string | SQL | null): number | SQL {
  if (position === null) return bound;
  return typeof position === "object"
    ? sql`${sql.raw(pick)}(${bound}, ${position})`
    : Math[pick](bound, Number(position));
}

function trigramMatch({ textColumn, tokenColumn }: SearchIndex, { search, clauses }: RowQuery): string {
  const tokenPhrase = (token: string) => `${tokenColumn} : ${phrase(token)}`;
  const required = search ? [`${textColumn} : ${phrase(search)}`] : [];
  const excluded: string[] = [];
  for (const { token } of clauses) {
    if (!token) continue;
    if ("lacks" in token) excluded.push(tokenPhrase(token.lacks));
    else if ("has" in token) required.push(tokenPhrase(token.has));
    else required.push(`(${token.hasAny.map(tokenPhrase).join(" OR ")})`);
  }
  return [`(${required.join(" AND ")})`, ...excluded].join(" NOT ");
}

/** Quotes a text as an FTS5 phrase, so that nothing in it is read as an operator. */
const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

function rowIdBounds(
  { rowIdColumn, rowIdOrder }: SearchIndex,
  bounds: Bounds | undefined,
): Required<Pick<Bounds, "from" | "until">> {
  const { column, from = 0, until = LAST_ROW_ID } = bounds ?? {};
  if (column === rowIdColumn) return { from, until };
  if (!rowIdOrder || rowIdOrder.column !== column) return { from: 0, until: LAST_ROW_ID };
  const rowIdAt = (value: number, otherwise: number) =>
    value === otherwise ? otherwise : rowIdOrder.firstRowIdAt(value);
  return { from: rowIdAt(from, 0), until: rowIdAt(until, LAST_ROW_ID) };
}

type Position = readonly (number | string | SQL)[];

export type RowRange = { from: Position | null; ascending: boolean; limit: number };

/**
 * Tells what the limit of a range counts.
 * - `complete`: `limit` counts matching rows.
 * - `candidates`: `limit` counts rows read; each carries a match flag.
 */
type RangeKind = "complete" | "candidates";

type Planned = { plan: RowPlan; range: RowRange };

const LAST_TEXT = "\u{10FFFF}\u{10FFFF}";

/** Holds a position before the first row, so that the first page is found as every other page is. */
const START = {
  ascending: { number: -1, text: "" },
  descending: { number: Number.MAX_SAFE_INTEGER, text: LAST_TEXT },
};

const TYPE_OF = { number: "number", text: "string" } as const;

export function cursorFor(source: RowSource, query: RowQuery, cursor: Cursor | null): Cursor | null {
  const kinds = Object.values(cursorColumns(source, query, planOf(source, query)));
  const isOfOrder = cursor?.length === kinds.length && kinds.every((kind, i) => typeof cursor[i] === TYPE_OF[kind]);
  return isOfOrder ? cursor : null;
}

export function positionOf(source: RowSource, query: RowQuery, id: string): Position {
  const names = Object.keys(cursorColumns(source, query, planOf(source, query)));
  return names.map((name) => sql`(SELECT ${sql.raw(`${name} FROM ${source.table}`)} WHERE id = ${id})`);
}

/**
 * Each row also has its `cursor`, as JSON, each candidate `is_match`. Joined tables are read for these rows only. A
 * search of the newest rows also says how many were looked through and match, on the first row if none is left.
 */
export function selectRange(
  source: RowSource,
  query: RowQuery,
  { kind, columns, ...range }: RowRange & { kind: RangeKind; columns: string },
): SQL {
  const plan = planOf(source, query);
  const { required, tested } = conditionsOf(source, query, { plan, range });
  const names = columnsOf(Object.keys(cursorColumns(source, query, plan)));
  const isRecent = plan.kind === "recent";
  // The matches are in the order of their row ids: the rows around them need no second sorting.
  const place = isBySearch(plan) ? sql`, matches.match_id` : sql``;
  const counts = sql.raw(isRecent ? ", matches.looked, matches.matching" : "");
  const isComplete = kind === "complete";
  const where = [...required, ...(isComplete ? tested : []), ...afterPosition(source, query, { plan, range })];
  const rows = sql`${fromClause(source, query, { plan, range, isComplete })} WHERE ${allOf(where)}
    ${orderBy(isBySearch(plan) ? [sql`matches.match_id`] : names, range)} LIMIT ${range.limit}`;
  const position = sql`json_array(${commas(names)})`;
  const cursor = isRecent
    ? sql`CASE WHEN matches.match_id IS NOT NULL THEN ${position} END AS cursor${counts}`
    : sql`${position} AS cursor`;
  const added = isComplete ? cursor : sql`${cursor}, (${allOf(tested)}) AS is_match`;
  const { joins = "", lookups = {} } = source;
  const lookedUp = Object.entries(lookups).map(
    ([name, value]) => `, ${isComplete ? value : `CASE WHEN t.is_match THEN ${value} END`} AS ${name}`,
  );
  if (joins === "" && lookedUp.length === 0) return sql`SELECT ${sql.raw(columns)}, ${added} ${rows}`;
  const selected = sql.raw(
    `${columns}${lookedUp.join("")}, t.cursor${isRecent ? ", t.looked, t.matching" : ""}${isComplete ? "" : ", t.is_match"}`,
  );
  return sql`SELECT ${selected} FROM (SELECT t.*${place}, ${added} ${rows}) t ${sql.raw(joins)}
    ${orderBy(isBySearch(plan) ? [sql`t.match_id`] : names, range)}`;
}

function cursorColumns(source: RowSource, query: RowQuery, plan: RowPlan): RowOrder["columns"] {
  return isBySearch(plan) ? { [searchIndexOf(source).rowIdColumn]: "number" } : orderOf(source, query).columns;
}

const commas = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);
const columnsOf = (names: readonly string[]) => names.map((name) => sql.raw(`t.${name}`));
const allOf = (conditions: readonly SQL[]) => (conditions.length > 0 ? sql.join([...conditions], sql` AND `) : sql`1`);
const directionOf = ({ ascending }: RowRange) => sql.raw(ascending ? "ASC" : "DESC");
const orderBy = (names: readonly SQL[], range: RowRange) =>
  sql`ORDER BY ${commas(names.map((name) => sql`${name} ${directionOf(range)}`))}`;

/** The list's table has the alias `t`, the matches of a search `matches`. */
function fromClause(
  source: RowSource,
  query: RowQuery,
  { plan, range, isComplete }: Planned & { isComplete: boolean },
): SQL {
  const table = sql.raw(`${source.table} t`);
  if (!isBySearch(plan)) return sql`FROM ${table}${sql.raw(indexHint(plan.index))}`;
  const { rowIdColumn, rowIdIndex } = searchIndexOf(source);
  const rowId = sql.raw(`t.${rowIdColumn}`);
  const limit = isComplete ? sql`` : sql`LIMIT ${range.limit}`;
  const matches =
    plan.kind === "recent"
      ? recentMatches(source, query, { plan, range })
      : sql`SELECT f.rowid AS match_id ${searchMatches(source, query, range)}
          ORDER BY f.rowid ${directionOf(range)} ${limit}`;
  const join = sql.raw(plan.kind === "recent" ? "LEFT JOIN" : "CROSS JOIN");
  return sql`FROM (${matches}) matches
    ${join} ${table}${sql.raw(indexHint(rowIdIndex))} ON ${rowId} = matches.match_id`;
}

/** One pass puts the ids of all into an array, newest first, which needs no sorting; the range is one of its ends. */
function recentMatches(source: RowSource, query: RowQuery, { plan, range }: Planned): SQL {
  const { from, ascending, limit } = range;
  const position = from?.[0] ?? START[ascending ? "ascending" : "descending"].number;
  const id = sql.raw(`ids ->> ('$[${ascending ? "#-' || (place.value + 1)" : "' || place.value"} || ']')`);
  const places = JSON.stringify(Array.from({ length: limit }, (_, place) => place));
  return sql`SELECT ${id} AS match_id, looked, matching FROM (
      SELECT count(*) AS looked, coalesce(sum(is_match), 0) AS matching,
        json_group_array(match_id) FILTER (WHERE is_match AND match_id ${sql.raw(ascending ? ">" : "<")} ${position}) AS ids
      FROM (${selectRecent(source, query, plan)})
    ) CROSS JOIN json_each(${places}) place WHERE place.value = 0 OR ${id} IS NOT NULL`;
}

function selectRecent(source: RowSource, query: RowQuery, plan: RowPlan): SQL {
  const newest = { plan, range: { from: null, ascending: false, limit: RECENT_LIMIT } };
  const { required, tested } = indexConditions(source, query, newest);
  const where = [...required, ...startAfter(source, query, newest.range)];
  const names = columnsOf(Object.keys(orderOf(source, query).columns));
  return sql`SELECT ${sql.raw(`t.${searchIndexOf(source).rowIdColumn}`)} AS match_id, (${allOf(tested)}) AS is_match
    FROM ${sql.raw(`${source.table} t${indexHint(plan.index)}`)} WHERE ${allOf(where)}
    ${orderBy(names, newest.range)} LIMIT ${RECENT_LIMIT}`;
}

/** Returns the clause that names the index, so that SQLite never chooses another one by its statistics. */
function indexHint(index: string | null): string {
  if (index === null) return "";
  return index === "rowid" ? " NOT INDEXED" : ` INDEXED BY ${index}`;
}

const afterPosition = (source: RowSource, query: RowQuery, { plan, range }: Planned): SQL[] =>
  isBySearch(plan) ? [] : startAfter(source, query, range);

function startAfter(source: RowSource, query: RowQuery, range: RowRange): SQL[] {
  const order = orderOf(source, query);
  const names = columnsOf(Object.keys(order.columns));
  const values = startOf(order, query, range).map((value) => sql`${value}`);
  return [sql`(${commas(names)}) ${sql.raw(range.ascending ? ">" : "<")} (${commas(values)})`];
}

/** Only one of them is emitted: of two limits on one column SQLite seeks to the first and reads up to the other. */
function startOf(order: RowOrder, { bounds }: RowQuery, { from: cursor, ascending }: RowRange): Position {
  const kinds = Object.values(order.columns);
  const bound = bounds && isFirstColumnBounded(order, bounds) ? bounds[ascending ? "from" : "until"] : undefined;
  if (bound === undefined) return cursor ?? kinds.map((kind) => START[ascending ? "ascending" : "descending"][kind]);
  const first = cursor?.[0];
  // The position of a row that is queried is within the bounds, or not far outside.
  const isPastBound = typeof first === "object" || (ascending ? Number(first) >= bound : Number(first) < bound);
  if (cursor && isPastBound) return cursor;
  // Numbers of one column follow each other. Behind it stand the smallest values in both directions: read upwards, all
  // rows at the bound follow (`from` is inclusive); read downwards, none of them does (`until` is exclusive).
  return [kinds.length === 1 && ascending ? bound - 1 : bound, ...kinds.slice(1).map((kind) => START.ascending[kind])];
}

type Conditions = { required: SQL[]; tested: SQL[] };

/** What an index answers is required, so that no other rows are read. */
function conditionsOf(source: RowSource, query: RowQuery, planned: Planned): Conditions {
  const { clauses, bounds, selectedIds } = query;
  const where = clauses.map((clause) => clause.where);
  const always = alwaysTested(source, query, planned.plan);
  if (planned.plan.kind === "recent") return { required: [], tested: [] };
  if (isBySearch(planned.plan))
    return { required: [], tested: [...where, ...lowerBound(bounds), ...upperBound(bounds), ...always] };
  if (!selectedIds) return indexConditions(source, query, planned);
  const isSelected = sql`t.id IN (SELECT value FROM json_each(${JSON.stringify(selectedIds)}))`;
  return { required: [...where, isSelected], tested: always };
}

function indexConditions(source: RowSource, query: RowQuery, { plan, range }: Planned): Conditions {
  const { clauses, bounds } = query;
  const order = orderOf(source, query);
  const answers = order.indexes[plan.index ?? ""] ?? [];
  const answered = clauses.filter(({ key }) => answers.includes(key));
  const unanswered = clauses.filter(({ key }) => !answers.includes(key));
  const isBounded = bounds !== undefined && isFirstColumnBounded(order, bounds);
  // The bound where reading starts is part of the position.
  const end = range.ascending ? upperBound(bounds) : lowerBound(bounds);
  return {
    required: [...answered.map(({ where }) => where), ...(isBounded ? end : [])],
    tested: [
      ...unanswered.map(({ where }) => where),
      ...(isBounded ? [] : [...lowerBound(bounds), ...upperBound(bounds)]),
      ...alwaysTested(source, query, plan),
    ],
  };
}

function alwaysTested({ search: index }: RowSource, { search, unchangedSince }: RowQuery, { kind }: RowPlan): SQL[] {
  return [
    ...(unchangedSince === undefined ? [] : [sql`t.updated_at <= ${unchangedSince}`]),
    ...(search && index ? [hasTerm(index, search, kind)] : []),
  ];
}

const hasTerm = ({ foldedText, hasShort }: SearchIndex, search: string, kind: RowPlan["kind"]): SQL =>
  kind === "recent" && hasShort ? hasShort(search) : sql`instr(${sql.raw(foldedText)}, ${search}) > 0`;

const lowerBound = (bounds: Bounds | undefined): SQL[] =>
  bounds?.from === undefined ? [] : [sql`${sql.raw(`t.${bounds.column}`)} >= ${bounds.from}`];

const upperBound = (bounds: Bounds | undefined): SQL[] =>
  bounds?.until === undefined ? [] : [sql`${sql.raw(`t.${bounds.column}`)} < ${bounds.until}`];
