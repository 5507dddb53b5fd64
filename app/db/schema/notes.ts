import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";
import { contactSubmissions } from "./submissions";

/** What staff write to each other about a request. Edited when `updated_at` differs from `created_at`. */
export const adminNotes = sqliteTable(
  "admin_notes",
  {
    ...recordColumns(),
    submission_id: text("submission_id")
      .notNull()
      .references(() => contactSubmissions.id, { onDelete: "cascade" }),
    admin_user_id: text("admin_user_id").notNull(),
    /** As the author was called when it was written. */
    author_name: text("author_name").notNull(),
    note: text("note").notNull(),
  },
  (table) => [index("notes_by_submission").on(table.submission_id, table.created_at, table.id)],
);
