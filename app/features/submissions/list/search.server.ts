import { seconds } from "~/lib/time";
import type { SearchIndex } from "~/lists/row-source.server";
import type { SubmissionStatus } from "../model";

/**
 * Describes the index that a search of submissions reads: `FROM submission_search f WHERE f.submission_search MATCH
 * 'search_text : "term" AND search_state : "s.n"'`. The SQL is written by `searchMatches` in
 * `lists/search-query.server.ts`, triggers of the database keep the table.
 */
export const SUBMISSION_SEARCH: SearchIndex = {
  table: "submission_search",
  textColumn: "search_text",
  tokenColumn: "search_state",
  foldedText: "t.search_text",
  rowIdColumn: "search_id",
  rowIdIndex: "submissions_found",
  order: "submitted",
  rowIdOrder: { column: "created_at", firstRowIdAt: (at) => Math.floor(at / seconds(1)) * 65_536 },
};

/** Holds the token of each status in the column `search_state`, by which a search is limited to it. */
export const STATUS_TOKENS: Record<SubmissionStatus | "held", string> = {
  new: "s.n",
  contacted: "s.c",
  resolved: "s.r",
  held: "s.h",
};

/** Returns the token of an owner in the column `search_state`. Ids of people begin with "usr_". */
export const ownerToken = (userId: string): string => `@${userId}.`;

/** Stands in the token of every owner. */
export const ANY_OWNER_TOKEN = "@usr_";
