import type { SQL } from "drizzle-orm";
import type { Instant } from "~/lib/time";

export type Clause = {
  /** The indexes of an order list the keys of the clauses they answer. */
  key: string;
  where: SQL;
  token?: { has: string } | { hasAny: readonly string[] } | { lacks: string };
  isRare?: boolean;
};

/** Its last column is unique, and none is ever NULL, so that every row has a position. */
export type RowOrder = {
  columns: Readonly<Record<string, "number" | "text">>;
  indexes: Readonly<Record<string, readonly string[]>>;
};

export type SearchIndex = {
  table: string;
  textColumn: string;
  /** A token has three characters or more. */
  tokenColumn?: string;
  rowIdColumn: string;
  /** Named, so that SQLite reads the rows of the matches by it whatever its statistics say. */
  rowIdIndex: string;
  order: string;
  rowIdOrder?: { column: string; firstRowIdAt: (value: number) => number };
  foldedText: string;
  hasShort?: (search: string) => SQL;
};

export const searchByNumber = (
  table: string,
  { rowIdIndex, order, rowIdColumn = "number" }: Pick<SearchIndex, "rowIdIndex" | "order"> & { rowIdColumn?: string },
) =>
  ({
    table,
    textColumn: "search_text",
    tokenColumn: "search_state",
    foldedText: "t.search_text",
    rowIdColumn,
    rowIdIndex,
    order,
  }) satisfies SearchIndex;

/** The first column after those of its clauses. */
export type Bounds = {
  column: string;
  from?: number;
  until?: number;
};

export type RowSource = {
  table: string;
  joins?: string;
  lookups?: Readonly<Record<string, string>>;
  orders: Readonly<Record<string, RowOrder>>;
  search?: SearchIndex;
  limits?: ReadLimits;
};

export type ReadLimits = {
  /**
   * Says how many rows of an index a page goes through where it answers a part of the conditions only; 150 without it.
   */
  scan?: number;
};

export type RowQuery = {
  order: string;
  ascending: boolean;
  clauses: readonly Clause[];
  search?: string;
  bounds?: Bounds;
  unchangedSince?: Instant;
  selectedIds?: readonly string[];
};
