import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { inRoot, root, runTool } from "./toolchain.mjs";

/** Names the folder with all local data. Two servers with folders of their own run side by side. */
export const stateDir = resolve(root, process.env.STATE_DIR || ".wrangler/state");

/**
 * Returns the path of the local D1 database, or null before the first migration. Write to it only while no server runs.
 */
function findDatabaseFile() {
  const folder = join(stateDir, "v3", "d1", "miniflare-D1DatabaseObject");
  if (!existsSync(folder)) return null;
  const name = readdirSync(folder).find((entry) => entry.endsWith(".sqlite") && entry !== "metadata.sqlite");
  return name ? join(folder, name) : null;
}

/** Opens the local database with Node's own SQLite. Foreign keys are checked, as D1 does. */
export async function openLocalDatabase() {
  const { DatabaseSync } = await import("node:sqlite");
  const path = findDatabaseFile();
  if (!path) throw new Error(`There is no local database in ${stateDir} yet. Run "npm start" once.`);
  return new DatabaseSync(path, { timeout: 5_000 });
}

export const hasTable = (database, name) =>
  database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(name) !== undefined;

/** Applies the migrations that the local database does not have yet. */
export async function migrateLocalDatabase() {
  const waiting = await unappliedMigrations();
  if (waiting.length === 0) return;
  console.log(`Applying ${waiting.length === 1 ? "1 migration" : `${waiting.length} migrations`} …`);
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
  const { code, output } = await runTool("wrangler", args, { env: { CI: "1" } });
  if (code !== 0) throw new Error(`The migrations could not be applied:\n${output}`);
}

/** Reads from the file what is missing. That takes milliseconds, and asking wrangler seconds, at every start. */
async function unappliedMigrations() {
  const all = readdirSync(inRoot("migrations")).filter((name) => name.endsWith(".sql"));
  if (!findDatabaseFile()) return all;
  const database = await openLocalDatabase();
  try {
    if (!hasTable(database, "d1_migrations")) return all;
    const applied = new Set(
      database
        .prepare("select name from d1_migrations")
        .all()
        .map((row) => row.name),
    );
    return all.filter((name) => !applied.has(name));
  } finally {
    database.close();
  }
}
