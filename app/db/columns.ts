import { integer, text } from "drizzle-orm/sqlite-core";

export const recordColumns = () => ({
  id: text("id").primaryKey(),
  created_at: integer("created_at").notNull(),
  updated_at: integer("updated_at").notNull(),
  /** Is incremented by each edit of text. A form with an older version gets a 409 response. */
  version: integer("version").notNull().default(1),
});

export const numberedColumns = () => ({ ...recordColumns(), id: text("id").notNull().unique() });
