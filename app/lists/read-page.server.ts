import type { Db } from "~/db/client.server";
import { type Cursor, formatCursor, type Page, type PageRequest, pageOf } from "./paging.server";
import { planOf, scanLimitOf } from "./plan.server";
import { cursorFor, type Range, selectRange } from "./range-sql.server";
import type { RowQuery, RowSource } from "./row-source.server";

export type ListPage<Row> = Page<Row> & {
  /** So many rows were read and did not fill the page: `older` goes on from there. Null: nothing is left out. */
  scanned: number | null;
};

/** Holds a row and its position in the list. */
export type Placed<Row> = { row: Row; cursor: Cursor };

type Columns = { columns: string };

/** Fetches one page. What it reads grows with the page only, however many rows there are. */
export async function readPage<Row>(
  db: Db,
  source: RowSource,
  { query, page, columns }: Columns & { query: RowQuery; page: PageRequest },
): Promise<ListPage<Row>> {
  const after = cursorFor(source, query, page.after);
  const before = cursorFor(source, query, page.before);
  const ascending = query.ascending !== (before !== null);
  const scanLimit = scanLimitOf(planOf(source, query));
  const limit = page.size + 1;
  const range = { from: after ?? before, ascending, columns };
  const { fitting, last } = scanLimit
    ? await readCandidates<Row>(db, source, query, { ...range, limit: scanLimit })
    : { fitting: await readComplete<Row>(db, source, query, { ...range, limit }), last: null };
  const request = { ...page, after, before };
  const { rows, newer, older } = pageOf(request, fitting.slice(0, limit));
  const shown = rows.map(({ row }) => row);
  if (!last || fitting.length > page.size) return { rows: shown, newer, older, scanned: null };
  const further = formatCursor(last.cursor);
  return before
    ? { rows: shown, newer: further, older, scanned: scanLimit }
    : { rows: shown, newer, older: further, scanned: scanLimit };
}

/** Fetches rows that meet a query, as many as the limit says. */
export async function readComplete<Row>(
  db: Db,
  source: RowSource,
  query: RowQuery,
  range: Range & Columns,
): Promise<Placed<Row>[]> {
  const rows = await db.all<StoredRow>(selectRange(source, query, { ...range, kind: "complete" }));
  return rows.map((row) => placed<Row>(row));
}

/**
 * Fetches candidates one by one: those that meet the query, and the last one where there may be more behind it. Page
 * and count ask for the same candidates in the same words, so on the first page they are read once.
 */
export async function readCandidates<Row>(
  db: Db,
  source: RowSource,
  query: RowQuery,
  range: Range & Columns,
): Promise<{ fitting: Placed<Row>[]; last: Placed<Row> | null }> {
  const rows = await db.all<StoredRow>(selectRange(source, query, { ...range, kind: "candidates" }));
  const last = rows.length === range.limit ? rows.at(-1) : undefined;
  return {
    fitting: rows.filter(({ fits }) => fits === 1).map((row) => placed<Row>(row)),
    last: last ? placed<Row>(last) : null,
  };
}

type StoredRow = { cursor: string; fits?: 0 | 1 | null } & Record<string, unknown>;

function placed<Row>({ cursor, fits, ...row }: StoredRow): Placed<Row> {
  return { row: row as Row, cursor: JSON.parse(cursor) as Cursor };
}
