import { type SQL, sql } from "drizzle-orm";
import { commit, type Statement } from "~/db/client.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import { getSettings } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, withRedirectTo } from "~/lib/addresses";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, download, fileLimited } from "~/platform/responses.server";
import { NEW_ZIP, zipWriter } from "~/platform/zip.server";
import { EXPORT_LIMITED } from "./labels";

/** As a whole, or coming a part at a time. */
type ZipEntry = { name: string; bytes: Uint8Array } | { name: string; parts: AsyncIterable<Uint8Array> };

/** Memory holds one part of one file. */
async function* zipOf(entries: AsyncIterable<ZipEntry>, at: Instant): AsyncGenerator<Uint8Array> {
  const zip = zipWriter(NEW_ZIP, at);
  for await (const entry of entries) {
    zip.append(entry.name, "bytes" in entry ? entry.bytes : new Uint8Array());
    if ("parts" in entry)
      for await (const part of entry.parts) {
        zip.append(entry.name, part);
        yield* zip.takeContent();
      }
    yield* zip.takeContent();
  }
  zip.close();
  zip.end(zip.takeDirectory());
  yield* zip.takeContent();
}

function zipStream(entries: AsyncIterable<ZipEntry>, at: Instant): ReadableStream<Uint8Array> {
  const parts = zipOf(entries, at);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await parts.next();
      if (part.done) return controller.close();
      controller.enqueue(part.value);
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
}

type Sending = {
  page: string;
  /** Where the archive before it ended; empty: it is the first. */
  after: string;
  /** On record before its first byte leaves. */
  record: Statement;
  /** Before the day and what comes after it. */
  name: string;
  entries: AsyncIterable<ZipEntry>;
};

export async function sendArchive(
  ctx: Ctx,
  signedIn: SignedIn,
  { page, after, record, name, entries }: Sending,
): Promise<ActionResult<never>> {
  // Returns to the page, not to the file: a download would leave the page with the password on the screen.
  if (!hasRecentProof(ctx, signedIn)) return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, page) });
  const now = ctx.now();
  const type = after ? "export_more_user" : "export_user";
  const [limit, { timeZone }] = await Promise.all([takeLimit(ctx.db, type, signedIn.userId, now), getSettings(ctx.db)]);
  if (!limit.allowed)
    return fileLimited({ to: page, flash: { kind: "error", ...EXPORT_LIMITED }, retryAt: limit.retryAt });
  await commit(ctx.db, [record]);
  return download({
    fileName: `${name}-${dayIn(timeZone, now)}${after ? "-more" : ""}.zip`,
    contentType: "application/zip",
    content: zipStream(entries, now),
  });
}

const ROWS_AT_ONCE = 500;

/**
 * The platform limits the reads of a request, from the database and from the file store. The rest comes in a further
 * archive.
 */
const READS_PER_ARCHIVE = 900;
const BYTES_PER_ARCHIVE = 1024 * 1024 * 1024;

const FILES = "files";

/**
 * A row of a part, or a file, after which an archive begins. `major` and `minor` are the order of the rows; 0: the
 * first one.
 */
type ArchivePlace = { part: string; major: number; minor: number };

export type ArchivePart = {
  /** Without its ending. */
  name: string;
  /** In their order: with `major` and `minor`, which are not written. */
  rows: (after: ArchivePlace) => SQL;
  /** Adds to the rows what the database does not have. */
  complete?: (rows: readonly Record<string, unknown>[]) => Promise<readonly object[]>;
};

export type Contents = {
  about: string;
  parts: readonly ArchivePart[];
  /** `major`, `minor`, `key` in the store, and `path` in the archive. */
  files: (after: ArchivePlace) => SQL;
};

const PLACE = /^([a-z_/-]+):(\d{1,15})(?:\.(\d{1,15}))?$/;

/** Empty: the beginning. Null: there is none of that name. */
export function placeIn({ parts }: Pick<Contents, "parts">, text: string): ArchivePlace | null {
  if (!text) return { part: parts[0]?.name ?? FILES, major: 0, minor: 0 };
  const [, part = "", major = "0", minor = "0"] = PLACE.exec(text) ?? [];
  const isKnown = part === FILES || parts.some(({ name }) => name === part);
  return isKnown ? { part, major: Number(major), minor: Number(minor) } : null;
}

const placeText = ({ part, major, minor }: ArchivePlace): string => `${part}:${major}${minor > 0 ? `.${minor}` : ""}`;

type Budget = { reads: number; bytes: number; stoppedAt: ArchivePlace | null };

type Stores = Pick<Ctx, "db" | "files">;
type Keyed = { major: number; minor: number };

const textFile = (name: string, text: string): ZipEntry => ({ name, bytes: new TextEncoder().encode(text) });

/** `next`: the address of the archive that goes on after a place. */
export async function* archiveFiles(
  stores: Stores,
  { about, parts, files }: Contents,
  { from, next }: { from: ArchivePlace; next: (place: string) => string },
): AsyncGenerator<ZipEntry> {
  const budget: Budget = { reads: READS_PER_ARCHIVE, bytes: BYTES_PER_ARCHIVE, stoppedAt: null };
  yield textFile("README.txt", about);
  const first = parts.findIndex(({ name }) => name === from.part);
  for (const part of first < 0 ? [] : parts.slice(first)) {
    const after = part.name === from.part ? from : { part: part.name, major: 0, minor: 0 };
    const suffix = after.major > 0 ? `-after-${after.major}${after.minor > 0 ? `-${after.minor}` : ""}` : "";
    yield { name: `${part.name}${suffix}.ndjson`, parts: linesOf(stores, { part, after, budget }) };
    if (budget.stoppedAt !== null) break;
  }
  if (budget.stoppedAt === null) {
    const after = from.part === FILES ? from : { part: FILES, major: 0, minor: 0 };
    yield* sentFiles(stores, { files, after, budget });
  }
  if (budget.stoppedAt !== null) {
    yield textFile("MORE.txt", `This archive is full. What follows is at ${next(placeText(budget.stoppedAt))}\n`);
  }
}

type Reading = { after: ArchivePlace; budget: Budget };

async function* linesOf(
  { db }: Stores,
  { part, after, budget }: Reading & { part: ArchivePart },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let place = after; ; ) {
    if (isUsedUp(budget)) {
      budget.stoppedAt = place;
      return;
    }
    budget.reads -= 1;
    const rows = await db.all<Keyed>(sql`${part.rows(place)} LIMIT ${ROWS_AT_ONCE}`);
    if (rows.length > 0) {
      const stored = rows.map(({ major: _major, minor: _minor, ...row }) => row);
      const lines = ((await part.complete?.(stored)) ?? stored).map((row) => `${JSON.stringify(row)}\n`);
      const bytes = encoder.encode(lines.join(""));
      budget.bytes -= bytes.length;
      yield bytes;
    }
    const last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE || !last) return;
    place = { part: part.name, major: last.major, minor: last.minor };
  }
}

type SentFile = Keyed & { key: string; path: string };

async function* sentFiles(
  stores: Stores,
  { files, after, budget }: Reading & { files: Contents["files"] },
): AsyncGenerator<ZipEntry> {
  for (let place = after; ; ) {
    if (isUsedUp(budget)) {
      budget.stoppedAt = place;
      return;
    }
    budget.reads -= 1;
    const found = await stores.db.all<SentFile>(sql`${files(place)} LIMIT ${ROWS_AT_ONCE}`);
    for (const file of found) {
      if (isUsedUp(budget)) {
        budget.stoppedAt = place;
        return;
      }
      budget.reads -= 1;
      place = { part: FILES, major: file.major, minor: file.minor };
      const stream = await stores.files.get(file.key);
      // A file that is gone from the store still has its line.
      if (!stream) continue;
      yield { name: file.path, parts: counting(stream, budget) };
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
