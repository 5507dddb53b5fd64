import { type SQL, sql } from "drizzle-orm";
import { invariant } from "~/lib/assert";
import type { Cursor } from "./paging.server";
import type { RowQuery, RowSource, SearchIndex } from "./row-source.server";
import { isShort } from "./scope";

/**
 * Quotes a text for the query language of an index, to be found letter by letter: nothing in it has a meaning of its
 * own.
 */
const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Returns what is asked of the index of trigrams: the term, within what its words know. */
function trigramQuery({ text, words }: SearchIndex, { search, clauses }: RowQuery): string {
  const word = (letters: string) => `${words} : ${phrase(letters)}`;
  const all = search ? [`${text} : ${phrase(search)}`] : [];
  const none: string[] = [];
  for (const clause of clauses) {
    if (!clause.word) continue;
    if ("has" in clause.word) all.push(word(clause.word.has));
    else none.push(word(clause.word.lacks));
  }
  return [`(${all.join(" AND ")})`, ...none].join(" NOT ");
}

/** Returns one or two letters as the index of letters has them: the hexadecimal digits of their bytes. */
const lettersQuery = (search: string) => phrase(Buffer.from(search).toString("hex"));

const LAST = Number.MAX_SAFE_INTEGER;

export const searchIndexOf = ({ table, search }: RowSource): SearchIndex => {
  invariant(search, `${table} has no search index`);
  return search;
};

/**
 * Returns the matches of a query as `FROM … WHERE …` over the alias `f`, whose `rowid` is the row id of the list's
 * table: beyond a position, within the bounds that row ids know.
 */
export function matchesOf(
  source: RowSource,
  query: RowQuery,
  { from: cursor, ascending }: { from: Cursor | null; ascending: boolean },
): SQL {
  const index = searchIndexOf(source);
  const { first, end } = idsWithin(index, query);
  const position = cursor ? Number(cursor[0]) : null;
  const lower = Math.max(first - 1, position !== null && ascending ? position : -1);
  const upper = Math.min(end, position !== null && !ascending ? position : LAST);
  const { search } = query;
  const [table, asked] =
    search && isShort(search) && index.letters
      ? [index.letters, lettersQuery(search)]
      : [index.table, trigramQuery(index, query)];
  const name = sql.raw(table);
  // The index makes use of whole numbers only, and a bound value may be of another kind.
  return sql`FROM ${name} f WHERE f.${name} MATCH ${asked}
    AND f.rowid > CAST(${lower} AS INTEGER) AND f.rowid < CAST(${upper} AS INTEGER)`;
}

/** Returns the row ids within the bounds of a query: all of them where the ids do not rise with that column. */
function idsWithin({ ids }: SearchIndex, { bounds }: RowQuery): { first: number; end: number } {
  if (!ids || ids.column !== bounds?.column) return { first: 0, end: LAST };
  const { from, until } = bounds;
  return {
    first: from === undefined ? 0 : ids.firstOf(from),
    end: until === undefined ? LAST : ids.firstOf(until),
  };
}
