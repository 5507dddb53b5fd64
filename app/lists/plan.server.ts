import { invariant } from "~/lib/assert";
import type { Bounds, Clause, RowOrder, RowQuery, RowSource } from "./row-source.server";
import { isShort } from "./scope";

/**
 * Tells how the rows of a list are found. None of the four reads more with every row that is stored.
 * - `index`: one index holds them in order.
 * - `search`: the search index holds them in order.
 * - `filtered-search`: the search index cannot tell everything, so its matches are filtered, so many at a time.
 * - `filtered-scan`: the rows of an index are filtered, so many at a time.
 */
export type Plan = {
  kind: "index" | "search" | "filtered-search" | "filtered-scan";
  /** The index that is read in order. Null: the search index, or that of the ids. */
  index: string | null;
};

/** Limits how many rows a page reads before it asks whether to go on. A match costs its row as well. */
const SCAN_LIMITS = { "filtered-search": 75, "filtered-scan": 150 };

/** Returns how many rows a page of this plan reads; null where every row that is read is shown. */
export const scanLimitOf = ({ kind }: Plan): number | null =>
  kind === "filtered-search" || kind === "filtered-scan" ? SCAN_LIMITS[kind] : null;

/** Tells whether rows come from the search index, in the order of its row ids. */
export const isBySearch = ({ kind }: Plan): boolean => kind === "search" || kind === "filtered-search";

/** Chooses the plan of a query: the same for every page of it, whatever the table holds. */
export function planOf(source: RowSource, query: RowQuery): Plan {
  const { clauses, search, bounds, selectedIds } = query;
  if (selectedIds) return { kind: "index", index: null };
  const order = orderOf(source, query);
  const { name, answers } = bestIndex(order, clauses);
  const scan: Plan = { kind: "filtered-scan", index: name };
  if (!search) {
    const isAnswered = clauses.every(({ key }) => answers.includes(key)) && (!bounds || begins(order, bounds));
    if (isAnswered) return { kind: "index", index: name };
    return isKnownByWords(source, query) ? { kind: "search", index: null } : scan;
  }
  const unknown = clauses.filter((clause) => !isKnownBySearch(search, clause));
  if (unknown.some(({ isRare }) => isRare)) return scan;
  const isKnown = unknown.length === 0 && isKnownByIds(source, query);
  return { kind: isKnown ? "search" : "filtered-search", index: null };
}

/** Returns the order of a query; matches of a search have the order of their index. */
export function orderOf(source: RowSource, { order, search }: RowQuery): RowOrder {
  const found = source.orders[search ? (source.search?.order ?? order) : order];
  invariant(found, `${source.table} has no order ${order}`);
  return found;
}

/** Tells whether an order begins with the column of some bounds, so that its indexes are read between them. */
export const begins = ({ columns }: RowOrder, { column }: Bounds): boolean => Object.keys(columns)[0] === column;

/** Returns, of the indexes that hold only rows meeting the clauses, the one that answers most of them. */
function bestIndex({ indexes }: RowOrder, clauses: readonly Clause[]): { name: string; answers: readonly string[] } {
  const keys = clauses.map(({ key }) => key);
  const fitting = Object.entries(indexes).filter(([, answers]) => answers.every((key) => keys.includes(key)));
  const [best] = fitting.toSorted(([, left], [, right]) => right.length - left.length);
  invariant(best, `No index holds rows that are ${keys.join(", ") || "all"}`);
  return { name: best[0], answers: best[1] };
}

const isKnownBySearch = (search: string, { word, inLetters }: Clause): boolean =>
  isShort(search) ? inLetters === true : word !== undefined;

const isKnownByIds = ({ search }: RowSource, { bounds }: RowQuery): boolean =>
  !bounds || search?.ids?.column === bounds.column;

/** Tells whether the words of the search index hold, without a term, what no other index holds together. */
function isKnownByWords(source: RowSource, query: RowQuery): boolean {
  const { order, clauses } = query;
  if (source.search?.words === undefined || source.search.order !== order || !isKnownByIds(source, query)) return false;
  return clauses.every(({ word }) => word) && clauses.some(({ word }) => word && "has" in word);
}
