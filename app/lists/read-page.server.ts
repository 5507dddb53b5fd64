import type { Db } from "~/db/client.server";
import type { ListedRows } from "./model";
import { type Cursor, formatCursor, type PageRequest, pageOf } from "./paging.server";
import { planOf, scanLimitOf } from "./plan.server";
import type { RowQuery, RowSource } from "./row-source.server";
import { cursorFor, positionOf, type RowRange, selectRange } from "./search-sql.server";

export type RowWithCursor<Row> = { row: Row; cursor: Cursor };

type Columns = { columns: string };

export type PageInput = Columns & { query: RowQuery; page: PageRequest };

/** Where rows have left the list, so that nothing is left beyond its cursor, it is the first page. */
export async function readPage<Row>(db: Db, source: RowSource, input: PageInput): Promise<ListedRows<Row>> {
  const { query, page } = input;
  const read = await readPageAt<Row>(db, source, input);
  if (read.rows.length > 0 || read.scanned !== null) return read;
  // A search that goes on from page to page may end with none.
  const isSearchOn = page.after !== null && scanLimitOf(planOf(source, query), source) !== null;
  if (isSearchOn || (page.after ?? page.before) === null) return read;
  return readPageAt<Row>(db, source, { ...input, page: { ...page, after: null, before: null } });
}

function rangeOf(source: RowSource, { query, page, columns }: PageInput) {
  const after = cursorFor(source, query, page.after);
  const before = cursorFor(source, query, page.before);
  const ascending = before === null ? query.ascending : !query.ascending;
  return { after, before, range: { from: after ?? before, ascending, columns, limit: page.size + 1 } };
}

async function readPageAt<Row>(db: Db, source: RowSource, input: PageInput): Promise<ListedRows<Row>> {
  const { query, page } = input;
  const { after, before, range } = rangeOf(source, input);
  const isBackwards = before !== null;
  const scanLimit = scanLimitOf(planOf(source, query), source);
  const { limit } = range;
  const { matching, last } = scanLimit
    ? await readCandidates<Row>(db, source, query, { ...range, limit: scanLimit })
    : { matching: await readComplete<Row>(db, source, query, range), last: null };
  const { rows, ...neighbours } = pageOf({ ...page, after, before }, matching.slice(0, limit));
  const shown = { rows: rows.map(({ row }) => row), ...neighbours };
  if (!last || matching.length > page.size) return { ...shown, scanned: null };
  const lastScanned = formatCursor(last.cursor);
  return { ...shown, ...(isBackwards ? { previous: lastScanned } : { next: lastScanned }), scanned: scanLimit };
}

export async function countNewest(
  db: Db,
  source: RowSource,
  input: PageInput,
): Promise<{ looked: number; matching: number }> {
  const { range } = rangeOf(source, input);
  const statement = selectRange(source, input.query, { ...range, kind: "complete" });
  const [first] = await db.all<{ looked: number; matching: number }>(statement);
  return first ?? { looked: 0, matching: 0 };
}

export async function readComplete<Row>(
  db: Db,
  source: RowSource,
  query: RowQuery,
  range: RowRange & Columns,
): Promise<RowWithCursor<Row>[]> {
  const rows = await db.all<StoredRow>(selectRange(source, query, { ...range, kind: "complete" }));
  return rows.filter(({ cursor }) => cursor !== null).map((row) => positioned<Row>(row));
}

/** Scans as many rows as the limit says. Page and count build identical SQL, so the read batcher sends it once. */
export async function readCandidates<Row>(
  db: Db,
  source: RowSource,
  query: RowQuery,
  range: RowRange & Columns,
): Promise<{ matching: RowWithCursor<Row>[]; last: RowWithCursor<Row> | null }> {
  const rows = await db.all<StoredRow>(selectRange(source, query, { ...range, kind: "candidates" }));
  const last = rows.length === range.limit ? rows.at(-1) : undefined;
  return {
    matching: rows.filter(({ is_match }) => is_match === 1).map((row) => positioned<Row>(row)),
    last: last ? positioned<Row>(last) : null,
  };
}

export type Neighbours = { previous: string | null; next: string | null };

/** Not for a term that is too short for the search index: each of both would cost the search of the list again. */
export async function readNeighbours(
  db: Db,
  source: RowSource,
  query: RowQuery,
  { id, column }: { id: string; column: string },
): Promise<Neighbours> {
  const plan = planOf(source, query);
  if (plan.kind === "recent") return { previous: null, next: null };
  const from = positionOf(source, query, id);
  const scanLimit = scanLimitOf(plan, source);
  const first = async (ascending: boolean) => {
    const range = { from, ascending, columns: `t.${column} AS name` };
    const rows = scanLimit
      ? (await readCandidates<{ name: string }>(db, source, query, { ...range, limit: scanLimit })).matching
      : await readComplete<{ name: string }>(db, source, query, { ...range, limit: 1 });
    return rows[0]?.row.name ?? null;
  };
  const [previous, next] = await Promise.all([first(!query.ascending), first(query.ascending)]);
  return { previous, next };
}

type StoredRow = { cursor: string | null; looked?: number; matching?: number; is_match?: 0 | 1 | null } & Record<
  string,
  unknown
>;

function positioned<Row>({ cursor, is_match, looked, matching, ...row }: StoredRow): RowWithCursor<Row> {
  return { row: row as Row, cursor: JSON.parse(cursor ?? "[]") as Cursor };
}
