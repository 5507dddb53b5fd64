import { Buffer } from "node:buffer";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Instant } from "~/lib/time";
import type { Files } from "./files.server";

/** All that is needed to go on with an archive in another invocation. */
export type ZipState = { offset: number; entries: number; open: OpenEntry | null };

type OpenEntry = { name: string; start: number; crc: number; size: number; packed: number };

export const NEW_ZIP: ZipState = { offset: 0, entries: 0, open: null };

const LARGEST = 0xffff_ffff;
/** An empty last block, as what is compressed piece by piece has none. */
const END_OF_ENTRY = Uint8Array.of(3, 0);
/** Lengths behind the content, a name in UTF-8, and compressed. */
const FLAGS = 0x0808;
const DEFLATED = 8;

/**
 * Writes an archive a piece at a time. Each piece is compressed by itself, so that nothing but numbers is kept between
 * two. Beyond 4 GiB or 65,535 entries it is ZIP64; an entry itself is smaller. `at`: the time that its entries get.
 */
export function zipWriter(from: ZipState, at: Instant) {
  const state: ZipState = { ...from, open: from.open && { ...from.open } };
  let content: Uint8Array[] = [];
  let directory: Uint8Array[] = [];
  const write = (bytes: Uint8Array) => {
    content.push(bytes);
    state.offset += bytes.length;
  };
  const moment = dosTime(at);

  function begin(name: string): OpenEntry {
    const path = Buffer.from(name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(FLAGS, 6);
    header.writeUInt16LE(DEFLATED, 8);
    header.writeUInt32LE(moment, 10);
    header.writeUInt16LE(path.length, 26);
    const entry = { name, start: state.offset, crc: 0, size: 0, packed: 0 };
    write(Buffer.concat([header, path]));
    return entry;
  }

  function close() {
    const { open } = state;
    if (!open) return;
    write(END_OF_ENTRY);
    open.packed += END_OF_ENTRY.length;
    if (open.packed > LARGEST || open.size > LARGEST) throw new Error("An entry of an archive is too large");
    const lengths = Buffer.alloc(12);
    lengths.writeUInt32LE(open.crc, 0);
    lengths.writeUInt32LE(open.packed, 4);
    lengths.writeUInt32LE(open.size, 8);
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(0x08074b50);
    write(Buffer.concat([mark, lengths]));
    const path = Buffer.from(open.name);
    const isFar = open.start >= LARGEST;
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(isFar ? 45 : 20, 4);
    header.writeUInt16LE(isFar ? 45 : 20, 6);
    header.writeUInt16LE(FLAGS, 8);
    header.writeUInt16LE(DEFLATED, 10);
    header.writeUInt32LE(moment, 12);
    lengths.copy(header, 16);
    header.writeUInt16LE(path.length, 28);
    header.writeUInt16LE(isFar ? 12 : 0, 30);
    header.writeUInt32LE(isFar ? LARGEST : open.start, 42);
    const place = Buffer.alloc(isFar ? 12 : 0);
    if (isFar) {
      place.writeUInt16LE(1, 0);
      place.writeUInt16LE(8, 2);
      place.writeBigUInt64LE(BigInt(open.start), 4);
    }
    directory.push(Buffer.concat([header, path, place]));
    state.entries += 1;
    state.open = null;
  }

  return {
    state,
    /** Goes on with the entry of that name, or begins it. */
    append(name: string, bytes: Uint8Array): void {
      if (state.open?.name !== name) {
        close();
        state.open = begin(name);
      }
      if (bytes.length === 0) return;
      const packed = deflateRawSync(bytes, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
      write(packed);
      state.open.crc = crc32(bytes, state.open.crc);
      state.open.size += bytes.length;
      state.open.packed += packed.length;
    },
    close,
    takeContent(): Uint8Array[] {
      const taken = content;
      content = [];
      return taken;
    },
    /** What is said of its entries at the end. */
    takeDirectory(): Uint8Array[] {
      const taken = directory;
      directory = [];
      return taken;
    },
    /** `all`: the directory from its beginning. */
    end(all: readonly Uint8Array[]): void {
      const start = state.offset;
      for (const bytes of all) write(bytes);
      const size = state.offset - start;
      const isLarge = start >= LARGEST || size >= LARGEST || state.entries >= 0xffff;
      if (isLarge) {
        const large = Buffer.alloc(76);
        large.writeUInt32LE(0x06064b50, 0);
        large.writeBigUInt64LE(44n, 4);
        large.writeUInt16LE(45, 12);
        large.writeUInt16LE(45, 14);
        large.writeBigUInt64LE(BigInt(state.entries), 24);
        large.writeBigUInt64LE(BigInt(state.entries), 32);
        large.writeBigUInt64LE(BigInt(size), 40);
        large.writeBigUInt64LE(BigInt(start), 48);
        large.writeUInt32LE(0x07064b50, 56);
        large.writeBigUInt64LE(BigInt(state.offset), 64);
        large.writeUInt32LE(1, 72);
        write(large);
      }
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      end.writeUInt16LE(isLarge ? 0xffff : state.entries, 8);
      end.writeUInt16LE(isLarge ? 0xffff : state.entries, 10);
      end.writeUInt32LE(isLarge ? LARGEST : size, 12);
      end.writeUInt32LE(isLarge ? LARGEST : start, 16);
      write(end);
    },
  };
}

/** In UTC, as two numbers of 16 bits: the format knows no zones. */
function dosTime(at: Instant): number {
  const time = new Date(at);
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return ((day << 16) | clock) >>> 0;
}

/** `start`: where it begins in the archive; `packed`, `size`: in bytes, as it is stored and as it was. */
export type ZipEntry = { name: string; start: number; packed: number; size: number; crc: number; isDeflated: boolean };

/** The longest end of an archive: its last record, and a comment. */
const END_SIZE = 22 + 0xffff;

/** Of as many entries as there may be, with long names. It is held as a whole. */
const DIRECTORY_SIZE = 16 * 1024 * 1024;

/** Reads what an archive says of its entries, without folders. Null: it is none, is encrypted, or is ZIP64. */
export async function listZip(
  read: (offset: number, length: number) => Promise<Buffer>,
  archiveSize: number,
): Promise<ZipEntry[] | null> {
  const tail = await read(Math.max(0, archiveSize - END_SIZE), Math.min(archiveSize, END_SIZE));
  const at = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (at < 0 || at + 22 > tail.length) return null;
  const [length, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (start + length > archiveSize || length > DIRECTORY_SIZE) return null;
  const directory = await read(start, length);
  const entries: ZipEntry[] = [];
  for (let place = 0; place < length; ) {
    if (place + 46 > length || directory.readUInt32LE(place) !== 0x02014b50) return null;
    const method = directory.readUInt16LE(place + 10);
    const isEncrypted = (directory.readUInt16LE(place + 8) & 1) === 1;
    if (isEncrypted || (method !== DEFLATED && method !== 0)) return null;
    const nameEnd = place + 46 + directory.readUInt16LE(place + 28);
    const name = directory.toString("utf8", place + 46, nameEnd);
    if (!name.endsWith("/"))
      entries.push({
        ...{ name, isDeflated: method === DEFLATED },
        crc: directory.readUInt32LE(place + 16),
        packed: directory.readUInt32LE(place + 20),
        size: directory.readUInt32LE(place + 24),
        start: directory.readUInt32LE(place + 42),
      });
    place = nameEnd + directory.readUInt16LE(place + 30) + directory.readUInt16LE(place + 32);
  }
  return entries;
}

/** Yields an entry piece by piece, never more than its directory says. Throws where it is not what was packed. */
export async function* unzipped(
  { getRange }: Pick<Files, "getRange">,
  key: string,
  { start, packed, size, crc, isDeflated }: ZipEntry,
): AsyncGenerator<Uint8Array> {
  const head = Buffer.from(await new Response(await getRange(key, { offset: start, length: 30 })).arrayBuffer());
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50) throw new Error("There is no such entry");
  const offset = start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const body = packed === 0 ? null : await getRange(key, { offset, length: packed });
  const inflated = new DecompressionStream("deflate-raw") as ReadableWritablePair<Uint8Array, Uint8Array>;
  const content = isDeflated ? body?.pipeThrough(inflated) : body;
  let [sum, read] = [0, 0];
  for await (const bytes of (content ?? []) as AsyncIterable<Uint8Array>) {
    read += bytes.length;
    if (read > size) break;
    sum = crc32(bytes, sum);
    yield bytes;
  }
  if (read !== size || sum !== crc) throw new Error("An entry of an archive is broken");
}
