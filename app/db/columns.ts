import { integer, text } from "drizzle-orm/sqlite-core";

/** The first columns of every record a person can change. Instants are UTC milliseconds. */
export const recordColumns = () => ({
  id: text("id").primaryKey(),
  created_at: integer("created_at").notNull(),
  updated_at: integer("updated_at").notNull(),
  /** Raised by each edit of text; a form that carries an older one is answered with 409. */
  version: integer("version").notNull().default(1),
});
