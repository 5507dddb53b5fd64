import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  BEFORE_ALL_ROWS,
  backupIdAt,
  CONTENT_TABLES,
  FILES,
  FILES_PER_PAGE,
  fileName,
  isBackedUp,
  MANIFEST_NAME,
  nextLimit,
  PAGE_ROWS,
  ROW_NUMBER,
  ROWS_FORMAT,
} from "~/features/backup/model";
import {
  COLUMNS_QUERY,
  COUNTS_QUERY,
  MIGRATION_QUERY,
  pageQuery,
  SEQUENCES_QUERY,
  sequencesOf,
  tableColumnsOf,
} from "~/features/backup/read-tables";
import { fingerprintsOf, schemaHash, seal, sealPage, sha256 } from "~/features/backup/seal.server";
import { ERASED_PREFIX } from "~/features/privacy/model";
import { openLocalDatabase, stateDir } from "./local-state.mjs";
import { openLocalStores } from "./local-stores.mjs";

/** Writes a file whole or not at all: a backup that was cut off has no half pages. */
function writeWhole(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, bytes, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

/** Returns the columns of each table, as the database has them. */
export const columnsOf = (database) => tableColumnsOf(database.prepare(COLUMNS_QUERY).all());

/**
 * Writes a backup of a local database and its files into a folder, and returns the manifest. It reads one state of the
 * database, whatever is written meanwhile. Files that are in the folder already are not written again. The manifest
 * comes last: without it there is no backup.
 *
 * @returns {Promise<import("~/features/backup/model").Manifest>}
 */
export async function writeBackup({ database, files, recipient, keys, to, now = Date.now() }) {
  const id = backupIdAt(now);
  const columns = columnsOf(database);
  const schema = database.prepare(MIGRATION_QUERY).get().name;
  const pages = [];
  const add = async (table, rows) => {
    const number = pages.filter((page) => page.table === table).length + 1;
    const { entry, sealed } = await sealPage(recipient, { table, number, schema }, rows);
    writeWhole(join(to, id, entry.name), sealed);
    pages.push(entry);
  };
  database.exec("begin");
  try {
    for (const table of CONTENT_TABLES) {
      const readAfter = (after, limit) => database.prepare(pageQuery(table, columns[table], after, limit)).all();
      let rows = readAfter(BEFORE_ALL_ROWS, PAGE_ROWS);
      while (rows.length > 0) {
        await add(table, rows);
        rows = readAfter(rows.at(-1)[ROW_NUMBER], nextLimit(rows.length));
      }
    }
    const counts = { ...database.prepare(COUNTS_QUERY).get() };
    const sequences = sequencesOf(database.prepare(SEQUENCES_QUERY).all());
    const kept = await writeFiles({ files, recipient, to, add });
    const manifest = {
      format: ROWS_FORMAT,
      id,
      startedAt: now,
      takenAt: now,
      installation: fingerprintsOf(keys),
      recipient,
      schema: { migration: schema, sha256: schemaHash(columns) },
      counts,
      sequences,
      pages,
      files: kept,
    };
    writeWhole(join(to, id, MANIFEST_NAME), await seal(recipient, new TextEncoder().encode(JSON.stringify(manifest))));
    return manifest;
  } finally {
    database.exec("rollback");
  }
}

/** Writes a backup of the data of this checkout. */
export async function backUpLocally({ recipient, keys, to }) {
  const database = await openLocalDatabase();
  const stores = await openLocalStores(stateDir);
  try {
    return await writeBackup({ database, files: stores.files, recipient, keys, to });
  } finally {
    database.close();
    await stores.close();
  }
}

async function writeFiles({ files, recipient, to, add }) {
  const kept = { count: 0, bytes: 0 };
  let cursor;
  do {
    const page = await files.list({ limit: FILES_PER_PAGE, cursor });
    const rows = [];
    for (const { key, size } of page.objects.filter((object) => isBackedUp(object.key))) {
      // Gone since the list was read: deleted, as its row is or will be.
      const stored = await files.get(key);
      if (!stored) continue;
      const bytes = new Uint8Array(await stored.arrayBuffer());
      const hash = sha256(bytes);
      // Not sealed: a restore from an older backup looks there, and there is no name in it.
      if (key.startsWith(ERASED_PREFIX)) writeWhole(join(to, key), bytes);
      const path = join(to, fileName(recipient, hash));
      if (!existsSync(path)) writeWhole(path, await seal(recipient, bytes));
      rows.push({ key, size, sha256: hash });
      kept.count += 1;
      kept.bytes += size;
    }
    if (rows.length > 0) await add(FILES, rows);
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return kept;
}
