import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Counts how often an address without a page was asked for, per path and UTC day. Kept 30 days. It names nobody, and
 * the number of paths per day is limited. The row with the empty path is the whole day: all its requests, also those to
 * paths that are not kept.
 */
export const missingPaths = sqliteTable(
  "missing_paths",
  {
    day: text("day").notNull(),
    path: text("path").notNull(),
    /** Numbers the paths of the day; of the whole day: how many there are, so that nobody counts rows. */
    number: integer("number").notNull(),
    hits: integer("hits").notNull(),
  },
  // No index by hits: a row more for each count, to save a page for administrators the sorting of a thousand.
  (table) => [primaryKey({ columns: [table.day, table.path] })],
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

/** One row per setting that differs from its default; the value is JSON. */
export const settings = sqliteTable("settings", {
  key: text("key").primaryKey(),
  value_json: text("value_json").notNull(),
  version: integer("version").notNull().default(1),
  updated_at: integer("updated_at").notNull(),
  updated_by: text("updated_by"),
});
