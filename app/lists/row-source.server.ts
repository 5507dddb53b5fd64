import type { SQL } from "drizzle-orm";
import type { Instant } from "~/lib/time";

/** Describes one condition of a list, over the alias `t` of its table, and what is known of finding rows by it. */
export type Clause = {
  /** Names the condition: the indexes of an order say which ones they answer. */
  key: string;
  where: SQL;
  /** By which word the search index knows it. Absent: that index cannot tell. */
  word?: { has: string } | { lacks: string };
  /** Whether the index of one and two letters holds only rows that meet it. */
  inLetters?: boolean;
  /** Few rows meet it: where no index answers everything, those are scanned rather than the matches of a search. */
  isRare?: boolean;
};

/**
 * Describes an order of the rows. Its last column is unique, and none is ever NULL, so that every row has a position.
 */
export type RowOrder = {
  columns: Readonly<Record<string, "number" | "text">>;
  /** The indexes that hold the rows in this order, each with the clauses it answers. `rowid` is the table itself. */
  indexes: Readonly<Record<string, readonly string[]>>;
};

/** Describes where the texts of a list are found: FTS5 tables whose row ids rise in one of the orders of the list. */
export type SearchIndex = {
  /** The table of trigrams, and its column of texts. */
  table: string;
  text: string;
  /** Its column of words, such as status and owner, each of three letters or more. */
  words?: string;
  /** The column of the list's table that holds the row id. */
  rowId: string;
  /** The order in which row ids rise. */
  order: string;
  /** The column with which row ids rise too, and the first id of a value of it. */
  ids?: { column: string; firstOf: (value: number) => number };
  /** The table of one and two letters. A list without it finds three letters and more. */
  letters?: string;
  /** The column of the list's table with the folded text. Without it rows cannot be scanned for a text. */
  folded?: string;
};

/**
 * Tells between which values of a column rows lie. An index answers it that begins with the column, after its clauses.
 */
export type Bounds = {
  column: string;
  /** Inclusive. */
  from?: number;
  /** Exclusive. */
  until?: number;
};

/** Describes the table behind a list. */
export type RowSource = {
  table: string;
  /** Tables beside it, read for the rows of a page only: `LEFT JOIN users u ON u.id = t.owner_id`. */
  joins?: string;
  orders: Readonly<Record<string, RowOrder>>;
  search?: SearchIndex;
};

/** Holds what is asked of the table. */
export type RowQuery = {
  order: string;
  /** Whether the first row of the list has the smallest values. */
  ascending: boolean;
  clauses: readonly Clause[];
  /** Folded. */
  search?: string;
  bounds?: Bounds;
  unchangedSince?: Instant;
  selectedIds?: readonly string[];
};
