import type { Instant } from "~/lib/time";
import type { MatchCount } from "./match-count";

/**
 * Holds the rows of a page and the cursors of its neighbours: `before=<previous>`, `after=<next>`. Null: no such page.
 */
export type Page<Row> = { rows: Row[]; previous: string | null; next: string | null };

export type ListPage<Row> = Page<Row> & {
  /**
   * Counts the rows scanned when the limit stopped the page early; `next` continues there (`previous`, where the page
   * was read backwards). Null: no matching row was left out.
   */
  scanned: number | null;
};

/** Holds what a page shows of a list, with the site's time zone and the instant it was read. */
export type ListRead<View> = { page: ListPage<View>; total: MatchCount; zone: string; readAt: Instant };

/** Names a file of a list, and what is in it: "12 submissions". */
export type LoadedFile = { to: string; content: string };
