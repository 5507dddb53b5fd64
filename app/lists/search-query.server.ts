import { type SQL, sql } from "drizzle-orm";
import { invariant } from "~/lib/assert";
import type { Bounds, RowQuery, RowSource, SearchIndex } from "./row-source.server";

/*
 * The SQL of a search. A list names its FTS5 table and its columns as `search` in its `definition.server.ts`; the
 * functions here make the MATCH of them. Paging and sorting around it: `range-sql.server.ts`.
 */

/** Stands above every row id. */
const LAST_ROW_ID = Number.MAX_SAFE_INTEGER;

/** Returns the search index of a list. Fails for a list without one. */
export function searchIndexOf({ table, search }: RowSource): SearchIndex {
  invariant(search, `${table} has no search index`);
  return search;
}

/**
 * Builds the search of a list: `FROM submission_search f WHERE f.submission_search MATCH …`. The `rowid` of the alias
 * `f` is the row id of the list's table. Contains the matches after the cursor, within the bounds that can be expressed
 * as row ids.
 */
export function searchMatches(
  source: RowSource,
  query: RowQuery,
  { from: cursor, ascending }: { from: readonly (number | string | SQL)[] | null; ascending: boolean },
): SQL {
  const index = searchIndexOf(source);
  const bounds = rowIdBounds(index, query.bounds);
  const position = cursor?.[0] ?? null;
  const beforeFirst = typeof bounds.from === "number" ? bounds.from - 1 : sql`${bounds.from} - 1`;
  const above = ascending ? later("max", beforeFirst, position) : beforeFirst;
  const below = ascending ? bounds.until : later("min", bounds.until, position);
  const name = sql.raw(index.table);
  // FTS5 uses integer rowid bounds only; a bound parameter may arrive as REAL.
  return sql`FROM ${name} f WHERE f.${name} MATCH ${trigramMatch(index, query)}
    AND f.rowid > CAST(${above} AS INTEGER) AND f.rowid < CAST(${below} AS INTEGER)`;
}

/** Returns the bound or the position, whichever leaves fewer rows; what is queried is compared by SQLite. */
export function later(pick: "max" | "min", bound: number | SQL, position: number | string | SQL | null): number | SQL {
  if (position === null) return bound;
  return typeof position === "object" || typeof bound === "object"
    ? sql`${sql.raw(pick)}(${bound}, ${position})`
    : Math[pick](bound, Number(position));
}

/** Returns the MATCH expression for the trigram index: the search term, restricted by the filter tokens. */
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

/** Returns the row ids within bounds: all of them where row ids do not increase with the bounded column. */
function rowIdBounds(
  { rowIdColumn, rowIdOrder }: SearchIndex,
  bounds: Bounds | undefined,
): Required<Pick<Bounds, "from" | "until">> {
  const { column, from = 0, until = LAST_ROW_ID } = bounds ?? {};
  if (column === rowIdColumn) return { from, until };
  if (!rowIdOrder || rowIdOrder.column !== column) return { from: 0, until: LAST_ROW_ID };
  const rowIdAt = (value: number | SQL, otherwise: number) =>
    value === otherwise ? otherwise : rowIdOrder.firstRowIdAt(Number(value));
  return { from: rowIdAt(from, 0), until: rowIdAt(until, LAST_ROW_ID) };
}
