import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";

/** Holds saved views of a list: the query string of its address, under a name. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: text("id").primaryKey(),
    /** Names the list, such as `submissions`. */
    list: text("list").notNull(),
    owner_id: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Is 1 if all staff see it; only the owner can delete it. */
    shared: integer("shared").notNull(),
    name: text("name").notNull(),
    query: text("query").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (table) => [
    index("saved_views_by_owner").on(table.list, table.owner_id, table.created_at),
    index("saved_views_shared").on(table.list, table.created_at).where(sql`shared = 1`),
  ],
);
