import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };

/** Selects the rows of the catalogue that a statement of ours has made, and not SQLite or D1 for itself. */
const OURS = "sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";

/** Limits the characters of one message: D1 takes a hundred thousand. */
const MESSAGE_LENGTH = 50_000;

/** Keeps what the first file has migrated, for as long as the runtime lives. */
const cache = globalThis as { migratedDatabase?: string[] };

/**
 * Brings the schema into an empty database, with the rows that migrations write. The first time by the migrations, then
 * by the statements that say what they have led to: a sixth of the work.
 */
export async function emptyDatabase() {
  if (cache.migratedDatabase) {
    for (const message of cache.migratedDatabase) await DB.prepare(message).run();
    return;
  }
  await migrateCompletely(DB);
  cache.migratedDatabase = joined(await describeDatabase(DB));
}

/** Applies all migrations as one, which is one message for all statements. */
export const migrateCompletely = (db: D1Database) =>
  applyD1Migrations(db, [{ name: "all", queries: TEST_MIGRATIONS.flatMap(({ queries }) => queries) }]);

/** Returns the statements that make a database as it is: tables and indexes, rows, then views and triggers. */
export async function describeDatabase(db: D1Database): Promise<string[]> {
  const { results: catalogue } = await db
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE ${OURS} AND name NOT IN (
        SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`,
    )
    .all<{ type: string; name: string; sql: string }>();
  const tables = catalogue.filter(({ type }) => type === "table");
  const others = catalogue.filter(({ type }) => type !== "table");
  const isIndex = ({ sql }: { sql: string }) => /^CREATE VIRTUAL TABLE \S+ USING fts5/i.test(sql);
  const rows = await Promise.all(
    tables.map((table) => (isIndex(table) ? optionsOf(db, table.name) : insertsOf(db, table.name))),
  );
  const indexes = others.filter(({ type }) => type === "index");
  const rest = others.filter(({ type }) => type !== "index");
  return [...[...tables, ...indexes].map(({ sql }) => sql), ...rows.flat(), ...rest.map(({ sql }) => sql)];
}

/** Returns the statements that write the rows of a table. */
async function insertsOf(db: D1Database, table: string): Promise<string[]> {
  const { results: columns } = await db
    .prepare("SELECT name FROM pragma_table_info(?)")
    .bind(table)
    .all<{ name: string }>();
  const names = columns.map(({ name }) => `"${name}"`);
  const values = names.map((name) => `quote(${name})`).join(" || ', ' || ");
  const { results: rows } = await db.prepare(`SELECT ${values} AS row FROM "${table}"`).all<{ row: string }>();
  return rows.map(({ row }) => `INSERT INTO "${table}"(${names.join(", ")}) VALUES (${row})`);
}

/** Returns the statements that set the options of a search index, as FTS5 wants them: as rows of it. */
async function optionsOf(db: D1Database, index: string): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT quote(k) AS k, quote(v) AS v FROM "${index}_config" WHERE k <> 'version'`)
    .all<{ k: string; v: string }>();
  return results.map(({ k, v }) => `INSERT INTO "${index}"("${index}", rank) VALUES (${k}, ${v})`);
}

/** Joins statements to messages that are short enough. */
function joined(statements: readonly string[]): string[] {
  const messages: string[] = [];
  for (const statement of statements) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + statement.length < MESSAGE_LENGTH) {
      messages[messages.length - 1] = `${last};\n${statement}`;
    } else messages.push(statement);
  }
  return messages;
}
