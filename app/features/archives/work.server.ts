import { Buffer } from "node:buffer";
import { and, eq, sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { archives } from "~/db/schema/archives";
import { sweepFiles } from "~/features/attachments/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { getSettings } from "~/features/settings/queries.server";
import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { BegunParts, FileParts } from "~/platform/files.server";
import { NEW_ZIP, type ZipState, zipWriter } from "~/platform/zip.server";
import { type ArchivePlace, archivePieces, countArchived } from "./contents.server";
import { ARCHIVE_KEPT, EVERYTHING } from "./model";
import { type Asker, findAsker } from "./queries.server";

/** The store takes parts of one size, but for the last, and 10,000 of them. */
const PART_SIZE = 8 * 1024 * 1024;

/** Ends a slice, beside the budget of its invocation: see `RUN_LIMITS` in `jobs/dispatch.server.ts`. */
const SLICE = { statements: 700, files: 6_000, bytes: 96 * 1024 * 1024, time: seconds(20) };

/** An import takes files of up to 95 MB. */
const LINES_SIZE = 64 * 1024 * 1024;

type StoredArchive = typeof archives.$inferSelect;

/** `rest`: what is too little for a part. `directory`: its last piece, which names the one before. */
type Progress = {
  place: ArchivePlace | null;
  key: string;
  upload: BegunParts;
  zip: ZipState;
  lines: { name: string; file: number; size: number } | null;
  rest: string;
  directory: string;
};

const PREFIX = "archives/";
const folderOf = (id: string): string => `${PREFIX}${id}/`;

/** Until the name of who is erased is replaced everywhere, an archive would keep it. */
export const IS_NO_ERASURE_UNDER_WAY = sql`NOT EXISTS (SELECT 1 FROM person_erasures)`;

/** Goes on with the oldest. */
export async function makeArchives(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const ended = await deleteEnded(ctx);
  const [oldest] = await ctx.db
    .select()
    .from(archives)
    .where(sql`state in ('asked', 'making') AND ${IS_NO_ERASURE_UNDER_WAY}`)
    .orderBy(archives.requested_at)
    .limit(1);
  if (!oldest) return { count: ended, more: false };
  await makeSlice(ctx, oldest);
  return { count: ended + 1, more: true };
}

/** After as many failures of one slice it is given up, so that the next can go on. Before the last it begins anew. */
const FAILURES_MAX = 3;

/** Two runs may do the same slice at once: the first to write it down has done it. */
export async function makeSlice(ctx: Ctx, archive: StoredArchive): Promise<void> {
  try {
    await writeSlice(ctx, archive);
  } catch (error) {
    const failures = archive.failures + 1;
    const isLast = failures >= FAILURES_MAX;
    const asker = await findAsker(ctx.db, archive);
    await commit(ctx.db, [
      ctx.db
        .update(archives)
        .set({
          failures,
          version: archive.version + 1,
          ...(failures === FAILURES_MAX - 1 ? { progress_json: null, done: 0 } : {}),
          ...(isLast ? { state: "failed" } : {}),
        })
        .where(isAsRead(archive)),
      expectChange(ctx.db),
      ...(isLast ? [announcement(ctx, archive, asker, "failed")] : []),
    ]);
    throw error;
  }
}

const isAsRead = ({ id, version }: StoredArchive) =>
  and(eq(archives.id, id), eq(archives.version, version), sql`state in ('asked', 'making')`);

async function writeSlice(ctx: Ctx, archive: StoredArchive): Promise<void> {
  const { files } = ctx;
  const from: Progress | null = archive.progress_json ? JSON.parse(archive.progress_json) : null;
  const key = from?.key ?? `${folderOf(archive.id)}${crypto.randomUUID()}.zip`;
  const upload = await files.putParts(key, from?.upload);
  try {
    const slice = await fill(ctx, archive, { from, upload });
    const written = { ...slice, from, key, upload };
    if (!slice.place) await finish(ctx, archive, written);
    else if (!(await keep(ctx, archive, written)) && !from) await upload.abort().catch(() => undefined);
  } catch (error) {
    // What goes on with an upload of before leaves it as it was.
    if (!from) await upload.abort().catch(() => undefined);
    throw error;
  }
}

type Slice = {
  place: ArchivePlace | null;
  zip: ReturnType<typeof zipWriter>;
  lines: Progress["lines"];
  rest: Buffer;
  directory: Uint8Array[];
  tickets: number;
  total: number;
};

type Filling = { from: Progress | null; upload: FileParts };

async function fill(ctx: Ctx, archive: StoredArchive, { from, upload }: Filling): Promise<Slice> {
  const { timeZone: zone } = await getSettings(ctx.db);
  const organizationId = archive.organization_id === EVERYTHING ? null : archive.organization_id;
  const asked = { organizationId, isInternal: archive.for_staff, zone, at: archive.requested_at };
  const zip = zipWriter(from?.zip ?? NEW_ZIP, archive.requested_at);
  const buffer = partBuffer(upload, from ? await readWhole(ctx, from.rest) : Buffer.alloc(0));
  const [before, startedAt] = [ctx.cost.queries, ctx.now()];
  let lines = from?.lines ?? null;
  let tickets = archive.done;
  let fetched = 0;
  const total = from ? archive.total : 2 * (await countArchived(ctx, organizationId));
  const isFull = () =>
    ctx.cost.queries - before > SLICE.statements ||
    fetched > SLICE.files ||
    buffer.taken() > SLICE.bytes ||
    ctx.now() - startedAt > SLICE.time ||
    ctx.budget.isUsedUp();
  const slice = (place: ArchivePlace | null): Slice => ({
    ...{ place, zip, lines, tickets, total },
    ...{ rest: buffer.rest(), directory: zip.takeDirectory() },
  });

  for await (const piece of archivePieces(ctx, asked, from?.place ?? null)) {
    if ("place" in piece) {
      tickets += piece.done.tickets ?? 0;
      fetched += piece.done.fetched ?? 0;
      if (isFull()) return slice(piece.place);
      continue;
    }
    lines = fileOfLines(lines, piece);
    zip.append(lines && lines.file > 1 ? numbered(lines) : piece.name, piece.bytes);
    await buffer.add(zip.takeContent());
  }
  zip.close();
  await buffer.add(zip.takeContent());
  return slice(null);
}

function fileOfLines(
  lines: Progress["lines"],
  { name, bytes }: { name: string; bytes: Uint8Array },
): Progress["lines"] {
  if (!name.endsWith(".ndjson")) return null;
  const { file, size } = lines?.name === name ? lines : { file: 1, size: 0 };
  const isFull = size > 0 && size + bytes.length > LINES_SIZE;
  return isFull ? { name, file: file + 1, size: bytes.length } : { name, file, size: size + bytes.length };
}

const numbered = ({ name, file }: NonNullable<Progress["lines"]>): string => name.replace(/(?=\.ndjson$)/, `-${file}`);

/** Gathers bytes to parts. */
function partBuffer(upload: FileParts, begun: Uint8Array) {
  let held: Uint8Array[] = [begun];
  let size = begun.length;
  let taken = 0;
  return {
    add: async (pieces: readonly Uint8Array[]) => {
      for (const bytes of pieces) {
        held.push(bytes);
        size += bytes.length;
        taken += bytes.length;
      }
      while (size >= PART_SIZE) {
        const all = Buffer.concat(held);
        await upload.add(all.subarray(0, PART_SIZE));
        held = [all.subarray(PART_SIZE)];
        size -= PART_SIZE;
      }
    },
    rest: () => Buffer.concat(held),
    taken: () => taken,
  };
}

async function readWhole({ files }: Ctx, key: string): Promise<Buffer> {
  const body = await files.get(key);
  if (!body) throw new Error("A part of an archive is gone");
  return Buffer.from(await new Response(body).arrayBuffer());
}

type Written = Slice & { from: Progress | null; key: string; upload: FileParts };

/** Writes down what the next slice needs. False: another run was faster. */
async function keep(ctx: Ctx, archive: StoredArchive, slice: Written): Promise<boolean> {
  const { place, zip, lines, rest, directory, tickets, total, from, key, upload } = slice;
  const name = folderOf(archive.id) + crypto.randomUUID();
  const progress: Progress = {
    ...{ place, key, lines, zip: zip.state, upload: upload.begun },
    ...{ rest: `${name}-rest`, directory: `${name}-directory` },
  };
  await ctx.files.put(progress.rest, rest);
  const before = Buffer.from(`${from?.directory ?? ""}\n`);
  await ctx.files.put(progress.directory, Buffer.concat([before, ...directory]));
  const isWritten = await commit(ctx.db, [
    ctx.db
      .update(archives)
      .set({
        ...{ state: "making", version: archive.version + 1, failures: 0, done: tickets, total, size: zip.state.offset },
        progress_json: JSON.stringify(progress),
      })
      .where(isAsRead(archive)),
    expectChange(ctx.db),
  ]);
  const gone = isWritten ? [from?.rest] : [progress.rest, progress.directory];
  await ctx.files.delete(gone.filter((one) => one !== undefined));
  return isWritten;
}

/** The directory is put together from that of each slice, the last of which is at hand. */
async function finish(ctx: Ctx, archive: StoredArchive, slice: Written): Promise<void> {
  const { zip, rest, directory, from, key, upload } = slice;
  const pieces: Uint8Array[] = [...directory];
  const parts: string[] = [];
  for (let name = from?.directory ?? ""; name !== ""; ) {
    const bytes = await readWhole(ctx, name);
    const end = bytes.indexOf(10);
    pieces.unshift(bytes.subarray(end + 1));
    parts.push(name);
    name = bytes.toString("utf8", 0, end);
  }
  const buffer = partBuffer(upload, rest);
  zip.end(pieces);
  await buffer.add(zip.takeContent());
  if (buffer.rest().length > 0) await upload.add(buffer.rest());
  await upload.complete();
  const expiresAt = ctx.now() + ARCHIVE_KEPT;
  const asker = await findAsker(ctx.db, archive);
  const isWritten = await commit(ctx.db, [
    ctx.db
      .update(archives)
      .set({
        ...{ state: "ready", version: archive.version + 1, failures: 0, done: slice.total, total: slice.total },
        ...{ progress_json: null, file_key: key, size: zip.state.offset, expires_at: expiresAt },
      })
      .where(isAsRead(archive)),
    expectChange(ctx.db),
    announcement(ctx, archive, asker, "ready"),
  ]);
  if (!isWritten) return ctx.files.delete([key]);
  if (from) await ctx.files.delete([from.rest, ...parts]);
  ctx.after(deliverOutbox(ctx));
}

/** The mail has the address of a page, which asks who opens it: it opens nothing by itself. */
function announcement(ctx: Ctx, archive: StoredArchive, asker: Asker, state: "ready" | "failed"): Statement {
  const { email, organization, path } = asker;
  return enqueueMail(ctx, "archive", {
    to: email,
    reader: archive.requested_by,
    about: organization === null ? null : { type: "organization", id: archive.organization_id },
    data: { state, organization, path },
  });
}

const ENDED_AT_ONCE = 20;

/** What has ended, or is too old, or lost its organization. First the files go, then the row that names them. */
async function deleteEnded({ db, files, now, budget }: Ctx): Promise<number> {
  const ended = await db.all<{ id: string; progress: string | null }>(sql`
    SELECT id, progress_json AS progress FROM archives
    WHERE state = 'ended' OR expires_at <= ${now()}
      OR (organization_id <> ${EVERYTHING} AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = organization_id))
      OR NOT EXISTS (SELECT 1 FROM users u WHERE u.id = requested_by AND u.status = 'active')
    LIMIT ${ENDED_AT_ONCE}`);
  let count = 0;
  for (const { id, progress } of ended) {
    if (count > 0 && budget.isUsedUp()) break;
    if (progress) {
      const { key, upload }: Progress = JSON.parse(progress);
      await (await files.putParts(key, upload)).abort().catch(() => undefined);
    }
    for (let cursor: string | undefined; ; ) {
      const page = await files.listOlderThan(folderOf(id), Number.MAX_SAFE_INTEGER, cursor);
      if (page.keys.length > 0) await files.delete(page.keys);
      cursor = page.cursor;
      if (!cursor) break;
    }
    await db.delete(archives).where(eq(archives.id, id));
    count += 1;
  }
  return count;
}

/** What a run leaves that was cut off after an erasure has taken its row. */
export const sweepArchives = (ctx: Pick<Ctx, "budget" | "db" | "files" | "now">): Promise<{ count: number }> =>
  sweepFiles(
    ctx,
    PREFIX,
    (keys) => sql`SELECT value AS key FROM json_each(${keys})
      WHERE substr(value, ${PREFIX.length + 1}, instr(substr(value, ${PREFIX.length + 1}), '/') - 1) IN (SELECT id FROM archives)`,
  );
