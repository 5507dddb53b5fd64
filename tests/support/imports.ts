import { eq, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { importRows, imports } from "~/db/schema/imports";
import { needsDates, unknownWords } from "~/features/import/mapping.server";
import type { FileFacts, ImportKind, ImportPreset, Mapping } from "~/features/import/model";
import { workOn } from "~/features/import/work.server";
import type { TestContext } from "./context";

type Upload = { kind: ImportKind; preset?: ImportPreset; content: string | Uint8Array; name?: string };

/** Uploads a file as its page does, and reads it. */
export async function uploaded(ctx: TestContext, { kind, preset = "generic", content, name = "file.csv" }: Upload) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const id = ctx.newId("imp");
  const file_key = `imports/${crypto.randomUUID()}`;
  await ctx.files.put(file_key, bytes);
  await ctx.db.insert(imports).values({
    ...{ id, kind, preset, state: "reading", created_at: ctx.now(), file_name: name, file_key },
    file_size: bytes.byteLength,
  });
  await workOn(ctx, id);
  return importOf(ctx, id);
}

export async function importOf(ctx: TestContext, id: string) {
  const [row] = await ctx.db.select().from(imports).where(eq(imports.id, id));
  if (!row) throw new Error(`There is no import ${id}`);
  const facts = row.file_json ? (JSON.parse(row.file_json) as FileFacts) : null;
  const mapping = row.mapping_json ? (JSON.parse(row.mapping_json) as Mapping) : null;
  return { ...row, facts, mapping };
}

/** Changes the state as a form does, and does all that follows. */
export async function movedTo(ctx: TestContext, id: string, state: "checking" | "running" | "undoing") {
  const start = state === "checking" ? { position: 0, rows: 0 } : {};
  await ctx.db
    .update(imports)
    .set({ state, ...start })
    .where(eq(imports.id, id));
  while ((await workOn(ctx, id)) > 0);
  return importOf(ctx, id);
}

/** Uploads a file, takes what is known of its columns, and makes the dry run. */
export async function dryRun(ctx: TestContext, upload: Upload, changes: Partial<Mapping> = {}) {
  const { id, facts, mapping, problem } = await uploaded(ctx, upload);
  if (!facts || !mapping) throw new Error(problem ?? "The file was not read");
  const chosen = { ...mapping, ...changes };
  await ctx.db
    .update(imports)
    .set({ mapping_json: JSON.stringify(chosen) })
    .where(eq(imports.id, id));
  const questions = [
    ...unknownWords(facts, chosen).map(({ word }) => word),
    ...(chosen.dates === null && needsDates(facts, chosen) ? ["dates"] : []),
  ];
  return { ...(await movedTo(ctx, id, "checking")), questions };
}

export const outcomesOf = async (ctx: TestContext, id: string) =>
  (await ctx.db.select().from(importRows).where(eq(importRows.import_id, id)).orderBy(importRows.row)).map(
    ({ row, outcome, reason }) => [row, outcome, reason] as const,
  );

/** In these an import keeps its own record. The tables of the search are left out: they are made of the others. */
const OWN_NAMES = new Set([
  "imports",
  "import_rows",
  "imported_records",
  "import_words",
  "audit_events",
  "audit_seals",
]);

/** Reads the rows of every table as text, but for the audit and the record of imports. */
export async function allTables(ctx: TestContext): Promise<Record<string, string[]>> {
  const tables = await ctx.db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'
    AND name NOT LIKE 'sqlite%' AND name NOT LIKE '_cf%' AND name NOT LIKE '%_search%' AND name NOT LIKE 'd1_%'
    ORDER BY name`);
  const names = tables.map(({ name }) => name).filter((name) => !OWN_NAMES.has(name));
  const read = await ctx.db.batch(
    names.map((name) => ctx.db.all(sql`SELECT * FROM ${sql.identifier(name)}`)) as unknown as [
      Statement,
      ...Statement[],
    ],
  );
  return Object.fromEntries(
    names.map((name, at) => [name, (read[at] as unknown[]).map((row) => JSON.stringify(row)).sort()]),
  );
}
