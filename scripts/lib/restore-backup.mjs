import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDb } from "~/db/client.server";
import { SYSTEM } from "~/features/audit/model";
import { auditColumns } from "~/features/audit/record-audit.server";
import {
  BACKUP_ID,
  CHANGES,
  CONTENT_TABLES,
  FILES,
  fileName,
  MANIFEST_NAME,
  ROW_NUMBER,
  ROWS_FORMAT,
} from "~/features/backup/model";
import { COUNTS_QUERY } from "~/features/backup/read-tables";
import { REBUILD_COUNTS, REBUILD_SEARCH } from "~/features/backup/rebuild";
import { decrypterFor, fingerprintsOf, openPage, schemaHash, sha256 } from "~/features/backup/seal.server";
import { ERASED_PREFIX } from "~/features/privacy/model";
import { recordOfRestore, utc } from "./database-restore.mjs";
import { migrate, openLocalDatabase } from "./local-state.mjs";
import { openLocalStores } from "./local-stores.mjs";
import { lockState } from "./locks.mjs";
import { insertRow } from "./sql.mjs";
import { columnsOf } from "./write-backup.mjs";

/** Returns the text of a key file. Throws what to do when it is none. */
export function readIdentity(path) {
  const text = readFileSync(path, "utf8");
  if (!/^AGE-SECRET-KEY-/m.test(text))
    throw new Error(`${path} holds no key of age: a line that begins with AGE-SECRET-KEY-.`);
  return text;
}

/** The oldest first. */
export const wholeBackups = (folder) =>
  readdirSync(folder)
    .filter((name) => BACKUP_ID.test(name) && existsSync(join(folder, name, MANIFEST_NAME)))
    .sort();

/** Finds a backup in a folder: the one that is named, or the newest that is whole. */
export function findBackup(folder, id) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  const whole = wholeBackups(folder);
  const found = id ? whole.find((name) => name === id) : whole.at(-1);
  if (!found) throw new Error(id ? `${folder} has no backup ${id}.` : `${folder} has no backup that is whole.`);
  return found;
}

/**
 * Opens the manifest and checks what can be known without reading the rest: that the key fits, that the backup is of
 * this installation, and that its version is one we know. `keys` null: of whichever installation.
 */
export async function openBackup(folder, id, { identity, keys, migrations }) {
  const sealed = readFileSync(join(folder, id, MANIFEST_NAME));
  const text = await decrypterFor(identity)
    .decrypt(sealed, "text")
    .catch(() => {
      throw new Error(`The key does not open the backup ${id}, or its manifest is damaged.`);
    });
  const manifest = JSON.parse(text);
  if (manifest.format !== ROWS_FORMAT) {
    throw new Error(`The backup ${id} has the format ${manifest.format}, and this version reads ${ROWS_FORMAT}.`);
  }
  if (manifest.id !== id) throw new Error(`The folder ${id} holds the manifest of another backup, ${manifest.id}.`);
  const own = keys && fingerprintsOf(keys);
  const others = own
    ? Object.keys(manifest.installation).filter((name) => manifest.installation[name] !== own[name])
    : [];
  if (others.length > 0) {
    throw new Error(
      `The backup ${id} is of another installation: ${others.join(", ")} differ${others.length === 1 ? "s" : ""}. ` +
        "Nobody could sign in with what is restored. Give its keys with --keys FILE.",
    );
  }
  const { migration } = manifest.schema;
  if (!migrations.includes(migration)) {
    throw new Error(
      `The backup ${id} was made by a version whose newest migration is ${migration}, which this version does not have. ` +
        "Restore with that version or a later one.",
    );
  }
  return manifest;
}

const readPage = async (folder, manifest, entry, identity) => {
  let sealed;
  try {
    sealed = readFileSync(join(folder, manifest.id, entry.name));
  } catch {
    throw new Error(`${entry.name} is missing from the backup ${manifest.id}.`);
  }
  return (await openPage(identity, entry, sealed)).map((line) => JSON.parse(line));
};

/** Returns the rows that only pages tell the truth about that are anew. */
async function readChanged(folder, manifest, identity) {
  const changed = new Set();
  for (const entry of manifest.pages.filter(({ table }) => table === CHANGES)) {
    for (const { table, row } of await readPage(folder, manifest, entry, identity)) changed.add(`${table} ${row}`);
  }
  return changed;
}

/** Returns the rows of a page of a table, without those of which another page holds what became of them. */
const readRows = async (folder, manifest, { entry, identity, changed }) => {
  const rows = await readPage(folder, manifest, entry, identity);
  return entry.anew ? rows : rows.filter((row) => !changed.has(`${entry.table} ${row[ROW_NUMBER]}`));
};

async function readFile(folder, { recipient }, { key, size, sha256: hash }, identity) {
  const name = fileName(recipient, hash);
  if (!existsSync(join(folder, name))) throw new Error(`${name} is missing: it is the file ${key}.`);
  const bytes = await decrypterFor(identity)
    .decrypt(readFileSync(join(folder, name)))
    .catch(() => null);
  if (bytes?.length !== size || sha256(bytes) !== hash) throw new Error(`${name} is damaged: it is the file ${key}.`);
  return bytes;
}

/** Reads every page and every file once, and throws at the first that is not what the manifest says. */
async function verify({ folder, manifest, identity }) {
  const counted = {};
  const seen = new Set();
  let files = 0;
  const changed = await readChanged(folder, manifest, identity);
  for (const entry of manifest.pages.filter(({ table }) => table !== CHANGES)) {
    const rows = await readRows(folder, manifest, { entry, identity, changed });
    if (entry.table !== FILES) counted[entry.table] = (counted[entry.table] ?? 0) + rows.length;
    for (const row of entry.table === FILES ? rows : []) {
      files += 1;
      if (!seen.has(row.sha256)) await readFile(folder, manifest, row, identity);
      seen.add(row.sha256);
    }
  }
  for (const [table, count] of Object.entries(manifest.counts)) {
    if ((counted[table] ?? 0) !== count) {
      throw new Error(`The backup ${manifest.id} holds ${counted[table] ?? 0} rows of ${table} and not ${count}.`);
    }
  }
  if (files !== manifest.files.count) throw new Error(`The backup ${manifest.id} does not hold all files.`);
}

/**
 * Fills a database that was migrated to the version of the backup and has no rows of its own. Triggers are set aside,
 * because they would count and index each row again, and put back; what they keep is made anew.
 */
async function load(database, { folder, manifest, identity, replace }) {
  const columns = columnsOf(database);
  if (schemaHash(columns) !== manifest.schema.sha256) {
    throw new Error(`The backup ${manifest.id} has other tables than ${manifest.schema.migration} of this version.`);
  }
  database.exec("pragma foreign_keys = off; pragma cache_size = -65536");
  database.exec("begin immediate");
  const triggers = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`);
  // Migrations write rows, such as saved replies, which people may have deleted.
  for (const table of CONTENT_TABLES) database.exec(`delete from "${table}"`);
  const inserts = Object.fromEntries(
    Object.entries(columns).map(([table, names]) => {
      const own = hasOwnNumber(database, table);
      const all = own ? names : ["rowid", ...names];
      const sql = `insert into "${table}"(${all.map((name) => `"${name}"`).join(", ")}) values (${all.map(() => "?").join(", ")})`;
      return [table, { statement: database.prepare(sql), names, own }];
    }),
  );
  const changed = await readChanged(folder, manifest, identity);
  const tables = manifest.pages.filter(({ table }) => ![FILES, CHANGES, ...replace.leftOut].includes(table));
  for (const entry of tables) {
    const { statement, names, own } = inserts[entry.table];
    for (const stored of await readRows(folder, manifest, { entry, identity, changed })) {
      const row = replace.row(entry.table, stored);
      const values = names.map((name) => row[name]);
      statement.run(...(own ? values : [row[ROW_NUMBER], ...values]));
    }
  }
  for (const [name, last] of Object.entries(manifest.sequences)) {
    database.prepare("delete from sqlite_sequence where name = ?").run(name);
    database.prepare("insert into sqlite_sequence(name, seq) values (?, ?)").run(name, last);
  }
  for (const { sql } of triggers) database.exec(sql);
  for (const sql of [...REBUILD_COUNTS, ...REBUILD_SEARCH]) database.exec(sql);
  const [dangling] = database.prepare("pragma foreign_key_check").all();
  if (dangling) throw new Error(`A row of ${dangling.table} refers to one of ${dangling.parent} that is not there.`);
  const counts = database.prepare(COUNTS_QUERY).get();
  for (const [table, count] of Object.entries(manifest.counts)) {
    const wanted = replace.leftOut.includes(table) ? 0 : count;
    if (counts[table] !== wanted) throw new Error(`${table} has ${counts[table]} rows and not ${wanted}.`);
  }
  database.exec("commit");
  database.exec("pragma foreign_keys = on");
}

/** Tells a table in which a column is the number of the row. */
export const hasOwnNumber = (database, table) =>
  database
    .prepare("select count(*) = 1 and max(upper(type)) = 'INTEGER' as own from pragma_table_info(?) where pk > 0")
    .get(table).own === 1;

/** Opens the database that statements are only built for. */
const buildOnly = openDb({ reads: {}, counts: {}, writes: {} });

/** Returns who was erased since a time, from the notes that the site keeps beside its backups. */
function erasedSince(folder, since) {
  const notes = join(folder, ERASED_PREFIX);
  if (!existsSync(notes)) return [];
  return readdirSync(notes)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(notes, name), "utf8")))
    .filter(({ at }) => at >= since);
}

/** Erases again, as the product does, who was erased after the backup. What is left the job does. Returns how many. */
async function eraseAgain(database, erased, { keys, now }) {
  if (erased.length === 0) return 0;
  const ctx = { db: buildOnly, config: keys, now: () => now };
  const { recipientHash } = await import("~/features/mail/enqueue-mail.server");
  const { erasureOf, furtherAddresses } = await import("~/features/privacy/erase-person.server");
  const known = database.prepare("insert or ignore into erased_addresses(email_hash, erased_at) values (?, ?)");
  // Also of those who came after the backup.
  for (const { email, at } of erased) known.run(email, at);
  const wanted = new Set(erased.map(({ email }) => email));
  const ids = new Set(erased.map(({ person }) => person));
  const people = database
    .prepare(
      `select id, id as userId, full_name as name, email from users
       union all select min(id), null, min(full_name), email from contacts
         where email not in (select email from users) group by email
       union all select max(id), null, max(first_name || ' ' || last_name), email from contact_submissions
         where email not in (select email from users union all select email from contacts) group by email
       union all select max(id), null, email, email from (
         select id, email from ticket_copies union all select id, email from proposed_copies)
         where email not in (select email from users union all select email from contacts
           union all select email from contact_submissions) group by email
       union all select max(id), null, email, email from (
         select id, coalesce(original_address, from_address) as email from inbound_mail)
         where email not in (select email from users union all select email from contacts
           union all select email from contact_submissions union all select email from ticket_copies
           union all select email from proposed_copies) group by email`,
    )
    .all()
    .filter(({ id, email }) => ids.has(id) || wanted.has(recipientHash(ctx, email)))
    .filter(({ id }) => !database.prepare("select 1 from person_erasures where user_id = ?").get(id));
  for (const person of people) {
    const submissions = database
      .prepare("select json_group_array(id) as ids from contact_submissions where email = ?")
      .get(person.email).ids;
    const subject = { type: "user", id: person.userId, label: null };
    database.exec("begin immediate");
    const others = furtherAddresses(buildOnly, person.email).toSQL();
    const further = database
      .prepare(others.sql)
      .all(...others.params)
      .map(({ email }) => email);
    for (const statement of erasureOf(ctx, person, { submissions, further })) {
      const { sql, params } = statement.toSQL();
      database.prepare(sql).run(...params.map((value) => (typeof value === "boolean" ? Number(value) : value)));
    }
    const event = { at: now, actor: SYSTEM, action: "user.erased", subject };
    insertRow(database, "audit_events", auditColumns(event));
    database.exec("commit");
  }
  return people.length;
}

function expectRoom(place, { pages, files }, times) {
  // Of the rows as they are sealed: with their indexes and the search, or as statements.
  const needed = files.bytes + times * 4 * pages.reduce((sum, { bytes }) => sum + bytes, 0);
  const parent = dirname(place);
  mkdirSync(parent, { recursive: true });
  const { bavail, bsize } = statfsSync(parent);
  if (bavail * bsize >= needed) return;
  throw new Error(`There is no room for it: about ${Math.ceil(needed / 1e6)} MB are needed where ${place} will be.`);
}

export const isEmptyFolder = (folder) => !existsSync(folder) || readdirSync(folder).length === 0;

/** @type {{ leftOut: string[], row: (table: string, row: any) => any, file: (file: any, bytes: any) => any }} */
const AS_IT_IS = { leftOut: [], row: (_, row) => row, file: (_, bytes) => bytes };

/**
 * Opens a backup whose rows will be written so many times, and whose files once, where `place` will be. Everything is
 * checked before anything is written. `replace` changes rows and files on the way, of any installation: see
 * replace-personal-data.mjs.
 */
export async function openForRestore(
  place,
  { folder, id = undefined, identity, keys, migrations, replace = AS_IT_IS, now = Date.now, print = console.log },
  times = 1,
) {
  const begun = now();
  const manifest = await openBackup(folder, findBackup(folder, id), { identity, keys, migrations });
  const rows = Object.values(manifest.counts).reduce((sum, count) => sum + count, 0);
  const backup = { folder, manifest, identity, keys, replace, now, begun, rows };
  print(`Checking the backup of ${utc(manifest.takenAt)} …`);
  await verify(backup);
  expectRoom(place, manifest, times);
  print(`Restoring ${rows} rows and ${manifest.files.count} files …`);
  return backup;
}

/**
 * Makes a new state folder from a backup. The folder is filled under another name and gets its own at last, so there is
 * never half of one. An interrupted restore begins anew.
 */
export async function restoreInto(into, asked) {
  if (!isEmptyFolder(into)) throw new Error(`${into} holds something already. Name a new folder.`);
  const backup = await openForRestore(into, asked);
  const unfinished = `${into}.unfinished`;
  lockState(unfinished);
  for (const entry of readdirSync(unfinished))
    if (entry !== "in-use") rmSync(join(unfinished, entry), { recursive: true });
  const stores = await openLocalStores(unfinished);
  await restoreFiles(backup, (key, bytes) => stores.files.put(key, bytes)).finally(stores.close);
  const database = await openLocalDatabase(unfinished);
  const restored = await restoreRows(database, backup).finally(() => database.close());
  rmSync(join(unfinished, "in-use"), { force: true });
  rmSync(into, { recursive: true, force: true });
  renameSync(unfinished, into);
  return restored;
}

export async function restoreFiles({ folder, manifest, identity, replace }, put) {
  for (const entry of manifest.pages.filter(({ table }) => table === FILES)) {
    for (const file of await readPage(folder, manifest, entry, identity)) {
      const bytes = replace.file(file, await readFile(folder, manifest, file, identity));
      if (bytes) await put(file.key, bytes);
    }
  }
}

/**
 * Fills an empty database, ends what was open in it and records the restore. `migratesOn` false: it stays at the
 * version of the backup. Returns what was restored, which migrations it lacked, and how many were erased again.
 */
export async function restoreRows(database, backup, { migratesOn = true } = {}) {
  const { folder, manifest, keys, rows, now, begun } = backup;
  database.exec("pragma synchronous = off");
  migrate(database, manifest.schema.migration);
  await load(database, backup);
  const migrating = now();
  const migrated = { names: migratesOn ? migrate(database) : [], duration: now() - migrating };
  const at = now();
  const unknown = { bookmark: null, undo: null, lostThrough: null, numbers: {}, host: null };
  const known = { epoch: at, backup: manifest.id, state: utc(manifest.takenAt) };
  database.exec(`begin immediate; ${recordOfRestore({ ...unknown, ...known }, at).join(";\n")}; commit`);
  // By the keys of another installation nobody would be found.
  const erased = keys ? await eraseAgain(database, erasedSince(folder, manifest.startedAt), { keys, now: at }) : 0;
  database.exec("pragma synchronous = full; pragma wal_checkpoint(truncate)");
  return { manifest, rows, migrated, erased, duration: now() - begun };
}
