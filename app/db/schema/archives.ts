import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const ARCHIVE_STATES = ["asked", "making", "ready", "failed", "ended"] as const;

/**
 * Archives of an organization, or of everything, which only who asked for one may fetch. The job `make-archives` makes
 * them a part at a time, and deletes what has ended. They refer to nothing: their files go before their rows.
 */
export const archives = sqliteTable(
  "archives",
  {
    id: text("id").primaryKey(),
    /** Empty: everything. */
    organization_id: text("organization_id").notNull(),
    requested_by: text("requested_by").notNull(),
    requested_at: integer("requested_at").notNull(),
    /** Whether internal notes are in it, and what else only staff may read. */
    for_staff: integer("for_staff", { mode: "boolean" }).notNull(),
    /** `ended`: something in it was erased, or who asked has asked again. */
    state: text("state", { enum: ARCHIVE_STATES }).notNull(),
    /** Grows with each part that is done: two runs at once do no part twice. */
    version: integer("version").notNull().default(1),
    /** Of tickets, each of which is written as a page and as a line. */
    done: integer("done").notNull().default(0),
    total: integer("total").notNull().default(0),
    /** How to go on: see `Progress` in features/archives. */
    progress_json: text("progress_json"),
    /** Of the part that is next. */
    failures: integer("failures").notNull().default(0),
    file_key: text("file_key"),
    size: integer("size").notNull().default(0),
    expires_at: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("one_archive_each")
      .on(table.requested_by, table.organization_id, table.for_staff)
      .where(sql`state <> 'ended'`),
    index("archives_to_make").on(table.requested_at).where(sql`state in ('asked', 'making')`),
    index("archives_by_end").on(table.expires_at),
  ],
);
