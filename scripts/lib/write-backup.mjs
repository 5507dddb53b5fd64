import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  backupIdAt,
  CONTENT_TABLES,
  FILES,
  fileName,
  MANIFEST_NAME,
  PAGE_ROWS,
  ROWS_FORMAT,
} from "~/features/backup/model";
import {
  COLUMNS_QUERY,
  COUNTS_QUERY,
  pageQuery,
  rowNumber,
  rowsToLookAt,
  SEQUENCES_QUERY,
} from "~/features/backup/read-rows";
import { fingerprintsOf, schemaHash, seal, sealPage, sha256 } from "~/features/backup/seal.server";
import { ERASED_PREFIX } from "~/features/privacy/model";

const FILES_PER_PAGE = 500;

/** Writes a file whole or not at all: a backup that was cut off has no half pages. */
function writeWhole(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, bytes, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

/** Returns the columns of each table, as the database has them. */
export const columnsOf = (database) =>
  Object.fromEntries(
    database
      .prepare(COLUMNS_QUERY)
      .all()
      .map(({ name, columns }) => [name, JSON.parse(columns)]),
  );

const newestMigration = (database) =>
  database.prepare("select name from d1_migrations order by id desc limit 1").get().name;

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
  const schema = newestMigration(database);
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
      const query = database.prepare(pageQuery(table, columns[table]));
      let after = 0;
      let rows = query.all(after, PAGE_ROWS);
      while (rows.length > 0) {
        await add(table, rows);
        after = rowNumber(rows.at(-1));
        rows = query.all(after, rowsToLookAt(rows.length));
      }
    }
    const counts = { ...database.prepare(COUNTS_QUERY).get() };
    const sequences = Object.fromEntries(
      database
        .prepare(SEQUENCES_QUERY)
        .all()
        .map(({ name, seq }) => [name, seq]),
    );
    const kept = await writeFiles({ files, recipient, to, add });
    const manifest = {
      format: ROWS_FORMAT,
      id,
      startedAt: now,
      takenAt: now,
      installation: fingerprintsOf(keys),
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

async function writeFiles({ files, recipient, to, add }) {
  const kept = { count: 0, bytes: 0 };
  let cursor;
  do {
    const page = await files.list({ limit: FILES_PER_PAGE, cursor, include: ["customMetadata"] });
    const rows = [];
    for (const { key, size, customMetadata } of page.objects) {
      // Gone since the list was read: deleted, as its row is or will be.
      const stored = await files.get(key);
      if (!stored) continue;
      const bytes = new Uint8Array(await stored.arrayBuffer());
      const hash = sha256(bytes);
      // Not sealed: a restore from an older backup looks there, and there is no name in it.
      if (key.startsWith(ERASED_PREFIX)) writeWhole(join(to, key), bytes);
      const path = join(to, fileName(hash));
      if (!existsSync(path)) writeWhole(path, await seal(recipient, bytes));
      rows.push({ key, size, sha256: hash, metadata: customMetadata ?? {} });
      kept.count += 1;
      kept.bytes += size;
    }
    if (rows.length > 0) await add(FILES, rows);
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return kept;
}
