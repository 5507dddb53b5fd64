import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Holds one row per setting that differs from its default; the value is JSON. */
export const settings = sqliteTable("settings", {
  key: text("key").primaryKey(),
  value_json: text("value_json").notNull(),
  version: integer("version").notNull().default(1),
  updated_at: integer("updated_at").notNull(),
  updated_by: text("updated_by"),
});
