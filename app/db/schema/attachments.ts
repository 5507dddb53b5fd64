import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A stored file. Its bytes lie in R2 under `r2_key`; a key is never an authorization. */
export const attachments = sqliteTable(
  "attachments",
  {
    id: text("id").primaryKey(),
    r2_key: text("r2_key").notNull().unique(),
    name: text("name").notNull(),
    kind: text("kind").notNull(),
    size: integer("size").notNull(),
    sha256: text("sha256").notNull(),
    created_at: integer("created_at").notNull(),
    /** What the file was sent with: whoever may see that may download it. A file without a subject is swept away. */
    subject_type: text("subject_type"),
    subject_id: text("subject_id"),
  },
  (table) => [
    index("attachments_by_time").on(table.created_at),
    index("attachments_by_subject").on(table.subject_type, table.subject_id),
  ],
);
