import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";

export const adminNotes = sqliteTable(
  "admin_notes",
  {
    ...recordColumns(),
    subject_type: text("subject_type").notNull(),
    subject_id: text("subject_id").notNull(),
    admin_user_id: text("admin_user_id").notNull(),
    author_name: text("author_name").notNull(),
    note: text("note").notNull(),
  },
  (table) => [index("notes_by_subject").on(table.subject_type, table.subject_id, table.created_at, table.id)],
);

/** Stored files. Their bytes are in R2 under `r2_key`; knowing a key is no permission to read the file. */
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
    /**
     * The subject the file was sent with: who may see it may download the file. A file without a subject is deleted.
     */
    subject_type: text("subject_type"),
    subject_id: text("subject_id"),
    /** The message of the ticket that it came with; NULL: with the description, or its subject has no messages. */
    message_id: text("message_id"),
  },
  (table) => [
    index("attachments_by_time").on(table.created_at),
    index("attachments_by_subject").on(table.subject_type, table.subject_id),
  ],
);
