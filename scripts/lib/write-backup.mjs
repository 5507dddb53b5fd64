import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  backupIdAt,
  CONTENT_TABLES,
  FILES,
  fileName,
  MANIFEST_NAME,
  PAGE_ROWS,
  PAGE_WEIGHT,
  ROW_NUMBER,
  ROWS_FORMAT,
} from "~/features/backup/model";
import { fingerprintsOf, schemaHash, seal, sealPage, sha256 } from "~/features/backup/seal.server";
import { ERASED_PREFIX } from "~/features/privacy/model";

const FILES_PER_PAGE = 500;

const CONTENT = CONTENT_TABLES.map((name) => `'${name}'`).join(", ");

/** What the database computes itself is not among the columns. */
const COLUMNS_QUERY = `SELECT t.name AS name, json_group_array(c.name) AS columns
  FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c ON c.hidden = 0
  WHERE t.type = 'table' AND t.name IN (${CONTENT}) GROUP BY t.name`;

/** One row, with a column for each table. */
export const COUNTS_QUERY = `SELECT ${CONTENT_TABLES.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;

const SEQUENCES_QUERY = `SELECT name, seq FROM sqlite_sequence WHERE name IN (${CONTENT})`;

/** Parameters: the number of the row before, and how many rows are looked at. Weights are added up by the database. */
function pageQuery(table, columns) {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const weight = columns.map((column) => `coalesce(length("${column}"), 4) + ${column.length + 6}`).join(" + ");
  return `
  SELECT ${ROW_NUMBER}, ${names} FROM (
    SELECT *, sum(_weight) OVER (ORDER BY ${ROW_NUMBER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS _before
    FROM (SELECT rowid AS ${ROW_NUMBER}, ${names}, ${weight} AS _weight FROM "${table}"
      WHERE rowid > ? ORDER BY rowid LIMIT ?))
  WHERE coalesce(_before, 0) < ${PAGE_WEIGHT} ORDER BY ${ROW_NUMBER}`;
}

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
        after = Number(rows.at(-1)[ROW_NUMBER]);
        // As many as the next page is likely to hold, if it is like this one.
        rows = query.all(after, Math.max(100, Math.min(PAGE_ROWS, rows.length * 2)));
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
