import type { SQL } from "drizzle-orm";
import type { Instant } from "~/lib/time";

/** Describes one condition of a list, over the alias `t` of its table, and which indexes can answer it. */
export type Clause = {
  /** Names the condition. The indexes of an order list the keys of the clauses they answer. */
  key: string;
  where: SQL;
  /**
   * Names the filter token that the rows have, or lack, in the search index, or those of which they have one: what a
   * person may see is often "shared, or one's own". Absent: the search index cannot filter by it.
   */
  token?: { has: string } | { hasAny: readonly string[] } | { lacks: string };
  /**
   * Tells whether few rows meet the condition: where no index answers all of a search, these rows are scanned, not the
   * matches.
   */
  isRare?: boolean;
};

/**
 * Describes an order of the rows. Its last column is unique, and none is ever NULL, so that every row has a position.
 */
export type RowOrder = {
  columns: Readonly<Record<string, "number" | "text">>;
  /**
   * Names the indexes with the rows in this order, each with the keys of the clauses it answers. `rowid` is the table
   * itself.
   */
  indexes: Readonly<Record<string, readonly string[]>>;
};

/**
 * Describes the full-text index of a list: an FTS5 table whose row ids increase in one of the orders of the list. The
 * SQL is built by `searchMatches` in `search-query.server.ts`.
 */
export type SearchIndex = {
  /** Names the FTS5 table of trigrams. */
  table: string;
  /** Names the column of that table with the searched text. */
  textColumn: string;
  /**
   * Names the column of that table with the filter tokens, such as status and owner. A token has three characters or
   * more.
   */
  tokenColumn?: string;
  /** Names the column of the list's table that holds the row id of the FTS5 table. */
  rowIdColumn: string;
  /**
   * Names the unique index of that column; `rowid` where it is the primary key. It is named, so that SQLite reads the
   * rows of the matches by it even where its statistics are of a time when the table was all but empty.
   */
  rowIdIndex: string;
  /** Names the order in which row ids increase. */
  order: string;
  /** Names another column with which row ids increase, and the first row id at one of its values, a number. */
  rowIdOrder?: { column: string; firstRowIdAt: (value: number) => number };
  /** Selects the folded text of a row, over `t`, which the term is compared with. */
  foldedText: string;
  /** Returns the condition that a row has a short term, where comparing it with `foldedText` reads another row each. */
  hasShort?: (search: string) => SQL;
};

/**
 * Describes the search of a table whose rows are numbered in the order in which they were made, by the column `number`:
 * `rowIdIndex` is the unique index of the number.
 */
export const searchByNumber = (table: string, { rowIdIndex, order }: Pick<SearchIndex, "rowIdIndex" | "order">) =>
  ({
    table,
    textColumn: "search_text",
    tokenColumn: "search_state",
    foldedText: "t.search_text",
    rowIdColumn: "number",
    rowIdIndex,
    order,
  }) satisfies SearchIndex;

/**
 * Limits the values of a column. An index answers it whose first column after those of its clauses is this one. A bound
 * may be a query, where the order has this column only.
 */
export type Bounds = {
  column: string;
  /** Holds the lower bound, inclusive. */
  from?: number | SQL;
  /** Holds the upper bound, exclusive. */
  until?: number | SQL;
};

/** Describes the table behind a list. */
export type RowSource = {
  table: string;
  /** Lists joined tables, read for the rows of a page only: `LEFT JOIN users u ON u.id = t.owner_id`. */
  joins?: string;
  /** Selects values of a page's rows from other tables: subqueries over `t`, read for rows that match only. */
  lookups?: Readonly<Record<string, string>>;
  orders: Readonly<Record<string, RowOrder>>;
  search?: SearchIndex;
  limits?: ReadLimits;
};

/** Limits what a page reads beside the rows that it shows. */
export type ReadLimits = {
  /**
   * Says how many rows of an index a page goes through where it answers a part of the conditions only; 150 without it.
   */
  scan?: number;
};

/** Describes which rows are read, and in which order. */
export type RowQuery = {
  order: string;
  /** Tells whether the first row of the list has the smallest values. */
  ascending: boolean;
  clauses: readonly Clause[];
  /** Holds the search term, folded. */
  search?: string;
  bounds?: Bounds;
  /** Leaves out rows that were created or changed after this instant. */
  unchangedSince?: Instant;
  /** Lists the ids of the rows to read, instead of those of an index. */
  selectedIds?: readonly string[];
};
