import { invariant } from "~/lib/errors";
import { isShort } from "./criteria";
import type { Bounds, Clause, RowOrder, RowQuery, RowSource } from "./row-source.server";

/**
 * Describes how the rows of a list are found. With all of them the cost of a page does not grow with the number of
 * stored rows.
 * - `index`: one index has them in order.
 * - `search`: the search index has them in order.
 * - `filtered-search`: the search index cannot answer all conditions, so its matches are filtered, a limited number for
 *   each page.
 * - `filtered-scan`: the rows of an index are filtered, a limited number for each page.
 * - `recent`: the term is too short for the search index. The newest rows of an index are looked through for it.
 */
export type RowPlan = {
  kind: "index" | "search" | "filtered-search" | "filtered-scan" | "recent";
  index: string | null;
};

/** Lower for a search, because each match also costs a read of its row. */
const SCAN_LIMITS = { "filtered-search": 75, "filtered-scan": 150 };

export function scanLimitOf({ kind }: RowPlan, { limits }: RowSource): number | null {
  if (kind === "filtered-scan") return limits?.scan ?? SCAN_LIMITS[kind];
  return kind === "filtered-search" ? SCAN_LIMITS[kind] : null;
}

export const isBySearch = ({ kind }: RowPlan): boolean =>
  kind === "search" || kind === "filtered-search" || kind === "recent";

/** It depends on the query only, so all pages of a list have the same. */
export function planOf(source: RowSource, query: RowQuery): RowPlan {
  if (query.selectedIds) return { kind: "index", index: null };
  return query.search ? searchPlan(source, query, query.search) : indexPlan(source, query);
}

function indexPlan(source: RowSource, query: RowQuery): RowPlan {
  const { clauses, bounds } = query;
  const order = orderOf(source, query);
  const { name, answers } = bestIndex(order, clauses);
  const canReadBounds = !bounds || isFirstColumnBounded(order, bounds);
  if (canReadBounds && clauses.every(({ key }) => answers.includes(key))) return { kind: "index", index: name };
  if (canAnswerByTokens(source, query)) return { kind: "search", index: null };
  return { kind: "filtered-scan", index: name };
}

function searchPlan(source: RowSource, query: RowQuery, search: string): RowPlan {
  const { clauses } = query;
  const index = bestIndex(orderOf(source, query), clauses).name;
  if (isShort(search)) return { kind: "recent", index };
  const unanswered = clauses.filter(({ token }) => token === undefined);
  if (unanswered.some(({ isRare }) => isRare)) return { kind: "filtered-scan", index };
  const isAnswered = unanswered.length === 0 && canAnswerByRowIds(source, query);
  return { kind: isAnswered ? "search" : "filtered-search", index: null };
}

export function orderOf(source: RowSource, { order, search }: RowQuery): RowOrder {
  const found = source.orders[search ? (source.search?.order ?? order) : order];
  invariant(found, `${source.table} has no order ${order}`);
  return found;
}

/** Tells whether the bounds limit the first column of an order, so that its indexes can be read from bound to bound. */
export const isFirstColumnBounded = ({ columns }: RowOrder, { column }: Bounds): boolean =>
  Object.keys(columns)[0] === column;

function bestIndex({ indexes }: RowOrder, clauses: readonly Clause[]): { name: string; answers: readonly string[] } {
  const keys = clauses.map(({ key }) => key);
  const usable = Object.entries(indexes).filter(([, answers]) => answers.every((key) => keys.includes(key)));
  const [best] = usable.toSorted(([, left], [, right]) => right.length - left.length);
  invariant(best, `No index holds rows that are ${keys.join(", ") || "all"}`);
  return { name: best[0], answers: best[1] };
}

const canAnswerByRowIds = ({ search }: RowSource, { bounds }: RowQuery): boolean =>
  !bounds || search?.rowIdColumn === bounds.column || search?.rowIdOrder?.column === bounds.column;

function canAnswerByTokens(source: RowSource, query: RowQuery): boolean {
  const { order, clauses } = query;
  if (source.search?.tokenColumn === undefined || source.search.order !== order) return false;
  if (!canAnswerByRowIds(source, query)) return false;
  return clauses.every(({ token }) => token) && clauses.some(({ token }) => token && !("lacks" in token));
}
