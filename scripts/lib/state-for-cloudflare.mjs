import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { COPIES_PREFIX, RESTORED_SUBJECT } from "~/features/audit/chain.server";
import { CONTENT_TABLES } from "~/features/backup/model";
import { MIGRATION_QUERY } from "~/features/backup/read-tables";
import { REBUILD_COUNTS, REBUILD_SEARCH } from "~/features/backup/rebuild";
import { checkDeployment, deploy, rememberHost } from "./deployment.mjs";
import { MIGRATIONS_TABLE, migrationFiles } from "./local-state.mjs";
import {
  environmentOfDatabase,
  productionProblem,
  productionSettings,
  rehearsalSettings,
  storeOf,
} from "./production-settings.mjs";
import { makeVisitors } from "./rehearsal.mjs";
import { findBackup, hasOwnNumber, openBackup, openForRestore, restoreFiles, restoreRows } from "./restore-backup.mjs";
import { failed, inEnvironment, remoteDatabase, wrangler } from "./wrangler.mjs";
import { columnsOf } from "./write-backup.mjs";

/** D1 takes no statement of more than 100,000 bytes: what makes one longer is put together from pieces. */
const STATEMENT_BYTES = 95_000;
/** In characters, of which each is at most eight bytes of a statement. */
const PIECES = /.{1,11000}/gsu;

/**
 * Restores a backup into a deployed database that was migrated and has nobody in it, and its files into the bucket of
 * the same environment. Interrupted, it is run again: a database that got the whole backup is left as it is, and files
 * are put once more. `scratch` holds opened data on the way, and is gone at the end. `backup`: see `restoreInto`.
 */
export async function restoreAtCloudflare(database_name, backup, { run, print, settings: file, scratch }) {
  const env = await environmentOfDatabase(database_name, file);
  const problem = await productionProblem(env, file);
  if (problem) throw new Error(problem);
  const settings = await productionSettings(env, file);
  const site = { run, print, env };
  const database = remoteDatabase(site, database_name);
  await database.expectSignedIn();
  const id = findBackup(backup.folder, backup.id);
  const hasRows = await holdsBackup(database, { id, env, database_name, migrations: backup.migrations });
  return inScratch(scratch, async (local) => {
    const opened = await openForRestore(scratch, { ...backup, id, print }, TIMES_OF_ROWS);
    const restored = await restoreRows(local, opened);
    if (hasRows) print(`${database_name} has the rows of this backup already.`);
    else {
      print(`Importing the rows into ${database_name} …`);
      const statements = writeStatements(scratch, statementsOf(local));
      await database.importFile(statements, `Nothing was restored into ${database_name}:`);
    }
    await putFiles(site, opened, { scratch, store: storeOf(settings, "FILES") }).catch((error) => {
      throw new Error(`${error.message}\nThe rows are restored, and files are lacking: run the same command again.`);
    });
    return { ...restored, env, origin: settings.vars.APP_ORIGIN };
  });
}

/** The work gets an empty database. However the command ends, nothing stays of what it has opened. */
async function inScratch(scratch, work) {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const local = new DatabaseSync(join(scratch, "database.sqlite"));
  const remove = () => {
    // Windows removes no file that is open.
    if (local.isOpen) local.close();
    rmSync(scratch, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    return await work(local);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Says in a database that all that is in it came from a rehearsal, so that the next one may take its place. */
const REHEARSED = "rehearsal_of";

const IS_IN_USE = `EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM settings WHERE key = '${REHEARSED}')`;

/**
 * Rehearses a version in an environment at Cloudflare that mails nobody: fills it with a backup in which what names
 * people is replaced, at the version of that backup, and deploys this one, whose migrations run on as many rows as in
 * production. What stood there before must be a rehearsal, or nobody. `world`: see deployment.mjs, with `scratch`, with
 * `build`, and with `lookAround`, which opens pages. `keys`: those of the environment, without which nobody signs in.
 */
export async function rehearseAtCloudflare(world, { keys, ...backup }) {
  const { env, print, scratch, files: paths } = world;
  const settings = await rehearsalSettings(env, paths.settings);
  const id = findBackup(backup.folder, backup.id);
  await openBackup(backup.folder, id, { ...backup, keys: null });
  const database = remoteDatabase(world);
  await database.expectSignedIn();
  const emptying = await statementsToEmpty(database, env);
  const origin = await checkDeployment(world);
  await world.build();
  return inScratch(scratch, async (local) => {
    const opened = await openForRestore(scratch, { ...backup, id, keys: null, print }, TIMES_OF_ROWS);
    const restored = await restoreRows(local, opened, { migratesOn: false });
    const { migration } = restored.manifest.schema;
    const statements = writeStatements(scratch, [
      "PRAGMA defer_foreign_keys = on",
      ...emptying,
      ...schemaThrough(migration, paths.migrations),
      ...statementsOf(local),
      rememberHost(new URL(origin).hostname, backup.now()),
      `INSERT INTO settings(key, value_json, updated_at) VALUES ('${REHEARSED}', '"${id}"', ${backup.now()})`,
    ]);
    const visitors = keys ? makeVisitors(local, keys, backup.now()) : null;
    print(`Importing the rows into the database of ${env} …`);
    await database.importFile(statements, `Nothing was changed in ${env}:`);
    await putFiles(world, opened, { scratch, store: storeOf(settings, "FILES") });
    await deploy(world, origin);
    if (visitors) await database.execute(visitors.statements, "Nobody can sign in to look around:");
    return { ...restored, migration, origin, lines: await world.lookAround(origin, visitors) };
  });
}

/** Returns what takes everything out of a database. Throws where people are in it whom no rehearsal put there. */
async function statementsToEmpty(database, env) {
  const found = await database.query(
    `SELECT s.type, s.name FROM sqlite_schema s LEFT JOIN pragma_table_list t ON t.schema = 'main' AND t.name = s.name
     WHERE s.name NOT GLOB 'sqlite_*' AND s.name NOT GLOB '_cf_*'
       AND (s.type = 'trigger' OR t.type IN ('view', 'table', 'virtual')) ORDER BY s.type = 'table', s.rowid DESC`,
  );
  const drops = found.map(({ type, name }) => `DROP ${type} "${name}"`);
  if (!found.some(({ name }) => name === "users")) return drops;
  const [{ isInUse }] = await database.query(`SELECT ${IS_IN_USE} AS isInUse`);
  if (isInUse)
    throw new Error(`The database of ${env} is in use: no rehearsal put there who is in it. Nothing was done.`);
  // Asked again with the change: a backup is opened before it, which takes minutes.
  return [guard(IS_IN_USE), ...drops];
}

/** Returns the statements that make the tables of a version. */
function schemaThrough(last, folder) {
  const names = migrationFiles(folder).filter((name) => name <= last);
  const note = (name) => `INSERT INTO d1_migrations(name) VALUES ('${name}')`;
  return [MIGRATIONS_TABLE, ...names.flatMap((name) => [readFileSync(join(folder, name), "utf8"), note(name)])];
}

/** Tells whether a database has this very backup from a run before. Throws when it cannot take it. */
async function holdsBackup(database, { id, env, database_name, migrations }) {
  const deploy = `npm run deploy${env ? ` -- --env ${env}` : ""}`;
  const [{ people, backup, migration }] = await database
    .query(
      `select exists (select 1 from users) as people, (${MIGRATION_QUERY}) as migration,
         (select meta_json ->> 'backup' from audit_events where subject_type = '${RESTORED_SUBJECT}'
          order by id desc limit 1) as backup`,
    )
    .catch((error) => {
      if (!/no such table/.test(error.message)) throw error;
      throw new Error(`${database_name} has no tables yet: \`${deploy}\` makes them.`);
    });
  if (people && backup !== id)
    throw new Error(`${database_name} is in use: there are people in it. Nothing was done. Restore into a new one.`);
  if (!people && migration !== migrations.at(-1))
    throw new Error(`${database_name} is of another version than this checkout: \`${deploy}\` first.`);
  return Boolean(people);
}

/** Rows lie there as a database and as statements. */
const TIMES_OF_ROWS = 2;

/** Returns the file that wrangler imports. */
function writeStatements(scratch, statements) {
  const file = join(scratch, "database.sql");
  const out = openSync(file, "wx", 0o600);
  for (const statement of statements) writeSync(out, `${statement};\n`);
  closeSync(out);
  return file;
}

/** What R2 answers about a copy of the audit that a run before has put: it is locked, and its name holds its hash. */
const LOCKED = /\b10069\b|ObjectLocked|object is locked/i;

async function putFiles(site, backup, { scratch, store: { bucket_name: bucket, jurisdiction } }) {
  const files = [];
  await restoreFiles(backup, (key, bytes) => {
    const file = join(scratch, `file-${files.length}`);
    writeFileSync(file, bytes, { mode: 0o600 });
    files.push({ key, file });
  });
  const where = [
    "--remote",
    "--force",
    ...(jurisdiction ? ["--jurisdiction", jurisdiction] : []),
    ...inEnvironment(site),
  ];
  const inBulk = (name, entries) => {
    const list = join(scratch, name);
    writeFileSync(list, JSON.stringify(entries), { mode: 0o600 });
    return ["r2", "bulk", "put", bucket, "--filename", list, ...where];
  };
  const isCopy = ({ key }) => key.startsWith(COPIES_PREFIX);
  const [copies, others] = [files.filter(isCopy), files.filter((entry) => !isCopy(entry))];
  if (others.length > 0) {
    const title = `Putting ${others.length} files into ${bucket} …`;
    await wrangler(site, { title, args: inBulk("files.json", others) });
  }
  if (copies.length === 0) return;
  const args = inBulk("copies.json", copies);
  site.print(`Putting ${copies.length} copies of the audit into ${bucket} …`);
  const { code, output } = await site.run(args, {});
  if (code === 0) return;
  if (!LOCKED.test(output)) failed(args, output);
  for (const { key, file } of copies) {
    const one = ["r2", "object", "put", `${bucket}/${key}`, "--file", file, ...where];
    const result = await site.run(one, {});
    if (result.code !== 0 && !LOCKED.test(result.output)) failed(one, result.output);
  }
}

/** Stops everything where a condition holds. */
const guard = (condition) => `INSERT INTO batch_guards(holds) SELECT 0 WHERE ${condition}`;

/** Triggers are set aside, because they would count and index each row again, and what they keep is made anew. */
export function* statementsOf(database) {
  const { name: migration } = database.prepare(MIGRATION_QUERY).get();
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
