import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { type Db, expectChange, jsonParameters, type Statement } from "~/db/client.server";
import { importRows, imports } from "~/db/schema/imports";
import type { ImportOutcome } from "./model";

export type StoredImport = typeof imports.$inferSelect;

type ImportChange = SQLiteUpdateSetSource<typeof imports>;

export const importKeysOf = ({ file_key, archive_key }: StoredImport): string[] =>
  [file_key, archive_key].filter(Boolean);

/** `requests`: how many it sent to the file store. `after`: what is done once it is written. */
export type Part = {
  set: ImportChange;
  statements: Statement[];
  requests?: number;
  after?: () => Promise<unknown>;
};

/** What fails the batch if somebody was faster, or has stopped the import. */
export const advanced = (db: Db, { id, version, state }: StoredImport, set: ImportChange): Statement[] => [
  db
    .update(imports)
    .set({ failures: 0, ...set, version: version + 1 })
    .where(and(eq(imports.id, id), eq(imports.version, version), eq(imports.state, state))),
  expectChange(db),
];

export type ChangedOutcome = { row: number; outcome: ImportOutcome; reason: string; targetId: string | null };

/** Of rows that nothing is written of any more. */
export const outcomesChanged = (db: Db, { id }: StoredImport, rows: readonly ChangedOutcome[]): Statement[] =>
  jsonParameters(rows).map((text) =>
    db
      .update(importRows)
      .set({
        data: null,
        outcome: sql`j.value ->> 'outcome'`,
        reason: sql`j.value ->> 'reason'`,
        target_id: sql`j.value ->> 'targetId'`,
      })
      .from(sql`json_each(${text}) j`)
      // SQLite goes through the rows of the whole import where it is not told which they are.
      .where(sql`${importRows.import_id} = ${id} AND ${importRows.row} = j.value ->> 'row'
        AND ${importRows.row} IN (SELECT value ->> 'row' FROM json_each(${text}))`),
  );

export async function findImport(db: Db, id: string): Promise<StoredImport | null> {
  const [found] = await db.select().from(imports).where(eq(imports.id, id)).limit(1);
  return found ?? null;
}

const LISTED = 20;

export const listImports = (db: Db) =>
  db
    .select({
      id: imports.id,
      kind: imports.kind,
      state: imports.state,
      added: imports.added,
      removed: imports.removed,
      fileName: imports.file_name,
      createdAt: imports.created_at,
      by: personName,
    })
    .from(imports)
    .orderBy(desc(imports.created_at))
    .limit(LISTED);

export type ListedImport = Awaited<ReturnType<typeof listImports>>[number];

const personName = sql<string | null>`(SELECT full_name FROM users WHERE id = ${imports.created_by})`;

/** How much of the work under way is done, and of how much. */
export async function readProgress(
  db: Db,
  { id, state, file_size: toDo, position: done }: StoredImport,
): Promise<{ done: number; toDo: number }> {
  if (state !== "running" && state !== "undoing") return { done, toDo };
  const left =
    state === "running"
      ? sql`import_rows r INDEXED BY import_rows_to_write WHERE r.import_id = ${id} AND r.data is not null`
      : sql`imported_records r WHERE r.import_id = ${id} AND r.is_kept = 0`;
  const [row] = await db.all<{ done: number; toDo: number }>(sql`
    SELECT position AS done, position + (SELECT count(*) FROM ${left}) AS toDo FROM imports WHERE id = ${id}`);
  return row ?? { done, toDo };
}

type OutcomeCounts = Record<ImportOutcome, number>;

/** Counts the rows of one import by what becomes of them. */
export async function countOutcomes(db: Db, id: string): Promise<OutcomeCounts> {
  const rows = await db.all<{ outcome: ImportOutcome; count: number }>(sql`
    SELECT outcome, count(*) AS count FROM import_rows INDEXED BY import_rows_by_outcome
    WHERE import_id = ${id} GROUP BY outcome`);
  const counts: OutcomeCounts = { add: 0, noted: 0, exists: 0, refused: 0 };
  for (const { outcome, count } of rows) counts[outcome] = count;
  return counts;
}

type OutcomeRow = { row: number; label: string; outcome: ImportOutcome; reason: string; ticket: number | null };

/** Lists rows from one on, `outcomes` alone if some are given. */
export const listOutcomes = (
  db: Db,
  id: string,
  { outcomes, after, limit }: { outcomes: readonly ImportOutcome[] | null; after: number; limit: number },
): Promise<OutcomeRow[]> => {
  const among: SQL = outcomes
    ? sql`AND r.outcome IN (SELECT value FROM json_each(${JSON.stringify(outcomes)}))`
    : sql``;
  return db.all<OutcomeRow>(sql`
    SELECT r.row, r.label, r.outcome, r.reason, (SELECT t.number FROM support_tickets t WHERE t.id = r.target_id) AS ticket
    FROM import_rows r WHERE r.import_id = ${id} AND r.row > ${after} ${among} ORDER BY r.row LIMIT ${limit}`);
};
