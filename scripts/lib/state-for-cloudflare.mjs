import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONTENT_TABLES } from "~/features/backup/model";
import { MIGRATION_QUERY } from "~/features/backup/read-tables";
import { REBUILD_COUNTS, REBUILD_SEARCH } from "~/features/backup/rebuild";
import { openLocalDatabase } from "./local-state.mjs";
import { openLocalStores } from "./local-stores.mjs";
import { expectEmpty, hasOwnNumber } from "./restore-backup.mjs";
import { columnsOf } from "./write-backup.mjs";

/** D1 takes no statement of more than 100,000 bytes: what makes one longer is put together from pieces. */
const STATEMENT_BYTES = 95_000;
/** In characters, of which each is at most eight bytes of a statement. */
const PIECES = /.{1,11000}/gsu;

/**
 * Writes a restored state so that wrangler can bring it to Cloudflare: `database.sql` for a database that was migrated
 * to the same version and has nobody in it, and fails as a whole in any other; and `files`, each under its key.
 */
export async function writeForCloudflare(state, to) {
  expectEmpty(to);
  mkdirSync(to, { recursive: true });
  const database = await openLocalDatabase(state);
  const file = openSync(join(to, "database.sql"), "wx", 0o600);
  for (const statement of statementsOf(database)) writeSync(file, `${statement};\n`);
  closeSync(file);
  database.close();
  const { files, close } = await openLocalStores(state);
  for (let cursor; ; ) {
    const page = await files.list({ cursor });
    for (const { key } of page.objects) {
      const path = join(to, "files", key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, new Uint8Array(await (await files.get(key)).arrayBuffer()), { mode: 0o600 });
    }
    if (!page.truncated) break;
    cursor = page.cursor;
  }
  await close();
}

/** Triggers are set aside, because they would count and index each row again, and what they keep is made anew. */
export function* statementsOf(database) {
  const { name: migration } = database.prepare(MIGRATION_QUERY).get();
  const guard = (condition) => `INSERT INTO batch_guards(holds) SELECT 0 WHERE ${condition}`;
  yield "PRAGMA defer_foreign_keys = on";
  yield guard("EXISTS (SELECT 1 FROM users)");
  yield guard(`(${MIGRATION_QUERY}) <> ${quoted(migration)}`);
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) yield `DROP TRIGGER "${name}"`;
  for (const table of CONTENT_TABLES) yield `DELETE FROM "${table}"`;
  const columns = columnsOf(database);
  for (const table of CONTENT_TABLES) {
    const names = hasOwnNumber(database, table) ? columns[table] : ["rowid", ...columns[table]];
    const list = names.map((name) => `"${name}"`).join(", ");
    for (const { _row, ...row } of database.prepare(`SELECT rowid AS _row, ${list} FROM "${table}"`).iterate()) {
      const values = Object.fromEntries(names.map((name) => [name, literal(row[name])]));
      const insert = () => `INSERT INTO "${table}"(${list}) VALUES (${Object.values(values).join(", ")})`;
      const long = [];
      for (const byLength = names.toSorted((one, other) => values[other].length - values[one].length); ; ) {
        if (Buffer.byteLength(insert()) <= STATEMENT_BYTES) break;
        long.push(byLength.shift());
        values[long.at(-1)] = "''";
      }
      yield insert();
      for (const name of long)
        for (const piece of row[name].match(PIECES))
          yield `UPDATE "${table}" SET "${name}" = "${name}" || ${quoted(piece)} WHERE rowid = ${_row}`;
    }
  }
  for (const { name, seq } of database.prepare("SELECT name, seq FROM sqlite_sequence").all()) {
    yield `DELETE FROM sqlite_sequence WHERE name = ${quoted(name)}`;
    yield `INSERT INTO sqlite_sequence(name, seq) VALUES (${quoted(name)}, ${seq})`;
  }
  yield* REBUILD_COUNTS;
  yield* REBUILD_SEARCH;
  for (const { sql } of triggers) yield sql;
}

/** A quoted text would end at a NUL. */
const quoted = (text) =>
  text.includes("\0") ? `CAST(x'${Buffer.from(text).toString("hex")}' AS TEXT)` : `'${text.replaceAll("'", "''")}'`;

const literal = (value) => (value === null ? "NULL" : typeof value === "string" ? quoted(value) : String(value));
