import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";

/** Holds notes that staff write about a subject. Edited when `updated_at` differs from `created_at`. */
export const adminNotes = sqliteTable(
  "admin_notes",
  {
    ...recordColumns(),
    subject_type: text("subject_type").notNull(),
    subject_id: text("subject_id").notNull(),
    admin_user_id: text("admin_user_id").notNull(),
    /** Holds the name of the author when it was written. */
    author_name: text("author_name").notNull(),
    note: text("note").notNull(),
  },
  (table) => [index("notes_by_subject").on(table.subject_type, table.subject_id, table.created_at, table.id)],
);
