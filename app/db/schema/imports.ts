import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";

export const IMPORT_KINDS = ["organizations", "people", "tickets"] as const;
export const IMPORT_PRESETS = ["generic", "itflow", "freescout", "zammad", "osticket", "syncro", "halo"] as const;
export const IMPORT_STATES = [
  "reading",
  "columns",
  "checking",
  "checked",
  "running",
  "done",
  "undoing",
  "undone",
  "failed",
] as const;
export const IMPORT_OUTCOMES = ["add", "noted", "exists", "refused"] as const;

/** Files that administrators move in with. The job `continue-imports` goes on with what is not finished. */
export const imports = sqliteTable(
  "imports",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: IMPORT_KINDS }).notNull(),
    preset: text("preset", { enum: IMPORT_PRESETS }).notNull(),
    state: text("state", { enum: IMPORT_STATES }).notNull(),
    /** Grows with each part that is done: two runs at once do no part twice. */
    version: integer("version").notNull().default(1),
    created_by: text("created_by").references(() => users.id, { onDelete: "set null" }),
    created_at: integer("created_at").notNull(),
    file_name: text("file_name").notNull(),
    file_key: text("file_key").notNull(),
    file_size: integer("file_size").notNull(),
    /** The ZIP that the file with the rows came out of, and that holds the files of its tickets; empty: none. */
    archive_key: text("archive_key").notNull().default(""),
    archive_size: integer("archive_size").notNull().default(0),
    /** How the file is written and what its columns hold: see `FileFacts` in features/import. */
    file_json: text("file_json"),
    /** Which column becomes what, as its reader has chosen. */
    mapping_json: text("mapping_json"),
    /** How much of the work under way is done: bytes of the file, rows that are written, records that are undone. */
    position: integer("position").notNull().default(0),
    rows: integer("rows").notNull().default(0),
    added: integer("added").notNull().default(0),
    messages: integer("messages").notNull().default(0),
    removed: integer("removed").notNull().default(0),
    kept: integer("kept").notNull().default(0),
    /** The first and the last number that its tickets got. */
    first_number: integer("first_number"),
    last_number: integer("last_number"),
    /** Why nothing more can be done with the file. */
    problem: text("problem"),
    /** Of the part that is next. */
    failures: integer("failures").notNull().default(0),
    started_at: integer("started_at"),
    finished_at: integer("finished_at"),
    undone_at: integer("undone_at"),
  },
  (table) => [
    index("imports_newest").on(table.created_at),
    index("imports_by_person").on(table.created_by).where(sql`created_by is not null`),
    index("imports_to_do").on(table.created_at).where(sql`state in ('reading', 'checking', 'running', 'undoing')`),
  ],
);

/** What becomes of each row of a file. They go with the file, a week after it. */
export const importRows = sqliteTable(
  "import_rows",
  {
    import_id: text("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** Its place in the file: the row under the names of the columns is 1. */
    row: integer("row").notNull(),
    outcome: text("outcome", { enum: IMPORT_OUTCOMES }).notNull(),
    /** What will be different from the file, or why it is left out. */
    reason: text("reason").notNull().default(""),
    label: text("label").notNull(),
    /** By which two rows of a file are the same. */
    key: text("key").notNull(),
    /** And by this: the old id of an organization. */
    old_id: text("old_id"),
    /** When it was opened, by which tickets get their numbers. */
    at: integer("at").notNull().default(0),
    /** What is written, as JSON; NULL once it is, and of rows that are left out. */
    data: text("data"),
    target_id: text("target_id"),
  },
  (table) => [
    primaryKey({ columns: [table.import_id, table.row] }),
    index("import_rows_by_key").on(table.import_id, table.key),
    index("import_rows_by_old_id").on(table.import_id, table.old_id).where(sql`old_id is not null`),
    index("import_rows_to_write").on(table.import_id, table.at, table.row).where(sql`data is not null`),
    index("import_rows_by_outcome").on(table.import_id, table.outcome, table.row),
  ],
);

/** What an import has added, so that a later file adds only what is new, and an undo takes nothing else away. */
export const importedRecords = sqliteTable(
  "imported_records",
  {
    target_id: text("target_id").notNull(),
    import_id: text("import_id")
      .notNull()
      .references(() => imports.id),
    kind: text("kind", { enum: ["organization", "contact", "ticket", "message"] }).notNull(),
    source: text("source", { enum: IMPORT_PRESETS }).notNull(),
    old_number: text("old_number"),
    /** The messages of a ticket, as many as the file had. */
    messages: integer("messages").notNull().default(0),
    added_at: integer("added_at").notNull(),
    /** Somebody has changed it since, so that the undo has left it. */
    is_kept: integer("is_kept", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    // An organization may come from two products, each with an id of its own.
    primaryKey({ columns: [table.target_id, table.source] }),
    uniqueIndex("imported_once").on(table.kind, table.source, table.old_number).where(sql`old_number is not null`),
    index("records_of_import").on(table.import_id, table.is_kept, table.kind),
  ],
);

/**
 * What the words of other products mean here: asked once. Of an organization the word is its folded name, and the
 * meaning another organization, `make` or `leave`.
 */
export const importWords = sqliteTable(
  "import_words",
  {
    source: text("source", { enum: IMPORT_PRESETS }).notNull(),
    field: text("field", { enum: ["status", "priority", "assignee", "organization"] }).notNull(),
    word: text("word").notNull(),
    meaning: text("meaning").notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.field, table.word] })],
);
