import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Ctx } from "~/platform/context.server";
import type { ZipEntry } from "../zip";
import { EXPORTED_TABLES, type ExportedTable, LEFT_OUT } from "./tables";

/** Limits the rows that memory holds at a time. */
const ROWS_AT_ONCE = 500;

/**
 * Limits what one archive reads, from the database and from the file store: the platform limits the reads of a request.
 * The rest comes in a further archive.
 */
const READS_PER_ARCHIVE = 900;
const BYTES_PER_ARCHIVE = 1024 * 1024 * 1024;

/** Names the files of people, as a place in an archive. */
const FILES = "files";

/** Says what an archive begins after: a row of a table, or a file. `key`: the number of its row; 0: the first one. */
type Place = { part: string; key: number };

const PLACE = /^([a-z_]+):(\d{1,15})$/;
const BEGINNING: Place = { part: EXPORTED_TABLES[0]?.name ?? FILES, key: 0 };

/** Reads a place of an address; empty: the beginning. Null: there is none of that name. */
export function parsePlace(text: string): Place | null {
  if (!text) return BEGINNING;
  const [, part = "", key = "0"] = PLACE.exec(text) ?? [];
  const isKnown = part === FILES || EXPORTED_TABLES.some(({ name }) => name === part);
  return isKnown ? { part, key: Number(key) } : null;
}

type Archive = {
  from: Place;
  withFiles: boolean;
  /** Returns the address of the archive that goes on after a place. */
  next: (place: string) => string;
};

/** Holds how much may still be read, and where it ended. */
type Budget = { reads: number; bytes: number; stoppedAt: string | null };

type Stores = Pick<Ctx, "db" | "files">;

const textFile = (name: string, text: string): ZipEntry => ({ name, bytes: new TextEncoder().encode(text) });

const aboutText = (withFiles: boolean): string => `Everything that is stored, but for secrets and for what passes.

tables/   One file for each table, a row in each line, as JSON.
${
  withFiles
    ? "files/    What people have sent, named by the id of its row in tables/attachments.ndjson and its own name."
    : "Files are left out. tables/attachments.ndjson says what there are, with the keys (r2_key) in the file store."
}

Times are milliseconds since 1970 in UTC. Lines were read one part after another: a row that was changed meanwhile may
be as it was before or after.

Left out are passwords, codes, keys and the links of mails; who is signed in (${LEFT_OUT.secrets.join(", ")});
what is only there until it is done (${LEFT_OUT.passing.join(", ")});
and what is counted from the rest (${LEFT_OUT.counted.join(", ")}).
`;

/**
 * Reads the files of an archive with everything, a part at a time. Where more does not fit, its last one says where it
 * is.
 */
export async function* everythingFiles(stores: Stores, archive: Archive): AsyncGenerator<ZipEntry> {
  const { from, withFiles, next } = archive;
  const budget: Budget = { reads: READS_PER_ARCHIVE, bytes: BYTES_PER_ARCHIVE, stoppedAt: null };
  yield textFile("README.txt", aboutText(withFiles));
  const first = EXPORTED_TABLES.findIndex(({ name }) => name === from.part);
  for (const table of first < 0 ? [] : EXPORTED_TABLES.slice(first)) {
    const after = table.name === from.part ? from.key : 0;
    const name = `tables/${table.name}${after > 0 ? `-after-${after}` : ""}.ndjson`;
    yield { name, parts: linesOf(stores.db, { table, after, budget }) };
    if (budget.stoppedAt !== null) break;
  }
  if (withFiles && budget.stoppedAt === null) {
    yield* sentFiles(stores, { after: from.part === FILES ? from.key : 0, budget });
  }
  if (budget.stoppedAt !== null) {
    yield textFile("MORE.txt", `This archive is full. What follows is at ${next(budget.stoppedAt)}\n`);
  }
}

type Reading = { after: number; budget: Budget };

/** Reads the rows of a table by their place, as lines of JSON. */
async function* linesOf(
  db: Db,
  { table: { name, columns }, after, budget }: Reading & { table: ExportedTable },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const selected = sql.raw(columns.map((column) => `"${column}"`).join(", "));
  for (let place = after; ; ) {
    if (isUsedUp(budget)) {
      budget.stoppedAt = `${name}:${place}`;
      return;
    }
    budget.reads -= 1;
    const rows = await db.all<Record<string, unknown> & { row_place: number }>(sql`
      SELECT rowid AS row_place, ${selected} FROM ${sql.identifier(name)}
      WHERE rowid > ${place} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`);
    if (rows.length > 0) {
      const lines = rows.map(({ row_place: _place, ...row }) => `${JSON.stringify(row)}\n`);
      const bytes = encoder.encode(lines.join(""));
      budget.bytes -= bytes.length;
      yield bytes;
    }
    if (rows.length < ROWS_AT_ONCE) return;
    place = rows.at(-1)?.row_place ?? place;
  }
}

type SentFile = { place: number; id: string; key: string; name: string };

async function* sentFiles({ db, files }: Stores, { after, budget }: Reading): AsyncGenerator<ZipEntry> {
  for (let place = after; ; ) {
    if (isUsedUp(budget)) {
      budget.stoppedAt = `${FILES}:${place}`;
      return;
    }
    budget.reads -= 1;
    const found = await db.all<SentFile>(sql`
      SELECT rowid AS place, id, r2_key AS key, name FROM attachments
      WHERE rowid > ${place} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`);
    for (const file of found) {
      if (isUsedUp(budget)) {
        budget.stoppedAt = `${FILES}:${place}`;
        return;
      }
      budget.reads -= 1;
      place = file.place;
      const stream = await files.get(file.key);
      // A file that is gone from the store still has its line in the table.
      if (!stream) continue;
      yield { name: `files/${file.id}-${file.name}`, parts: counting(stream, budget) };
    }
    if (found.length < ROWS_AT_ONCE) return;
  }
}

const isUsedUp = ({ reads, bytes }: Budget): boolean => reads <= 0 || bytes <= 0;

async function* counting(stream: ReadableStream<Uint8Array>, budget: Budget): AsyncGenerator<Uint8Array> {
  for await (const part of stream as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    budget.bytes -= part.length;
    yield part;
  }
}
