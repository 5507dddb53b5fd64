/*
 * npm run seed:scale -- --submissions=100000 --organizations=10000 --users=20000 --tickets=100000 --activity=100000
 * [--seed=1]
 *
 * Fills the local database until its tables have these sizes. The server must be stopped. Each table is one transaction
 * in which indexes and triggers are set aside and put back, so an interrupted run leaves nothing half done: just
 * run it again.
 */
import { parseArgs } from "node:util";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { lockState, withLock } from "./lib/locks.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { prepare } from "./lib/prepare.mjs";

/** Counts the rows between two updates of the progress bar, when signals are handled too. */
const CHUNK = 5_000;

await onProjectNode(import.meta.url);
try {
  const { INDEX_DIGITS, openScaleWorld, TABLES } = await import("./lib/scale-world.mjs");
  const wanted = readOptions(TABLES);
  lockState();
  // Filling takes minutes, in which other commands of this checkout may start: only the state is taken.
  await withLock(() => prepare({ build: async () => undefined }));
  const database = await openLocalDatabase();
  database.exec("pragma cache_size = -200000");
  for (const [option, spec] of Object.entries(TABLES)) {
    const count = () => database.prepare(`select count(*) as rows from ${spec.table}`).get().rows;
    const missing = wanted[option] - count();
    if (missing > 0) {
      const started = performance.now();
      const first = nextIndex(database, spec, wanted.seed, INDEX_DIGITS);
      await fill(database, openScaleWorld(database, wanted.seed, wanted[option]), { option, spec, first, missing });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${option}: ${count()} rows, ${missing} of them new, in ${seconds} s`);
    } else if (wanted[option] > 0) console.log(`${option}: ${count()} rows, nothing to do`);
  }
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function readOptions(tables) {
  const number = { type: "string", default: "0" };
  const sizes = Object.fromEntries(Object.keys(tables).map((name) => [name, number]));
  const { values } = parseArgs({ options: { ...sizes, seed: { type: "string", default: "1" } } });
  for (const [name, value] of Object.entries(values)) {
    if (!/^\d{1,8}$/.test(value)) throw new Error(`--${name}=${value} is not a whole number.`);
  }
  const wanted = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  if (Object.keys(tables).every((name) => wanted[name] === 0)) {
    throw new Error("Say what to fill, for example: npm run seed:scale -- --submissions=100000");
  }
  return wanted;
}

/**
 * Returns the index of the first new row. Of those before some may be gone: the jobs of a server delete what is old.
 */
function nextIndex(database, { table, prefix, key = "id" }, seed, digits) {
  const ours = `${prefix}_scale${seed}`;
  const query = `select max(${key}) as last from ${table} where ${key} >= ? and ${key} < ?`;
  const { last } = database.prepare(query).get(`${ours}x`, `${ours}y`);
  return last === null ? 0 : Number(last.slice(ours.length + 1, ours.length + 1 + digits)) + 1;
}

async function fill(database, world, { option, spec, first, missing }) {
  database.exec("begin immediate");
  const putBack = setAside(database, [spec.table, ...spec.beside]);
  for (let done = 0; done < missing; ) {
    const end = Math.min(done + CHUNK, missing);
    for (; done < end; done += 1) spec.write(world, first + done);
    showProgress(option, done, missing);
    // Lets a signal end the process: what was not committed has never happened.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const sql of putBack) database.exec(sql);
  database.exec(spec.recount);
  database.exec("commit");
}

/**
 * Drops the indexes and triggers of some tables, inside the open transaction. Returns the SQL that restores them.
 * Unique indexes stay, because other tables refer to them.
 */
function setAside(database, tables) {
  const objects = database
    .prepare(
      `select type, name, sql from sqlite_master where tbl_name in (${tables.map(() => "?")})
       and (type = 'trigger' or type = 'index' and sql not like 'create unique%')`,
    )
    .all(...tables);
  for (const { type, name } of objects) database.exec(`drop ${type} "${name}"`);
  return objects.map(({ sql }) => sql);
}

function showProgress(name, done, all) {
  if (!process.stdout.isTTY && done < all) return;
  const width = 30;
  const filled = Math.round((done / all) * width);
  const bar = `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
  process.stdout.write(
    `${process.stdout.isTTY ? "\r" : ""}${name} ${bar} ${Math.floor((done / all) * 100)} %${done === all ? "\n" : ""}`,
  );
}
