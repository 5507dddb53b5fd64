import { Buffer } from "node:buffer";
import { parse } from "csv-parse/sync";
import { EMAIL_MAX } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";
import { messagesNote, REASONS } from "./labels";
import type { FileColumn, FileFacts, ImportedFile, ImportedMessage } from "./model";
import { fileAt, IMPORT_LIMITS } from "./model";

/** How much of a file is held at once. A row that is longer makes it grow, up to the larger. */
const WINDOW = { usual: 1024 * 1024, largest: 16 * 1024 * 1024 };

export type FileRow = {
  /** Where the next row begins, in bytes. */
  end: number;
  cells: string[];
  messages: DatedAsWritten[];
  files?: ImportedFile[];
  /** The name of a column whose cell is too long. */
  tooLong?: string;
  isUnreadable?: true;
  /** What of its messages is not taken as it stands. */
  notes?: string[];
};

/** `at`: as it is written, because how dates are meant is known for the whole file only. */
type DatedAsWritten = Omit<ImportedMessage, "at"> & { at: string };

type Source = { key: string; size: number };
type FilesContext = Pick<Ctx, "files">;

const LINE_ENDS = ["\r\n", "\n", "\r"];

/** Null: it is no text, or empty. */
export async function inspectImport(ctx: FilesContext, source: Source): Promise<FileFacts | null> {
  const head = await readWindow(ctx, source, 0, WINDOW.usual);
  const [encoding, mark] = encodingOf(head);
  if (encoding !== "utf-16le" && encoding !== "utf-16be" && head.includes(0)) return null;
  const text = textOf(head.subarray(mark), encoding).slice(0, 64 * 1024);
  if (text.trim() === "") return null;
  const facts: FileFacts = { format: "csv", encoding, delimiter: ",", start: mark, rows: 0, columns: [] };
  if (/^\s*\{/.test(text)) return encoding === "utf-8" ? { ...facts, format: "ndjson" } : null;
  // A line of Excel's own, which says what separates the cells.
  const [said, separator] = /^sep=(.)(?:\r\n|\n|\r)/i.exec(text) ?? [];
  const start = mark + (said ? byteLength(said, encoding) : 0);
  const line =
    text
      .slice(said?.length ?? 0)
      .replace(/"[^"]*"/g, "")
      .split(/[\r\n]/, 1)[0] ?? "";
  const delimiter =
    separator ?? [",", ";", "\t", "|"].reduce((best, each) => (count(line, each) > count(line, best) ? each : best));
  const first = parseCsv(head.subarray(start), { ...facts, delimiter }, head.byteLength === source.size)[0];
  if (!first) return null;
  return { ...facts, delimiter, start: start + first.end, columns: columnsNamed(first.cells) };
}

const count = (line: string, separator: string): number => line.split(separator).length - 1;

/** Two of the same name are told apart by their places. */
function columnsNamed(names: readonly string[]): FileColumn[] {
  const cells = names.slice(0, IMPORT_LIMITS.columns).map((name) => name.trim().slice(0, 100));
  return cells.map((name, index) =>
    emptyColumn(name === "" || cells.indexOf(name) !== index ? `${name || "Column"} (${index + 1})` : name),
  );
}

const emptyColumn = (name: string): FileColumn => ({ name, filled: 0, first: "", words: [], hasUnclearDates: false });

function encodingOf(bytes: Uint8Array): [FileFacts["encoding"], mark: number] {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return ["utf-16le", 2];
  if (first === 0xfe && second === 0xff) return ["utf-16be", 2];
  if (first === 0xef && second === 0xbb && third === 0xbf) return ["utf-8", 3];
  // Some programs leave the mark out. What separates cells is a byte beside a 0 then, whatever the letters are.
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, 4096).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > 4 * even && odd > 1) return ["utf-16le", 0];
  if (even > 4 * odd && even > 1) return ["utf-16be", 0];
  return [isUtf8(bytes) ? "utf-8" : "windows-1252", 0];
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const hasLetters = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 127);

const textOf = (bytes: Uint8Array, encoding: FileFacts["encoding"]): string => new TextDecoder(encoding).decode(bytes);

const byteLength = (text: string, encoding: FileFacts["encoding"]): number =>
  encoding === "utf-8" ? Buffer.byteLength(text) : text.length * (encoding === "windows-1252" ? 1 : 2);

export async function readWindow(
  { files }: FilesContext,
  { key, size }: Source,
  from: number,
  length: number,
): Promise<Buffer> {
  const wanted = Math.min(length, size - from);
  if (wanted <= 0) return Buffer.alloc(0);
  const body = await files.getRange(key, { offset: from, length: wanted });
  if (!body) throw new Error("The file of an import is gone");
  return Buffer.from(await new Response(body).arrayBuffer());
}

/**
 * Reads rows from a place in the file on, as many as a window holds; none: the file is at its end. `isCut`: its rest is
 * one row that is longer than any can be. What has begun without any letter of its own and is no UTF-8 later is
 * Windows-1252: then its facts say so.
 */
export async function readFileRows(
  ctx: FilesContext,
  source: Source,
  { facts, from }: { facts: FileFacts; from: number },
): Promise<{ rows: FileRow[]; isCut: boolean }> {
  for (let length: number = WINDOW.usual; ; length *= 4) {
    const bytes = await readWindow(ctx, source, from, length);
    if (bytes.length === 0) return { rows: [], isCut: false };
    const isLast = from + bytes.length >= source.size;
    if (facts.format === "csv" && facts.encoding === "utf-8" && !facts.hasLetters && hasLetters(bytes)) {
      if (isUtf8(bytes)) facts.hasLetters = true;
      else facts.encoding = "windows-1252";
    }
    const rows = facts.format === "csv" ? parseCsv(bytes, facts, isLast) : parseLines(bytes, facts, isLast);
    if (rows.length > 0) return { rows: rows.map((row) => ({ ...row, end: from + row.end })), isCut: false };
    if (isLast) return { rows: [], isCut: bytes.toString("latin1").replaceAll("\0", "").trim() !== "" };
    if (length >= WINDOW.largest) return { rows: [], isCut: true };
  }
}

/** The last row of a part may go on behind it. */
function parseCsv(bytes: Buffer, { delimiter, encoding, columns }: FileFacts, isLast: boolean): FileRow[] {
  const rows: FileRow[] = [];
  const input =
    encoding === "utf-16be"
      ? Buffer.from(bytes)
          .subarray(0, bytes.length & ~1)
          .swap16()
      : bytes;
  const isAnsi = encoding === "windows-1252";
  try {
    parse(input, {
      delimiter,
      encoding: isAnsi ? "latin1" : encoding === "utf-8" ? "utf8" : "utf16le",
      record_delimiter: LINE_ENDS,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (record: string[], { bytes: end }) => {
        const cells = isAnsi ? record.map(ansi) : record;
        rows.push({ end, ...readCells(cells, columns), messages: [] });
        return null;
      },
    });
  } catch (error) {
    // A quotation mark that is not closed within this part, or at all.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    return rows;
  }
  return isLast ? rows : rows.slice(0, -1);
}

const ansi = (text: string): string =>
  /[\x80-\x9f]/.test(text) ? new TextDecoder("windows-1252").decode(Buffer.from(text, "latin1")) : text;

const CONTROL = /[^\P{Cc}\n\t]/gu;

const plain = (text: string): string => text.replace(/\r\n?/g, "\n").normalize("NFC").replace(CONTROL, "");

/** Of a row that is refused for its length only the beginnings are kept: it may be as large as the memory is. */
const BEGINNING = 300;

function readCells(cells: readonly string[], columns: readonly FileColumn[]): Pick<FileRow, "cells" | "tooLong"> {
  const index = cells.findIndex((cell) => cell.length > IMPORT_LIMITS.cell);
  if (index < 0) return { cells: cells.map(plain) };
  const tooLong = columns[index]?.name ?? `Column ${index + 1}`;
  return { cells: cells.map((cell) => plain(cell.slice(0, BEGINNING))), tooLong };
}

/** The names of the columns are those of the objects; a new one is added to the columns. */
function parseLines(bytes: Buffer, facts: FileFacts, isLast: boolean): FileRow[] {
  const rows: FileRow[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(10, at);
    if (found < 0 && !isLast) break;
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.toString("utf8", at, end).trim();
    at = end;
    if (line !== "") rows.push({ ...rowOfLine(line, facts.columns), end });
  }
  return rows;
}

function rowOfLine(line: string, columns: FileColumn[]): Omit<FileRow, "end"> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("No object");
    const { messages, files, ...rest } = value as Record<string, unknown>;
    for (const name of Object.keys(rest))
      if (columns.length < IMPORT_LIMITS.columns && columns.every((column) => column.name !== name))
        columns.push(emptyColumn(name));
    const cells = columns.map(({ name }) => scalar(rest[name]));
    return { ...readCells(cells, columns), ...messagesOf(messages), files: filesOf(files) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { cells: [], messages: [], isUnreadable: true };
  }
}

const scalar = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(scalar).join(", ") : typeof value === "object" ? "" : String(value);
};

/** Paths in the ZIP, or objects with the path and the name that people gave it. */
function filesOf(value: unknown): ImportedFile[] {
  return (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
    const { path, name } =
      typeof each === "object" && each !== null ? (each as Record<string, unknown>) : { path: each };
    return typeof path === "string" ? fileAt(path, typeof name === "string" ? name : undefined) : [];
  });
}

const YES = ["true", "1", "yes"];
const NO = ["", "false", "0", "no"];

function messagesOf(value: unknown): Pick<FileRow, "messages" | "notes"> {
  if (value === undefined || value === null) return { messages: [] };
  if (!Array.isArray(value)) return { messages: [], notes: [REASONS.no_list] };
  const notes = new Set<string>();
  const { messages: most, cell: longest } = IMPORT_LIMITS;
  if (value.length > most) notes.add(messagesNote(value.length - most));
  const messages = value.slice(0, most).flatMap((each: unknown): DatedAsWritten[] => {
    if (typeof each !== "object" || each === null) {
      notes.add(REASONS.no_message);
      return [];
    }
    const { text, author, email, side, internal, at, files } = each as Record<string, unknown>;
    const message = plain(scalar(text)).trim();
    const sent = filesOf(files);
    if (message === "" && sent.length === 0) return [];
    if (message.length > longest) notes.add(REASONS.message_cut);
    // What is no clear no stays inside.
    const said = typeof internal === "object" && internal !== null ? "unclear" : scalar(internal).trim().toLowerCase();
    if (!YES.includes(said) && !NO.includes(said)) notes.add(REASONS.unclear_internal);
    return [
      {
        text: message.slice(0, longest),
        author: plain(scalar(author)).trim().slice(0, 120),
        email: scalar(email)
          .trim()
          .toLowerCase()
          .slice(0, EMAIL_MAX + 1),
        side: side === "client" || side === "staff" ? side : null,
        isInternal: !NO.includes(said),
        at: scalar(at).trim().slice(0, 80),
        files: sent,
      },
    ];
  });
  return { messages, notes: [...notes] };
}

/** More words than this are no list to choose from. */
const WORDS_MAX = 60;

const UNCLEAR_DATE = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}\b/;

function noteDate(column: FileColumn, cell: string): void {
  const [unclear, first, second] = UNCLEAR_DATE.exec(cell) ?? [];
  if (!unclear) return;
  column.hasUnclearDates = true;
  if (Number(first) <= 12 === Number(second) <= 12) return;
  column.orders = [...new Set([...(column.orders ?? []), Number(first) > 12 ? ("dmy" as const) : ("mdy" as const)])];
}

/** Notes what the columns of some rows hold. */
export function noteColumns(facts: FileFacts, rows: readonly FileRow[]): void {
  facts.rows += rows.length;
  facts.hasUnclearMessages ||= rows.some(({ messages }) => messages.some(({ at }) => UNCLEAR_DATE.test(at)));
  for (const { cells } of rows)
    for (const [index, column] of facts.columns.entries()) {
      const cell = cells[index]?.trim() ?? "";
      if (cell === "" || cell === "-") continue;
      column.filled += 1;
      if (column.first === "") column.first = cell.slice(0, 80);
      noteDate(column, cell);
      if (column.words === null || column.words.includes(cell)) continue;
      column.words = cell.length > 60 || column.words.length >= WORDS_MAX ? null : [...column.words, cell];
    }
}
