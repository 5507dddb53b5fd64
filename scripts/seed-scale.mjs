/*
 * npm run seed:scale -- --submissions=100000 --organizations=10000 --users=20000 --tickets=100000 --activity=100000
 * [--seed=1]
 *
 * Fills the local database until its tables have these sizes. The server must be stopped. Each table is one transaction
 * in which indexes and triggers are set aside and put back, so an interrupted run leaves nothing half done: just
 * run it again.
 */
import { parseArgs } from "node:util";
import { localSecrets } from "./lib/local-secrets.mjs";
import { hasTable, openLocalDatabase } from "./lib/local-state.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { prepare } from "./lib/prepare.mjs";
import { lockState } from "./lib/state-in-use.mjs";
import { withLock } from "./lib/with-lock.mjs";

/** Counts the rows between two updates of the progress bar, when signals are handled too. */
const CHUNK = 5_000;

/** Holds the number of digits by which an id names the index of its row. */
const INDEX_DIGITS = 8;

await onProjectNode(import.meta.url);
try {
  const wanted = readOptions();
  lockState();
  const { TABLES } = await import("./lib/scale-world/tables.mjs");
  // Filling takes minutes, in which other commands of this checkout may start: only the state is taken.
  await withLock(() => prepare({ build: async () => undefined }));
  const database = await openLocalDatabase();
  database.exec("pragma cache_size = -200000");
  for (const spec of TABLES) if (wanted[spec.option] > 0) await fill(database, spec, wanted);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function readOptions() {
  const number = { type: "string", default: "0" };
  const options = { tickets: number, submissions: number, organizations: number, users: number, activity: number };
  const { values } = parseArgs({ options: { ...options, seed: { type: "string", default: "1" } } });
  for (const [name, value] of Object.entries(values)) {
    if (!/^\d{1,8}$/.test(value)) throw new Error(`--${name}=${value} is not a whole number.`);
  }
  const wanted = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  if (Object.keys(options).every((name) => wanted[name] === 0)) {
    throw new Error("Say what to fill, for example: npm run seed:scale -- --submissions=100000");
  }
  return wanted;
}

/** Fills one table to its size. What is there already counts, so a second run has nothing to do. */
async function fill(database, spec, wanted) {
  if (!hasTable(database, spec.table)) {
    console.log(`${spec.option}: there is no such table in this version, skipped`);
    return;
  }
  const count = () => database.prepare(`select count(*) as rows from ${spec.table}`).get().rows;
  const missing = wanted[spec.option] - count();
  if (missing <= 0) {
    console.log(`${spec.option}: ${count()} rows, nothing to do`);
    return;
  }
  const ours = `${spec.prefix}_scale${wanted.seed}x`;
  const key = spec.key ?? "id";
  const first = nextIndex(database, { table: spec.table, key, from: ours, to: `${spec.prefix}_scale${wanted.seed}y` });
  const world = await openScaleWorld(database, wanted, spec);
  const started = performance.now();
  database.exec("begin immediate");
  const putBack = setAside(database, [spec.table, ...spec.beside], spec.keeps);
  for (let done = 0; done < missing; ) {
    const end = Math.min(done + CHUNK, missing);
    for (; done < end; done += 1) spec.write(world, first + done);
    showProgress(spec.option, done, missing);
    // Lets a signal end the process: what was not committed has never happened.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const sql of putBack) database.exec(sql);
  if (spec.recount) database.exec(spec.recount);
  database.exec("commit");
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${spec.option}: ${count()} rows, ${missing} of them new, in ${seconds} s`);
}

/**
 * Returns the index of the first new row. Of those before some may be gone: the jobs of a server delete what is old.
 */
function nextIndex(database, { table, key, from, to }) {
  const { last } = database
    .prepare(`select max(${key}) as last from ${table} where ${key} >= ? and ${key} < ?`)
    .get(from, to);
  return last === null ? 0 : Number(last.slice(from.length, from.length + INDEX_DIGITS)) + 1;
}

/** Prepares what the rows are made with: seed, random numbers, one password for all, and statements to write them. */
async function openScaleWorld(database, wanted, spec) {
  const { hashPassword } = await import("~/platform/crypto.server");
  const { PASSWORD } = await import("./lib/demo-world/people.mjs");
  const ours = `id >= 'org_scale${wanted.seed}x' and id < 'org_scale${wanted.seed}y'`;
  const organizations = database.prepare(`select count(*) as rows from organizations where ${ours}`).get().rows;
  const numbers = new Map();
  const searchNames = new Map();
  const findSearchName = database.prepare("select search_name as name from organizations where id = ?");
  const statements = new Map();
  return {
    seed: wanted.seed,
    spread: wanted[spec.option],
    today: Math.floor(Date.now() / 86_400_000) * 86_400_000,
    passwordHash: hashPassword(localSecrets().PASSWORD_PEPPER_1, PASSWORD),
    organizations,
    dayOf: await dayCalendar(),
    nextNumber: (table) => {
      const next = (numbers.get(table) ?? lastNumber(database, table)) + 1;
      numbers.set(table, next);
      return next;
    },
    /** Returns the folded name of an organization, by which its members are found. */
    searchNameOf: (organizationId) => {
      const known = searchNames.get(organizationId) ?? findSearchName.get(organizationId).name;
      searchNames.set(organizationId, known);
      return known;
    },
    insert: (table, row) => {
      if (!statements.has(table)) {
        const columns = Object.keys(row);
        const parameters = columns.map(() => "?").join(", ");
        statements.set(table, database.prepare(`insert into ${table}(${columns.join(", ")}) values (${parameters})`));
      }
      statements.get(table).run(...Object.values(row));
    },
  };
}

/**
 * Returns the last number that rows of a table were given. Numbers of submissions and tickets are never given twice.
 */
function lastNumber(database, table) {
  const counter = { contact_submissions: "submission", support_tickets: "ticket" }[table];
  const query = counter
    ? `select value as number from counters where name = '${counter}'`
    : `select max(number) as number from ${table}`;
  return database.prepare(query).get().number ?? 0;
}

/**
 * Returns the site's calendar day of a moment. Days begin on the hour, so one look-up serves all moments of an hour.
 */
async function dayCalendar() {
  const { brand } = await import("~/content/brand");
  const { dayIn, hours } = await import("~/lib/time");
  const known = new Map();
  return (at) => {
    const hour = Math.floor(at / hours(1));
    if (!known.has(hour)) known.set(hour, dayIn(brand.timeZone, at));
    return known.get(hour);
  };
}

/**
 * Drops the indexes and triggers of some tables, inside the open transaction. Returns the SQL that restores them.
 * `kept`: indexes that other tables refer to.
 */
function setAside(database, tables, kept = []) {
  const parameters = tables.map(() => "?").join(", ");
  const objects = database
    .prepare(
      `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null and tbl_name in (${parameters})`,
    )
    .all(...tables)
    .filter(({ name }) => !kept.includes(name));
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
