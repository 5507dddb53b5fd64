import type { Buffer } from "node:buffer";
import { TICKET_FILES } from "~/features/attachments/model";
import { inspectionOf, receiveFile, type StoredFile } from "~/features/attachments/store-attachment.server";
import type { Ctx } from "~/platform/context.server";
import { listZip, unzipped, type ZipEntry } from "~/platform/zip.server";
import { FILE_PROBLEMS, filesNote, REASONS } from "./labels";
import { IMPORT_LIMITS, type ImportedFile, type ImportKind, type TicketRow } from "./model";
import type { Part, StoredImport } from "./queries.server";
import { readWindow } from "./read-rows.server";

type FilesContext = Pick<Ctx, "files">;

const windowsOf = (ctx: FilesContext, source: { key: string; size: number }) => (offset: number, length: number) =>
  readWindow(ctx, source, offset, length) as Promise<Buffer>;

/** The parts of our own archives are read one after the other; of other ZIPs the only table beside their folders. */
function rowEntries(entries: readonly ZipEntry[], kind: ImportKind): { root: string; parts: ZipEntry[] } | null {
  const own = entries.flatMap((entry) => {
    const [, root, part = "1"] = new RegExp(`^(.*/|)data/${kind}(?:-(\\d+))?\\.ndjson$`).exec(entry.name) ?? [];
    return root === undefined ? [] : [{ root, entry, part: Number(part) }];
  });
  const [first] = own;
  if (first) return { root: first.root, parts: own.sort((a, b) => a.part - b.part).map(({ entry }) => entry) };
  const tables = entries.filter(({ name }) => /^[^/]+\.(csv|tsv|txt|ndjson|jsonl)$/i.test(name));
  return tables.length === 1 ? { root: "", parts: tables } : null;
}

/** Takes the rows out of a ZIP, to be read as any other file. Null: what was uploaded is none. */
export async function unpackPart(ctx: FilesContext, order: StoredImport): Promise<Part | null> {
  const { file_key: key, file_size: size, kind } = order;
  if (order.archive_key !== "" || order.file_json !== null) return null;
  const read = windowsOf(ctx, { key, size });
  if ((await read(0, 4)).toString("latin1") !== "PK\x03\x04") return null;
  const failed = (problem: string): Part => ({ set: { state: "failed", problem }, statements: [] });
  const entries = await listZip(read, size);
  if (!entries) return failed(FILE_PROBLEMS.no_zip);
  const { parts } = rowEntries(entries, kind) ?? { parts: [] };
  if (parts.length === 0) return failed(FILE_PROBLEMS.zip_without_rows);
  if (parts.reduce((sum, part) => sum + part.size, 0) > IMPORT_LIMITS.fileSize) return failed(FILE_PROBLEMS.unpacked);
  const rows = receiveFile(ctx, "rows", { kinds: null, folder: "imports" });
  try {
    for (const part of parts) for await (const bytes of unzipped(ctx.files, key, part)) await rows.write(bytes);
  } catch {
    await rows.abort();
    return failed(FILE_PROBLEMS.no_zip);
  }
  const stored = await rows.end();
  if (stored.error !== null) return failed(FILE_PROBLEMS.empty);
  const set = { archive_key: key, archive_size: size, file_key: stored.key, file_size: stored.size };
  return { set, statements: [] };
}

type Archive = { key: string; find: (path: string) => ZipEntry | undefined };

/** Null: the rows came without one. */
export async function openArchive(ctx: FilesContext, order: StoredImport): Promise<Archive | null> {
  const { archive_key: key, archive_size: size, kind } = order;
  if (key === "" || kind !== "tickets") return null;
  const entries = (await listZip(windowsOf(ctx, { key, size }), size)) ?? [];
  const root = rowEntries(entries, kind)?.root ?? "";
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return { key, find: (path) => byName.get(root + path) };
}

/** Leaves out of a ticket what it cannot have, and says so. */
export function checkFiles(row: TicketRow, archive: Archive | null, notes: string[]): void {
  let room: number = IMPORT_LIMITS.files;
  let tooMany = 0;
  const isTaken = ({ path, name }: ImportedFile): boolean => {
    const entry = archive?.find(path);
    const { kinds, maxSize } = TICKET_FILES;
    const reason =
      archive === null
        ? REASONS.no_zip
        : !entry
          ? `“${path}” ${REASONS.not_in_zip}`
          : !inspectionOf(name, kinds)
            ? `“${name}” ${REASONS.file_kind}`
            : entry.size === 0 || entry.size > maxSize
              ? `“${name}” ${REASONS.file_size}`
              : null;
    if (reason !== null && !notes.includes(reason)) notes.push(reason);
    if (reason === null && room === 0) tooMany += 1;
    if (reason !== null || room === 0) return false;
    room -= 1;
    return true;
  };
  for (const of of [row, ...row.messages]) of.files = of.files.filter(isTaken);
  row.messages = row.messages.filter(({ text, files }) => text !== "" || files.length > 0);
  if (tooMany > 0) notes.push(filesNote(tooMany));
}

/** Should the batch fail, the job `sweep-orphans` deletes its bytes. Null: it cannot be taken. */
export async function storeFile(
  ctx: FilesContext,
  archive: Archive,
  { path, name }: ImportedFile,
): Promise<StoredFile | null> {
  const entry = archive.find(path);
  if (!entry) return null;
  const file = receiveFile(ctx, name, { kinds: TICKET_FILES.kinds });
  try {
    for await (const bytes of unzipped(ctx.files, archive.key, entry)) await file.write(bytes);
  } catch {
    await file.abort();
    return null;
  }
  const stored = await file.end();
  return stored.error === null ? { ...stored, name: stored.fileName } : null;
}
