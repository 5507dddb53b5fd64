import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BACKUP_CODE_PARAMETERS, PASSWORD_PARAMETERS } from "~/platform/crypto.server";
import { seedDemoWorld } from "../../scripts/lib/demo-world/seed.mjs";
import { testSecrets } from "./test-variables.mjs";

/** Holds the time at which the demo world is seeded. */
export const NOW = Date.parse("2026-11-18T15:00:00Z");

const FOLDER = path.resolve(import.meta.dirname, "../../migrations");

export const migrations = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** Holds what each of them says, by its name. */
export const migrationTexts = Object.fromEntries(
  migrations.map((name) => [name, readFileSync(path.join(FOLDER, name), "utf8")]),
);

/** Returns a migrated database outside the worker's runtime, which knows of its migrations as D1 does. */
export function migratedDatabase(file = ":memory:"): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)");
  for (const [name, sql] of Object.entries(migrationTexts)) {
    database.exec(sql);
    database.prepare("INSERT INTO d1_migrations(name) VALUES (?)").run(name);
  }
  return database;
}

/** Makes hashes cheap while something is done: their real cost takes seconds. */
export function withCheapHashes<Result>(work: () => Result): Result {
  const [password, code] = [PASSWORD_PARAMETERS.ln, BACKUP_CODE_PARAMETERS.ln];
  PASSWORD_PARAMETERS.ln = 4;
  BACKUP_CODE_PARAMETERS.ln = 4;
  try {
    return work();
  } finally {
    PASSWORD_PARAMETERS.ln = password;
    BACKUP_CODE_PARAMETERS.ln = code;
  }
}

/** Returns one with the demo world, whose hashes are cheap. */
export function demoDatabase(file?: string): DatabaseSync {
  const database = migratedDatabase(file);
  withCheapHashes(() => seedDemoWorld(database, testSecrets, NOW));
  return database;
}
