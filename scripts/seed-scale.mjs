/*
 * npm run seed:scale -- --submissions=100000 --organizations=10000 --users=20000 --tickets=100000 --activity=100000
 * [--seed=1]
 *
 * Fills the local database until its tables have these sizes. The server must be stopped. All of it is one transaction,
 * in which indexes and triggers are set aside and put back, so an interrupted run leaves nothing half done: just run it
 * again.
 */
import { openLocalDatabase } from "./lib/local-state.mjs";
import { lockState, withLock } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { prepare } from "./lib/prepare.mjs";

/** Counts the rows between two updates of the progress bar, when signals are handled too. */
const CHUNK = 5_000;

const number = { type: "string", default: "0" };
const options = {
  ...{ organizations: number, users: number, submissions: number, activity: number, tickets: number },
  seed: { type: "string", default: "1" },
};

await runCommand(import.meta.url, { options }, async (values) => {
  const { seed, ...sizes } = wholeNumbers(values);
  if (Object.values(sizes).every((size) => size === 0)) {
    throw new Error("Say what to fill, for example: npm run seed:scale -- --submissions=100000");
  }
  lockState();
  // Filling takes minutes, in which other commands of this checkout may start: only the state is taken.
  await withLock(() => prepare({ build: async () => undefined }));
  const { RECOUNT, TABLES } = await import("./lib/scale-world.mjs");
  const database = await openLocalDatabase();
  database.exec("pragma cache_size = -200000");
  const missing = Object.entries(TABLES).flatMap(([name, spec]) => {
    const { rows } = database.prepare(`select count(*) as rows from ${spec.table}`).get();
    if (sizes[name] > 0) console.log(`${name}: ${rows} rows${sizes[name] > rows ? "" : ", nothing to do"}`);
    return sizes[name] > rows ? [{ name, spec, seed, size: sizes[name], count: sizes[name] - rows }] : [];
  });
  if (missing.length > 0) {
    database.exec("begin immediate");
    const putBack = setAside(
      database,
      missing.flatMap(({ spec }) => [spec.table, ...spec.beside]),
    );
    for (const table of missing) await fill(database, table);
    console.log("Indexing and counting …");
    for (const sql of [...putBack, ...RECOUNT]) database.exec(sql);
    database.exec("commit");
  }
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
});

function wholeNumbers(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (!/^\d{1,8}$/.test(value)) throw new Error(`--${name}=${value} is not a whole number.`);
      return [name, Number(value)];
    }),
  );
}

async function fill(database, { name, spec, seed, size, count }) {
  const { nextIndex, openScaleWorld } = await import("./lib/scale-world.mjs");
  const started = performance.now();
  const world = openScaleWorld(database, seed, size);
  const first = nextIndex(database, spec, seed);
  for (let done = 0; done < count; ) {
    const end = Math.min(done + CHUNK, count);
    for (; done < end; done += 1) spec.write(world, first + done);
    showProgress(name, done, count);
    // Lets a signal end the process: what was not committed has never happened.
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(`${name}: ${count} rows are new, in ${((performance.now() - started) / 1000).toFixed(1)} s`);
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
