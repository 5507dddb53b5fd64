import { createHash } from "node:crypto";
import { eq, isNull, type SQL, sql } from "drizzle-orm";
import { commit, expectNoRow, expectRow } from "~/db/client.server";
import { backupChanges, backupFiles, backups } from "~/db/schema/backups";
import { sweepFiles } from "~/features/attachments/queries.server";
import { type Duration, days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { ListedFile } from "~/platform/files.server";
import {
  BACKUPS_PREFIX,
  type BackupFile,
  type BackupRow,
  BEFORE_ALL_ROWS,
  backupIdAt,
  CHANGES,
  type ChangedRow,
  CONTENT_TABLES,
  FILES,
  FILES_PER_PAGE,
  fileName,
  isBackedUp,
  keptBackups,
  MANIFEST_NAME,
  type Manifest,
  nextLimit,
  PAGE_ROWS,
  PAGE_WEIGHT,
  type PageEntry,
  ROW_NUMBER,
  ROWS_FORMAT,
} from "./model";
import {
  COLUMNS_QUERY,
  COUNTS_QUERY,
  changedRowsQuery,
  MIGRATION_QUERY,
  pageQuery,
  SEQUENCES_QUERY,
  sequencesOf,
  type TableColumns,
  TRIGGERS,
  TRIGGERS_QUERY,
  tableColumnsOf,
} from "./read-tables";
import { backupRecipient, fingerprintsOf, schemaHash, seal, sealPage, sealStream, sha256 } from "./seal.server";

/*
 * D1 has no snapshot that lasts longer than a batch. So while pages of rows are read one after the other, triggers
 * write down which rows change, and the last batch, which is one transaction, reads those again with the counts: the
 * backup is the state of that batch. A slice that is cut off is done again from the last place that was recorded, in
 * pages of its own names; until the manifest is there, which is written last, there is no backup.
 */

type BackupCtx = Pick<Ctx, "budget" | "config" | "db" | "files" | "now">;

type Progress = {
  migration: string;
  columns: TableColumns;
  /** Rows first: until they are taken the triggers stand. */
  table: number;
  after: number;
  limit: number;
  taken: { at: Instant; counts: Record<string, number>; sequences: Record<string, number> } | null;
  filesAfter: string;
  files: { count: number; bytes: number };
  pages: (PageEntry & { sealed: number })[];
};

type Run = { id: string; startedAt: Instant; version: number; recipient: string; progress: Progress };

/** After 07:00 UTC: night where the site is, and before old rows are deleted. */
const BEGINS: Duration = hours(7);

const GIVEN_UP_AFTER = hours(20);

const lastNight = (now: Instant): Instant => Math.floor((now - BEGINS) / days(1)) * days(1) + BEGINS;

/** What more rows have changed meanwhile than fit in one answer of the database is begun again, later. */
const MAX_CHANGES = 20_000;

const PAGES_BETWEEN_RECORDS = 8;

/** In bytes. A larger file is read twice, and never held. */
const HELD_AT_ONCE = 8 * 1024 * 1024;

/** The backup cannot become whole: it is given up, and another one is begun. */
class BackupError extends Error {}

const otherRun = () => new Error("Another run goes on with the backup");

const IS_OPEN = sql`finished_at IS NULL AND removed_at IS NULL AND progress IS NOT NULL`;

/** Does a part of the backup of last night, if it is not there yet, and then takes away what is not kept any longer. */
export async function backUp(ctx: BackupCtx): Promise<{ count: number; more?: boolean }> {
  const recipient = backupRecipient(ctx.config);
  const [[open], [newest]] = await Promise.all([
    ctx.db.select().from(backups).where(IS_OPEN).limit(1),
    ctx.db.all<{ at: Instant }>(sql`
      SELECT started_at AS at FROM backups WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1`),
  ]);
  const now = ctx.now();
  if (open?.progress) {
    if (open.recipient !== recipient || open.started_at < now - GIVEN_UP_AFTER) {
      await giveUp(ctx, open.id);
      return { count: 1, more: true };
    }
    const { id, started_at: startedAt, version, progress } = open;
    return goOn(ctx, { id, startedAt, version, recipient, progress: JSON.parse(progress) as Progress });
  }
  if (!recipient) return { count: 0 };
  if (newest && newest.at >= lastNight(now)) return tidy(ctx);
  return goOn(ctx, await begin(ctx, recipient));
}

async function begin(ctx: BackupCtx, recipient: string): Promise<Run> {
  const startedAt = ctx.now();
  const id = backupIdAt(startedAt);
  const [columns, [migration], left] = await Promise.all([
    ctx.db.all<{ name: string; columns: string }>(sql.raw(COLUMNS_QUERY)),
    ctx.db.all<{ name: string }>(sql.raw(MIGRATION_QUERY)),
    readTriggers(ctx),
  ]);
  const progress: Progress = {
    ...{
      migration: migration?.name ?? "",
      columns: tableColumnsOf(columns),
      table: 0,
      after: BEFORE_ALL_ROWS,
      limit: PAGE_ROWS,
    },
    ...{ taken: null, filesAfter: "", files: { count: 0, bytes: 0 }, pages: [] },
  };
  const row = { id, started_at: startedAt, version: 1, recipient, progress: JSON.stringify(progress) };
  const isBegun = await commit(ctx.db, [
    expectNoRow(ctx.db, backups, IS_OPEN),
    ctx.db.insert(backups).values(row),
    ...dropAll(ctx, left),
    ctx.db.delete(backupChanges),
    // Sealed for another key: the backups from now on do not refer to them.
    ctx.db.update(backupFiles).set({ gone: id }).where(sql`gone IS NULL AND recipient <> ${recipient}`),
    ...TRIGGERS.map((trigger) => ctx.db.run(sql.raw(trigger))),
  ]);
  if (!isBegun) throw otherRun();
  return { id, startedAt, version: 1, recipient, progress };
}

const readTriggers = async ({ db }: Pick<Ctx, "db">): Promise<string[]> =>
  (await db.all<{ name: string }>(sql.raw(TRIGGERS_QUERY))).map(({ name }) => name);

const dropAll = ({ db }: Pick<Ctx, "db">, triggers: readonly string[]) =>
  triggers.map((name) => db.run(sql.raw(`DROP TRIGGER IF EXISTS "${name}"`)));

/** What it has written goes with the backups that are not kept. */
async function giveUp(ctx: BackupCtx, id: string): Promise<void> {
  const triggers = await readTriggers(ctx);
  await commit(ctx.db, [
    ctx.db.update(backups).set({ progress: null }).where(eq(backups.id, id)),
    ...dropAll(ctx, triggers),
    ctx.db.delete(backupChanges),
  ]);
}

/** Writes pages under names that no other slice has, and records how far it is. */
function sliceOf(ctx: BackupCtx, run: Run) {
  const { id, recipient, progress } = run;
  const version = run.version + 1;
  let written = 0;
  const isOurs = sql`id = ${id} AND version = ${version}`;
  return {
    claim: async () => {
      const claimed = await ctx.db.update(backups).set({ version }).where(sql`id = ${id} AND version = ${run.version}`);
      if (claimed.meta.changes === 0) throw otherRun();
    },
    add: async (table: string, lines: readonly (BackupRow | BackupFile | ChangedRow)[], isAnew = false) => {
      written += 1;
      const number = version * 1000 + written;
      const { entry, sealed } = await sealPage(recipient, { table, number, schema: progress.migration }, lines);
      await ctx.files.put(`${BACKUPS_PREFIX}${id}/${entry.name}`, sealed);
      progress.pages.push({ ...entry, ...(isAnew && { anew: true as const }), sealed: sealed.length });
    },
    isTimeToRecord: () => written % PAGES_BETWEEN_RECORDS === 0,
    isFull: () => written >= 900 || ctx.budget.isUsedUp(),
    /** `others` happen in the same moment. */
    record: async (others: Parameters<typeof commit>[1] = [], set: Partial<typeof backups.$inferInsert> = {}) => {
      const isRecorded = await commit(ctx.db, [
        expectRow(ctx.db, backups, isOurs),
        ctx.db
          .update(backups)
          .set({ progress: JSON.stringify(progress), ...set })
          .where(isOurs),
        ...others,
      ]);
      if (!isRecorded) throw otherRun();
    },
  };
}

type Slice = ReturnType<typeof sliceOf>;

async function goOn(ctx: BackupCtx, run: Run): Promise<{ count: number; more: boolean }> {
  const slice = sliceOf(ctx, run);
  await slice.claim();
  try {
    if (!run.progress.taken && !(await readRows(ctx, run, slice))) return { count: 1, more: true };
    if (!run.progress.taken) await takeChanges(ctx, run, slice);
  } catch (error) {
    if (error instanceof BackupError) await giveUp(ctx, run.id);
    throw error;
  }
  if (!(await copyFiles(ctx, run, slice))) return { count: 1, more: true };
  await finish(ctx, run, slice);
  return { count: 1, more: true };
}

/** True: all were read. */
async function readRows(ctx: BackupCtx, { progress }: Run, slice: Slice): Promise<boolean> {
  while (progress.table < CONTENT_TABLES.length) {
    const table = CONTENT_TABLES[progress.table] ?? "";
    const rows = await ctx.db.all<BackupRow>(
      sql.raw(pageQuery(table, progress.columns[table] ?? [], progress.after, progress.limit)),
    );
    if (rows.length === 0) {
      Object.assign(progress, { table: progress.table + 1, after: BEFORE_ALL_ROWS, limit: PAGE_ROWS });
      continue;
    }
    await slice.add(table, rows);
    Object.assign(progress, { after: Number(rows.at(-1)?.[ROW_NUMBER]), limit: nextLimit(rows.length) });
    if (slice.isFull()) {
      await slice.record();
      return false;
    }
    if (slice.isTimeToRecord()) await slice.record();
  }
  return true;
}

/** Reads again what has changed, in one transaction, and with it how many rows there are. */
async function takeChanges(ctx: BackupCtx, { progress }: Run, slice: Slice): Promise<void> {
  const [changes] = await ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM backup_changes`);
  if ((changes?.count ?? 0) > MAX_CHANGES) {
    throw new BackupError(`More than ${MAX_CHANGES} rows have changed while the backup was made`);
  }
  const read = <Row>(query: string) => ctx.db.all<Row>(sql.raw(query));
  const [columns, triggers, changed, counts, sequences, ...tables] = await ctx.db.batch([
    read<{ name: string; columns: string }>(COLUMNS_QUERY),
    read<{ name: string }>(TRIGGERS_QUERY),
    read<ChangedRow>('SELECT table_name AS "table", row FROM backup_changes'),
    read<Record<string, number>>(COUNTS_QUERY),
    read<{ name: string; seq: number }>(SEQUENCES_QUERY),
    ...CONTENT_TABLES.map((table) => read<BackupRow>(changedRowsQuery(table, progress.columns[table] ?? []))),
  ]);
  if (schemaHash(tableColumnsOf(columns)) !== schemaHash(progress.columns) || triggers.length !== TRIGGERS.length) {
    throw new BackupError("The database was migrated while the backup was made");
  }
  const at = ctx.now();
  for (const lines of inPages(changed)) await slice.add(CHANGES, lines);
  for (const [index, table] of CONTENT_TABLES.entries()) {
    for (const rows of inPages(tables[index] ?? [])) await slice.add(table, rows, true);
  }
  progress.taken = { at, counts: counts[0] ?? {}, sequences: sequencesOf(sequences) };
  await slice.record([
    ...dropAll(
      ctx,
      triggers.map(({ name }) => name),
    ),
    ctx.db.delete(backupChanges),
  ]);
}

function inPages<Line extends object>(lines: readonly Line[]): Line[][] {
  const pages: Line[][] = [];
  let weight = PAGE_WEIGHT;
  for (const line of lines) {
    if (weight >= PAGE_WEIGHT) {
      pages.push([]);
      weight = 0;
    }
    pages.at(-1)?.push(line);
    weight += JSON.stringify(line).length;
  }
  return pages;
}

/** After the rows: one that the rows refer to is deleted only after its row. True: all of them are there. */
async function copyFiles(ctx: BackupCtx, run: Run, slice: Slice): Promise<boolean> {
  const { progress } = run;
  for (;;) {
    const after = progress.filesAfter;
    const { found, hasMore } = await ctx.files.list("", after, FILES_PER_PAGE);
    const files = await sealFound(ctx, run, found);
    const { lines, through, isWhole } = files;
    const isEnd = isWhole && !hasMore;
    if (lines.length > 0) await slice.add(FILES, lines);
    progress.files.count += lines.length;
    progress.files.bytes += lines.reduce((sum, { size }) => sum + size, 0);
    progress.filesAfter = through ?? after;
    const looked = isEnd ? sql`key > ${after}` : sql`key > ${after} AND key <= ${progress.filesAfter}`;
    await slice.record(noteFiles(ctx, run, { ...files, looked, found }));
    if (isEnd) return true;
    if (slice.isFull()) return false;
  }
}

type NewFile = { key: string; etag: string; sha256: string };
/** `through`: the key up to which it was done. `isWhole`: that of the last. */
type Sealed = { lines: BackupFile[]; sealed: NewFile[]; through: string | undefined; isWhole: boolean };

async function sealFound(ctx: BackupCtx, run: Run, found: readonly ListedFile[]): Promise<Sealed> {
  const files: Sealed = { lines: [], sealed: [], through: undefined, isWhole: false };
  // What follows the folder that is left out.
  if (found[0] && !isBackedUp(found[0].key))
    return { ...files, through: found[0].key.replace(/\/.*$/s, "/\u{10ffff}") };
  const known = await readKnown(ctx, run, found);
  for (const file of found) {
    const { key, size, etag } = file;
    if (!isBackedUp(key)) return files;
    const former = known.get(`${key} ${etag}`);
    const hash = former ?? (await sealFile(ctx, run.recipient, file));
    files.through = key;
    // Without one it is gone since the list was read: deleted, as its row is or will be.
    if (hash) files.lines.push({ key, size, sha256: hash });
    if (hash && !former) files.sealed.push({ key, etag, sha256: hash });
    if (ctx.budget.isUsedUp()) return files;
  }
  return { ...files, isWhole: true };
}

type Noted = Pick<Sealed, "sealed"> & { looked: SQL; found: readonly ListedFile[] };

function noteFiles({ db }: Pick<Ctx, "db">, { id, recipient }: Run, { sealed, looked, found }: Noted) {
  const there = JSON.stringify(found.map(({ key, etag }) => [key, etag]));
  return [
    db
      .update(backupFiles)
      .set({ gone: id })
      .where(sql`${looked} AND gone IS NULL AND (key, etag) NOT IN
        (SELECT value ->> 0, value ->> 1 FROM json_each(${there}))`),
    ...(sealed.length === 0
      ? []
      : [
          db
            .insert(backupFiles)
            .select(
              sql`SELECT value ->> 'key', value ->> 'etag', ${recipient}, value ->> 'sha256', ${id}, NULL
                FROM json_each(${JSON.stringify(sealed)}) WHERE true`,
            )
            .onConflictDoUpdate({
              target: [backupFiles.key, backupFiles.etag, backupFiles.recipient],
              set: { gone: null },
            }),
        ]),
  ];
}

async function readKnown(
  { db }: BackupCtx,
  { recipient }: Run,
  found: readonly ListedFile[],
): Promise<Map<string, string>> {
  const keys = JSON.stringify(found.map(({ key }) => key));
  const rows = await db.all<{ key: string; etag: string; sha256: string }>(sql`
    SELECT f.key, f.etag, f.sha256 FROM json_each(${keys}) k CROSS JOIN backup_files f ON f.key = k.value
    WHERE f.recipient = ${recipient} AND f.gone IS NULL`);
  return new Map(rows.map(({ key, etag, sha256: hash }) => [`${key} ${etag}`, hash]));
}

/** Returns the hash of what is in it, or null if it is gone. */
async function sealFile({ files }: BackupCtx, recipient: string, { key, size }: ListedFile): Promise<string | null> {
  const body = await files.get(key);
  if (!body) return null;
  if (size <= HELD_AT_ONCE) {
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    const hash = sha256(bytes);
    await files.put(BACKUPS_PREFIX + fileName(recipient, hash), await seal(recipient, bytes));
    return hash;
  }
  const digest = createHash("sha256");
  for await (const part of body) digest.update(part);
  const hash = digest.digest("hex");
  const again = await files.get(key);
  if (!again) return null;
  const { sealed, size: sealedSize } = await sealStream(recipient, again, size);
  const { readable, writable } = new FixedLengthStream(sealedSize);
  await Promise.all([files.putStream(BACKUPS_PREFIX + fileName(recipient, hash), readable), sealed.pipeTo(writable)]);
  return hash;
}

async function finish(ctx: BackupCtx, run: Run, slice: Slice): Promise<void> {
  const { id, startedAt, recipient, progress } = run;
  const { taken, migration, columns, pages, files } = progress;
  if (!taken) throw new Error("The rows are not taken yet");
  // What slices wrote that were cut off.
  await removeObjects(ctx, `${BACKUPS_PREFIX}${id}/`, new Set(pages.map(({ name }) => name)));
  const manifest: Manifest = {
    ...{ format: ROWS_FORMAT, id, startedAt, takenAt: taken.at, installation: fingerprintsOf(ctx.config), recipient },
    ...{ schema: { migration, sha256: schemaHash(columns) }, counts: taken.counts, sequences: taken.sequences },
    pages: pages.map(({ sealed: _, ...entry }) => entry),
    files,
  };
  const sealed = await seal(recipient, new TextEncoder().encode(JSON.stringify(manifest)));
  await ctx.files.put(`${BACKUPS_PREFIX}${id}/${MANIFEST_NAME}`, sealed);
  await slice.record([], {
    ...{ progress: null, finished_at: ctx.now(), files: files.count },
    rows: Object.values(taken.counts).reduce((sum, count) => sum + count, 0),
    bytes: pages.reduce((sum, page) => sum + page.sealed, 0),
  });
}

/** True: none is left but those that are kept. */
async function removeObjects(
  { budget, files }: BackupCtx,
  prefix: string,
  kept: ReadonlySet<string>,
): Promise<boolean> {
  let after = "";
  for (;;) {
    const { found, hasMore } = await files.list(prefix, after, 1_000);
    const keys = found.map(({ key }) => key).filter((key) => !kept.has(key.slice(prefix.length)));
    if (keys.length > 0) await files.delete(keys);
    after = found.at(-1)?.key ?? after;
    if (!hasMore) return true;
    if (budget.isUsedUp()) return false;
  }
}

/**
 * What the database has forgotten when it was put back to a bookmark. What is older than all that it knows stays: a
 * database that was made anew knows none. Only ids of backups begin with a digit.
 */
export const sweepBackups = (ctx: BackupCtx): Promise<{ count: number }> =>
  sweepFiles(
    ctx,
    `${BACKUPS_PREFIX}2`,
    (keys) => sql`SELECT value AS key, substr(value, ${BACKUPS_PREFIX.length + 1}) AS name FROM json_each(${keys})
      WHERE substr(name, 1, instr(name, '/') - 1) IN (SELECT id FROM backups)
        OR name < coalesce((SELECT min(id) FROM backups), '~')`,
  );

const SWEPT_AT_ONCE = 500;

/** Takes away the backups that are not kept any longer, and then the files that none of the others refers to. */
async function tidy(ctx: BackupCtx): Promise<{ count: number; more?: boolean }> {
  const present = await ctx.db
    .select({ id: backups.id, finished: backups.finished_at })
    .from(backups)
    .where(isNull(backups.removed_at));
  const kept = keptBackups(present.filter(({ finished }) => finished !== null).map(({ id }) => id));
  const old = present.find(({ id }) => !kept.has(id));
  if (old) {
    const prefix = `${BACKUPS_PREFIX}${old.id}/`;
    // First: what is left of it is not a backup any more.
    await ctx.files.delete([prefix + MANIFEST_NAME]);
    if (await removeObjects(ctx, prefix, new Set())) {
      await ctx.db.update(backups).set({ removed_at: ctx.now() }).where(eq(backups.id, old.id));
    }
    return { count: 1, more: true };
  }
  const ids = JSON.stringify([...kept]);
  const swept = await ctx.db.all<{ rowid: number; recipient: string; sha256: string; holders: number }>(sql`
    SELECT f.rowid, f.recipient, f.sha256, (SELECT count(*) FROM backup_files o
      WHERE o.sha256 = f.sha256 AND o.recipient = f.recipient) AS holders
    FROM backup_files f WHERE f.gone IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM json_each(${ids}) b WHERE b.value >= f.since AND b.value < f.gone)
    LIMIT ${SWEPT_AT_ONCE}`);
  if (swept.length === 0) return { count: 0 };
  const nameOf = ({ recipient, sha256: hash }: (typeof swept)[number]) => fileName(recipient, hash);
  // The same may lie under several names, of which some are still there.
  const unused = swept.filter((row) => swept.filter((other) => nameOf(other) === nameOf(row)).length === row.holders);
  await ctx.files.delete([...new Set(unused.map((row) => BACKUPS_PREFIX + nameOf(row)))]);
  await ctx.db
    .delete(backupFiles)
    .where(sql`rowid IN (SELECT value FROM json_each(${JSON.stringify(swept.map(({ rowid }) => rowid))}))`);
  return { count: swept.length, more: true };
}
