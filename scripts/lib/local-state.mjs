import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openLocalStores } from "./local-stores.mjs";
import { inRoot, root } from "./toolchain.mjs";

/** Names the folder with all local data. Two servers with folders of their own run side by side. */
export const stateDir = resolve(root, process.env.STATE_DIR || ".wrangler/state");

function findDatabaseFile(state) {
  const folder = join(state, "v3", "d1", "miniflare-D1DatabaseObject");
  if (!existsSync(folder)) return null;
  const name = readdirSync(folder).find((entry) => entry.endsWith(".sqlite") && entry !== "metadata.sqlite");
  return name ? join(folder, name) : null;
}

/**
 * Opens the local database with Node's own SQLite. Foreign keys are checked, as D1 does. Write to it only while no
 * server runs.
 */
export async function openLocalDatabase(state = stateDir) {
  const { DatabaseSync } = await import("node:sqlite");
  const path = findDatabaseFile(state);
  if (!path) throw new Error(`There is no local database in ${state} yet. Run "npm start" once.`);
  return new DatabaseSync(path, { timeout: 5_000 });
}

/** Returns the names of the migrations in a folder, in their order. */
export const migrationFiles = (folder = inRoot("migrations")) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/**
 * Returns a sentence about a database that began with other migrations than there are now, and that these can therefore
 * not be added to, or null. One of a later version is none of those, because migrations only add. `applied`: the names
 * in its table `d1_migrations`; `files`: those in the folder, in their order.
 */
export function otherBeginning(applied, files, { database, remedy }) {
  const [first = ""] = files;
  const [firstApplied] = applied.toSorted();
  if (firstApplied === undefined || applied.includes(first)) return null;
  return `${database} was made by an earlier version: it began with ${firstApplied}, and the migrations of this version begin with ${first}. Nothing was changed. ${remedy}`;
}

export const MIGRATIONS_TABLE = `create table if not exists d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/**
 * Applies the migrations that the local database does not have yet, and notes them where wrangler does. Wrangler itself
 * would start a runtime for each, which takes half a second.
 */
export async function migrateLocalDatabase() {
  // The runtime makes the empty file, under the name by which it will look for it.
  if (!findDatabaseFile(stateDir)) await (await openLocalStores(stateDir)).close();
  const database = await openLocalDatabase();
  try {
    const applied = appliedTo(database);
    const files = migrationFiles();
    const problem = otherBeginning(applied, files, {
      database: `The local database in ${stateDir}`,
      remedy: "Delete that folder with all that is in it, or set STATE_DIR to a new one.",
    });
    if (problem) throw new Error(problem);
    const waiting = files.filter((name) => !applied.includes(name)).length;
    if (waiting > 0) console.log(`Applying ${waiting === 1 ? "1 migration" : `${waiting} migrations`} …`);
    migrate(database);
  } finally {
    database.close();
  }
}

/**
 * Applies what an open database lacks, each migration in a transaction, and returns the names. `through`: the last one
 * to apply.
 */
export function migrate(database, through) {
  const applied = appliedTo(database);
  const files = migrationFiles();
  const due = files.slice(0, through ? files.indexOf(through) + 1 : undefined);
  const wanted = due.filter((name) => !applied.includes(name));
  for (const name of wanted) applyMigration(database, name);
  return wanted;
}

function appliedTo(database) {
  database.exec(MIGRATIONS_TABLE);
  const rows = database.prepare("select name from d1_migrations").all();
  return rows.map(({ name }) => name);
}

function applyMigration(database, name) {
  try {
    database.exec(`begin immediate;\n${readFileSync(inRoot("migrations", name), "utf8")}`);
    database.prepare("insert into d1_migrations(name) values (?)").run(name);
    database.exec("commit");
  } catch (error) {
    throw new Error(`The migration ${name} could not be applied: ${error.message}`);
  }
}
