import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Counts how often an address without a page was asked for, per path and UTC day. Kept 30 days. It names nobody, and
 * the number of paths per day is limited: all others share the empty path.
 */
export const missingPaths = sqliteTable(
  "missing_paths",
  {
    day: text("day").notNull(),
    path: text("path").notNull(),
    /** Counts the paths of the day, so that the limit is checked without counting rows. */
    number: integer("number").notNull(),
    hits: integer("hits").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.path] }),
    index("missing_paths_by_number").on(table.day, table.number),
    index("missing_paths_by_hits").on(table.day, table.hits),
  ],
);

/** Counts how often each public page was opened, per UTC day. Kept 400 days. It names nobody. */
export const pageViews = sqliteTable(
  "page_views",
  {
    day: text("day").notNull(),
    path: text("path").notNull(),
    views: integer("views").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.path] })],
);
