import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The nightly backups, which lie in the file store. At most one is under way. */
export const backups = sqliteTable(
  "backups",
  {
    /** The time at which it was begun: see `backupIdAt`. */
    id: text("id").primaryKey(),
    started_at: integer("started_at").notNull(),
    /** Grows with each slice, and is in the names of its pages: no slice writes over what another one wrote. */
    version: integer("version").notNull(),
    recipient: text("recipient").notNull(),
    /** How far it is, and what its manifest will say: `Progress` in features/backup. Null when it is finished. */
    progress: text("progress"),
    finished_at: integer("finished_at"),
    rows: integer("rows"),
    files: integer("files"),
    /** Of the sealed pages. */
    bytes: integer("bytes"),
    /** When it was taken out of the file store: not kept any longer, or never finished. */
    removed_at: integer("removed_at"),
    proven_at: integer("proven_at"),
    proven_rows: integer("proven_rows"),
    proven_ms: integer("proven_ms"),
  },
  (table) => [
    index("backups_present").on(table.id).where(sql`removed_at is null`),
    index("backups_proven").on(table.proven_at).where(sql`proven_at is not null`),
  ],
);

/** Rows that have changed since the backup under way began: triggers that stand meanwhile write them down. */
export const backupChanges = sqliteTable(
  "backup_changes",
  { table_name: text("table_name").notNull(), row: integer("row").notNull() },
  (table) => [primaryKey({ columns: [table.table_name, table.row] })],
);

/** Files that lie sealed beside the backups, so that each is read and sealed once. */
export const backupFiles = sqliteTable(
  "backup_files",
  {
    key: text("key").notNull(),
    etag: text("etag").notNull(),
    recipient: text("recipient").notNull(),
    sha256: text("sha256").notNull(),
    /** The first backup that refers to it, and the first one after that which does not. */
    since: text("since").notNull(),
    gone: text("gone"),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.etag, table.recipient] }),
    index("backup_files_by_hash").on(table.sha256),
    index("backup_files_gone").on(table.gone).where(sql`gone is not null`),
  ],
);
