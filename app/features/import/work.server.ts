import { eq, sql } from "drizzle-orm";
import { commit, insertRows } from "~/db/client.server";
import { importRows, imports } from "~/db/schema/imports";
import { sweepFiles } from "~/features/attachments/queries.server";
import { PART_SIZE } from "~/features/attachments/store-attachment.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { endImports, WITHOUT_FILE } from "~/features/privacy/erase-person.server";
import { getSettings } from "~/features/settings/queries.server";
import { FORMER_MEMBER, fold } from "~/lib/text";
import { days, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { countedRows, FILE_PROBLEMS, newerRow, REASONS } from "./labels";
import { guessMapping } from "./mapping.server";
import {
  type FileFacts,
  IMPORT_LIMITS,
  IMPORT_PREFIX,
  type ImportOutcome,
  type ImportRow,
  type ImportState,
  type Mapping,
  NAMES_ASKED,
} from "./model";
import { importPath } from "./paths";
import {
  advanced,
  type ChangedOutcome,
  importKeysOf,
  outcomesChanged,
  type Part,
  type StoredImport,
} from "./queries.server";
import { type FileRow, inspectImport, noteColumns, readFileRows } from "./read-rows.server";
import { type Repeats, type Resolution, type RowPlace, resolveRows } from "./resolve-rows.server";
import { understandRow } from "./understand-row";
import { undoPart } from "./undo.server";
import { rowsWritten, type StoredFiles } from "./write-rows.server";
import { checkFiles, openArchive, storeFile, unpackPart } from "./zip-files.server";

type WorkContext = Pick<
  Ctx,
  "after" | "budget" | "config" | "cost" | "db" | "files" | "newId" | "now" | "request" | "signedIn"
>;

/** Ends the part of the work that is done at once: the platform ends an invocation at 1,000 statements. */
const STATEMENTS_AT_ONCE = 600;
/** And at as many requests together: the next part may be a ticket with 100 large files, which ask for 600. */
const STORE_REQUESTS_AT_ONCE = 300;

/** Goes on with the oldest import that is not where it can wait for a person. */
export async function continueImports(ctx: WorkContext): Promise<{ count: number; more: boolean }> {
  await endImports(ctx);
  const [oldest] = await ctx.db.all<{ id: string }>(sql`SELECT id FROM imports
    WHERE state in ('reading', 'checking', 'running', 'undoing') ORDER BY created_at LIMIT 1`);
  if (!oldest) return { count: await forgetOld(ctx), more: false };
  try {
    return { count: await workOn(ctx, oldest.id), more: true };
  } catch (error) {
    await noteFailure(ctx, oldest.id);
    throw error;
  }
}

/** After as many failures of one part an import stops, so that the next can go on. */
const FAILURES_MAX = 3;

async function noteFailure({ db, now }: WorkContext, id: string): Promise<void> {
  const isLast = sql`failures + 1 >= ${FAILURES_MAX}`;
  await db
    .update(imports)
    .set({
      failures: sql`failures + 1`,
      state: sql`iif(${isLast}, 'failed', state)`,
      problem: sql`iif(${isLast}, ${FILE_PROBLEMS.stopped}, problem)`,
      finished_at: sql`iif(${isLast} AND started_at IS NOT NULL, coalesce(finished_at, ${now()}), finished_at)`,
    })
    .where(sql`id = ${id} AND state in ('reading', 'checking', 'running', 'undoing')`);
}

/** Does as many parts as this invocation has room for. */
export async function workOn(ctx: WorkContext, id: string): Promise<number> {
  const before = ctx.cost.queries;
  let requests = 0;
  for (let parts = 0; ; parts += 1) {
    const isLarge = requests >= STORE_REQUESTS_AT_ONCE || ctx.cost.queries - before > STATEMENTS_AT_ONCE;
    const done = parts > 0 && (isLarge || ctx.budget.isUsedUp()) ? null : await doPart(ctx, id);
    if (!done) return parts;
    requests += done.requests ?? 0;
  }
}

/** Each part is one batch, which is written only if nobody has done a part meanwhile. Null: there is nothing to do. */
async function doPart(ctx: WorkContext, id: string): Promise<Part | null> {
  const [order] = await ctx.db.select().from(imports).where(eq(imports.id, id)).limit(1);
  const part = order && (await partOf(ctx, order));
  if (!order || !part) return null;
  await commit(ctx.db, [...advanced(ctx.db, order, part.set), ...part.statements]);
  if (part.after) ctx.after(part.after());
  return part;
}

function partOf(ctx: WorkContext, order: StoredImport): Promise<Part> | null {
  const parts: Partial<Record<ImportState, (ctx: WorkContext, order: StoredImport) => Promise<Part>>> = {
    reading: readPart,
    checking: checkPart,
    running: runPart,
    undoing: undoPart,
  };
  return parts[order.state]?.(ctx, order) ?? null;
}

const sourceOf = ({ file_key: key, file_size: size }: StoredImport) => ({ key, size });

const failed = (problem: string): Part => ({ set: { state: "failed", problem }, statements: [] });

async function readPart(ctx: WorkContext, order: StoredImport): Promise<Part> {
  const unpacked = await unpackPart(ctx, order);
  if (unpacked) return unpacked;
  const source = sourceOf(order);
  const facts: FileFacts | null = order.file_json ? JSON.parse(order.file_json) : await inspectImport(ctx, source);
  if (!facts) return failed(FILE_PROBLEMS.empty);
  const { rows, isCut } = await readFileRows(ctx, source, { facts, from: Math.max(order.position, facts.start) });
  if (isCut) return failed(`${FILE_PROBLEMS.cut} (row ${(facts.rows + 1).toLocaleString("en-US")})`);
  if (rows.length === 0) {
    if (facts.rows === 0) return failed(FILE_PROBLEMS.empty);
    const mapping = await guessMapping(ctx.db, { ...order, facts });
    return {
      set: {
        state: "columns",
        file_json: JSON.stringify(facts),
        mapping_json: JSON.stringify(mapping),
        rows: facts.rows,
      },
      statements: [],
    };
  }
  noteColumns(facts, rows);
  if (facts.rows > IMPORT_LIMITS.rows) return failed(FILE_PROBLEMS.too_many_rows);
  return {
    set: { file_json: JSON.stringify(facts), position: rows.at(-1)?.end ?? order.position, rows: facts.rows },
    statements: [],
  };
}

/** Limits the rows of one batch. What organizations share, such as domains, is seen within a batch only. */
const ROWS_CHECKED = 500;

/** Larger rows would not fit into a statement. */
const ROW_CHARACTERS = 380_000;

async function checkPart(ctx: WorkContext, order: StoredImport): Promise<Part> {
  const facts: FileFacts = JSON.parse(order.file_json ?? "");
  const mapping: Mapping = JSON.parse(order.mapping_json ?? "");
  const [{ rows, isCut }, { timeZone: zone }] = await Promise.all([
    readFileRows(ctx, sourceOf(order), { facts, from: Math.max(order.position, facts.start) }),
    getSettings(ctx.db),
  ]);
  if (isCut) return failed(FILE_PROBLEMS.cut);
  if (rows.length === 0) return { set: { state: "checked" }, statements: [] };
  const chosen = rows.slice(0, ROWS_CHECKED);
  const { checked, outdated, names } = await checkRows(ctx, order, { rows: chosen, facts, mapping, zone });
  return {
    set: {
      position: chosen.at(-1)?.end ?? order.position,
      rows: order.rows + chosen.length,
      mapping_json: JSON.stringify({ ...mapping, names }),
    },
    statements: [
      ...insertRows(ctx.db, importRows, checked, { import_id: order.id }),
      ...outcomesChanged(ctx.db, order, outdated),
    ],
  };
}

type CheckedRow = Omit<typeof importRows.$inferInsert, "import_id" | "target_id">;

type Checking = { rows: readonly FileRow[]; facts: FileFacts; mapping: Mapping; zone: string };

async function checkRows(
  ctx: WorkContext,
  order: StoredImport,
  { rows, facts, mapping, zone }: Checking,
): Promise<{
  checked: CheckedRow[];
  outdated: ChangedOutcome[];
  names: NonNullable<Mapping["names"]>;
}> {
  const { id, kind, preset: source } = order;
  const understood = rows.map((row) => ({ ...understandRow(row, { kind, facts, mapping, zone }), file: row }));
  const archive = await openArchive(ctx, order);
  for (const one of understood) if ("row" in one && one.row.kind === "tickets") checkFiles(one.row, archive, one.notes);
  const keys = JSON.stringify(understood.map(({ key }) => key));
  const oldIds = JSON.stringify(understood.flatMap((one) => ("row" in one && oldIdOf(one.row)) || []));
  const before = await ctx.db.all<RowPlace & { key: string }>(sql`
    SELECT r.key, r.row, (SELECT max(value) FROM json_tree(r.data, '$.row') WHERE key IN ('opened', 'closed', 'at')) AS newest
    FROM import_rows r INDEXED BY import_rows_by_key
    WHERE r.import_id = ${id} AND r.key IN (SELECT value FROM json_each(${keys})) AND r.data is not null
    UNION ALL SELECT ${OLD_ID} || r.old_id, r.row, NULL FROM import_rows r INDEXED BY import_rows_by_old_id
    WHERE r.import_id = ${id} AND r.old_id is not null AND r.old_id IN (SELECT value FROM json_each(${oldIds}))`);
  const seen = new Map(before.map(({ key, row, newest }) => [key, { row, newest: newest ?? 0 }]));
  const results: CheckedRow[] = [];
  const waiting: { result: CheckedRow; row: ImportRow; notes: readonly string[] }[] = [];
  for (const [index, one] of understood.entries()) {
    const row = order.rows + index + 1;
    const base = { row, label: one.label, key: one.key, old_id: null, at: 0, data: null };
    const refusal = refusalOf(one.file) ?? ("refused" in one ? one.refused : undefined);
    const result: CheckedRow = { ...base, outcome: "refused", reason: refusal ?? "" };
    results.push(result);
    if (refusal !== undefined || "refused" in one) continue;
    const data = JSON.stringify({ row: one.row, notes: one.notes });
    if (data.length > ROW_CHARACTERS) result.reason = REASONS.too_much;
    else waiting.push({ result, row: one.row, notes: one.notes });
  }
  waiting.sort((a, b) => newestIn(b.row) - newestIn(a.row));
  const settled = mapping.names?.settled ?? [];
  const named: NonNullable<Repeats["named"]> = new Map(settled.map((name) => [fold(name), { name, isSettled: true }]));
  const resolutions = await resolveRows(
    ctx,
    waiting.map(({ row }) => row),
    { source, organizationId: mapping.organizationId, now: ctx.now() },
    {
      places: waiting.map(({ result: { key, row: at }, row }) => ({
        keys: oldIdOf(row) === null ? [key] : [key, OLD_ID + oldIdOf(row)],
        row: at,
        newest: newestIn(row),
      })),
      seen,
      named,
    },
  );
  for (const [index, { result, row, notes }] of waiting.entries()) {
    const resolution = resolutions[index];
    if (!resolution) continue;
    Object.assign(result, outcomeOf(resolution, notes), resolution.isOfErased && { label: FORMER_MEMBER, key: "" });
    if (!resolution.resolved) continue;
    const data = JSON.stringify({ row, notes });
    Object.assign(result, {
      data,
      old_id: oldIdOf(row),
      at: row.kind === "tickets" ? (row.opened ?? row.closed ?? ctx.now()) : 0,
    });
  }
  const outdated = before.flatMap(({ key, row }) => {
    const newer = seen.get(key)?.row ?? row;
    return newer === row ? [] : [{ row, outcome: "refused" as const, reason: newerRow(newer), targetId: null }];
  });
  return { checked: results, outdated, names: namesListed(mapping.names, named) };
}

const newestIn = (row: ImportRow): Instant =>
  row.kind === "tickets" ? Math.max(row.opened ?? 0, row.closed ?? 0, ...row.messages.map(({ at }) => at ?? 0)) : 0;

function namesListed(
  { unknown, settled }: NonNullable<Mapping["names"]> = { unknown: [], settled: [] },
  named: NonNullable<Repeats["named"]>,
): NonNullable<Mapping["names"]> {
  const names = { unknown: [...unknown], settled: [...settled] };
  const isListed = new Set([...unknown, ...settled].map(fold));
  for (const [folded, { name, isSettled }] of named) {
    const list = isSettled ? names.settled : names.unknown;
    if (!isListed.has(folded) && list.length < NAMES_ASKED) list.push(name);
  }
  return names;
}

const OLD_ID = "id ";

const oldIdOf = (row: ImportRow): string | null => (row.kind === "organizations" ? row.oldId : null);

const refusalOf = ({ tooLong, isUnreadable }: FileRow): string | undefined => {
  if (isUnreadable) return REASONS.unreadable_line;
  return tooLong === undefined ? undefined : `“${tooLong}” ${REASONS.too_long_cell}`;
};

function outcomeOf(
  { outcome, reason, resolved }: Resolution,
  notes: readonly string[],
): { outcome: ImportOutcome; reason: string } {
  if (!resolved || notes.length === 0 || outcome === "exists") return { outcome, reason };
  return { outcome: "noted", reason: [...notes, reason].filter(Boolean).join(". ") };
}

/** Limits the rows of one batch, and what they hold. */
const ROWS_WRITTEN = 100;
const CHARACTERS_WRITTEN = 1_500_000;
const FILES_WRITTEN = 50;

/** What the dry run has found is looked up again, as things are now. */
async function runPart(ctx: WorkContext, order: StoredImport): Promise<Part> {
  const { db } = ctx;
  const mapping: Mapping = JSON.parse(order.mapping_json ?? "");
  if (order.file_key !== "") {
    // Its rows are known: nobody needs the names in it any more.
    ctx.after(ctx.files.delete([order.file_key]));
    return { set: WITHOUT_FILE, statements: [] };
  }
  const stored = await db.all<{ row: number; data: string }>(sql`
    SELECT row, data FROM (
      SELECT at, row, data, sum(length(data)) OVER (ORDER BY at, row) - length(data) AS before FROM (
        SELECT at, row, data FROM import_rows INDEXED BY import_rows_to_write
        WHERE import_id = ${order.id} AND data is not null ORDER BY at, row LIMIT ${ROWS_WRITTEN})
    ) WHERE before < ${CHARACTERS_WRITTEN} ORDER BY at, row`);
  if (stored.length === 0)
    return {
      set: { state: "done", finished_at: ctx.now(), archive_key: "" },
      statements: await tellOfLong(ctx, order),
      after: () => ctx.files.delete(importKeysOf(order)),
    };
  let files = 0;
  const parsed = stored
    .map(({ row: place, data }) => ({ place, ...(JSON.parse(data) as { row: ImportRow; notes: string[] }) }))
    .filter(({ row }, index) => {
      if (row.kind === "tickets") files += [row, ...row.messages].reduce((sum, of) => sum + of.files.length, 0);
      return index === 0 || files <= FILES_WRITTEN;
    });
  const resolutions = await resolveRows(
    ctx,
    parsed.map(({ row }) => row),
    { source: order.preset, organizationId: mapping.organizationId, now: ctx.now() },
  );
  const rows = parsed.flatMap(({ place, notes }, index) => {
    const resolution = resolutions[index];
    return resolution ? [{ place, ...resolution, ...outcomeOf(resolution, notes) }] : [];
  });
  const { stored: storedFiles, requests } = await storeFiles(ctx, order, rows);
  return { ...rowsWritten(ctx, order, rows, storedFiles), requests };
}

type RunRow = Resolution & { place: number };

/** Stores what comes with the rows that are written; a file that is not what its name says is noted with its row. */
async function storeFiles(
  ctx: WorkContext,
  order: StoredImport,
  rows: readonly RunRow[],
): Promise<{ stored: StoredFiles; requests: number }> {
  const stored: StoredFiles = new Map();
  let requests = 0;
  const archive = await openArchive(ctx, order);
  for (const row of archive ? rows : []) {
    const { resolved } = row;
    if (resolved?.kind !== "tickets" && resolved?.kind !== "new_messages") continue;
    const description = resolved.kind === "tickets" ? [resolved.row] : [];
    for (const file of [...description, ...resolved.messages].flatMap((of) => of.files)) {
      const found = archive && (await storeFile(ctx, archive, file));
      // Also for one that is broken: its head and its content in the ZIP, and what keeps it, a large one in parts.
      requests += (archive?.find(file.path)?.size ?? 0) > PART_SIZE ? 6 : 3;
      if (found) stored.set(file, found);
      else Object.assign(row, outcomeOf(row, [`“${file.name}” ${REASONS.file_broken}`]));
    }
  }
  return { stored, requests };
}

/** Nobody waits for longer in front of a page. */
const LONG = minutes(2);

/** Whoever has begun an import that took long is mailed that it is done, and nobody else is told of anything. */
async function tellOfLong(ctx: WorkContext, { id, kind, added, started_at, created_by }: StoredImport) {
  if (started_at === null || ctx.now() - started_at < LONG) return [];
  const [person] = await ctx.db.all<{ email: string }>(
    sql`SELECT email FROM users WHERE id = ${created_by} AND status = 'active' AND is_staff = 1`,
  );
  const data = { added: `${countedRows(kind, added)} added`, path: importPath(id) };
  return person ? [enqueueMail(ctx, "import-done", { to: person.email, about: null, data })] : [];
}

/** Names and words of a file are kept for this long, so that its outcomes can be looked at. */
const ROWS_KEPT = days(7);

/** Forgets a file with its rows; what was added from it stays. */
async function forgetOld({ db, files, now }: WorkContext): Promise<number> {
  const [first] = await db
    .select()
    .from(imports)
    .where(sql`created_at < ${now() - ROWS_KEPT} AND (file_key <> '' OR archive_key <> '' OR file_json IS NOT NULL)`)
    .orderBy(imports.created_at)
    .limit(1);
  if (!first) return 0;
  await files.delete(importKeysOf(first));
  await commit(db, [
    db.delete(importRows).where(eq(importRows.import_id, first.id)),
    db
      .update(imports)
      .set({
        file_json: null,
        mapping_json: null,
        file_key: "",
        archive_key: "",
        ...(first.state === "columns" || first.state === "checked"
          ? { state: "failed" as const, problem: FILE_PROBLEMS.too_old }
          : {}),
      })
      .where(eq(imports.id, first.id)),
  ]);
  return 1;
}

export const sweepImports = (ctx: Pick<Ctx, "budget" | "db" | "files" | "now">): Promise<{ count: number }> =>
  sweepFiles(
    ctx,
    IMPORT_PREFIX,
    (keys) => sql`WITH listed(key) AS (SELECT value FROM json_each(${keys}))
      SELECT file_key AS key FROM imports WHERE file_key IN listed
      UNION ALL SELECT archive_key FROM imports WHERE archive_key IN listed`,
  );
