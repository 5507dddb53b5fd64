export type WholeFile = { name: string; bytes: Uint8Array };

/** Describes one file of an archive: as a whole, or coming a part at a time. */
export type ZipEntry = WholeFile | { name: string; parts: AsyncIterable<Uint8Array> };

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** Returns the CRC-32 of bytes, as ZIP files have it. `before`: that of the bytes before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = before ^ 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Says that names are UTF-8, that sum and size stand behind the content, and the version that readers need. */
const UTF8_NAMES = 0x0800;
const SIZE_FOLLOWS = 0x0008;
const VERSION = 20;

/** Stands for the first of January 1980, the earliest day of the format: when a file was packed says nothing. */
const NO_DAY = 0x21;

/** Limits an archive, whose header has two bytes for the number of files and four for places; 64 MiB are for the directory. */
const MAX_FILES = 65_535;
const MAX_BYTES = 0xffff_ffff - 64 * 1024 * 1024;

type Written = { name: Uint8Array; crc: number; size: number; at: number; flags: number };

/** Returns the fields that the header of a file and its line in the directory share. */
function writeCommon(view: DataView, at: number, { name, crc, size, flags }: Written): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, flags, true);
  view.setUint16(at + 4, 0, true);
  view.setUint16(at + 6, 0, true);
  view.setUint16(at + 8, NO_DAY, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

function headerOf(file: Written): Uint8Array {
  const bytes = new Uint8Array(30 + file.name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x04034b50, true);
  writeCommon(view, 4, file);
  bytes.set(file.name, 30);
  return bytes;
}

function lineOf(file: Written): Uint8Array {
  const bytes = new Uint8Array(46 + file.name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, VERSION, true);
  writeCommon(view, 6, file);
  view.setUint32(42, file.at, true);
  bytes.set(file.name, 46);
  return bytes;
}

function endOf(count: number, size: number, at: number): Uint8Array {
  const bytes = new Uint8Array(22);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, at, true);
  return bytes;
}

function sizeOf({ crc, size }: Written): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x08074b50, true);
  view.setUint32(4, crc, true);
  view.setUint32(8, size, true);
  view.setUint32(12, size, true);
  return bytes;
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Packs files into an archive without compressing them: memory holds one of them, or one part of one. Fits up to 65,535
 * files and 4 GiB; throws beyond, before it would write an archive that nobody can open.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let at = 0;
  for await (const entry of entries) {
    if (written.length === MAX_FILES) throw new Error("Too many files for one archive");
    const file: Written = { name: new TextEncoder().encode(entry.name), crc: 0, size: 0, at, flags: UTF8_NAMES };
    const isWhole = "bytes" in entry;
    if (isWhole) Object.assign(file, { crc: crc32(entry.bytes), size: entry.bytes.length });
    else file.flags |= SIZE_FOLLOWS;
    const header = headerOf(file);
    yield header;
    at += header.length;
    for await (const part of isWhole ? whole(entry.bytes) : entry.parts) {
      if (at + part.length > MAX_BYTES) throw new Error("Too much for one archive");
      if (!isWhole) Object.assign(file, { crc: crc32(part, file.crc), size: file.size + part.length });
      at += part.length;
      yield part;
    }
    if (!isWhole) {
      const size = sizeOf(file);
      yield size;
      at += size.length;
    }
    written.push(file);
  }
  let size = 0;
  for (const file of written) {
    const line = lineOf(file);
    size += line.length;
    yield line;
  }
  yield endOf(written.length, size, at);
}
