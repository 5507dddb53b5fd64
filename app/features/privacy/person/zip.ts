/** Holds one file of an archive. */
export type ZipEntry = { name: string; bytes: Uint8Array };

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** Returns the CRC-32 of bytes, as ZIP files have it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Says that names are UTF-8, and the version that readers need. */
const UTF8_NAMES = 0x0800;
const VERSION = 20;

/** Stands for the first of January 1980, the earliest day of the format: when a file was packed says nothing. */
const NO_DAY = 0x21;

/** Limits an archive, whose header has two bytes for the number of files and four for places; 64 MiB are for the directory. */
const MAX_FILES = 65_535;
const MAX_BYTES = 0xffff_ffff - 64 * 1024 * 1024;

type Written = { name: Uint8Array; crc: number; size: number; at: number };

/** Returns the fields that the header of a file and its line in the directory share. */
function writeCommon(view: DataView, at: number, { name, crc, size }: Written): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8_NAMES, true);
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

/**
 * Packs files into an archive without compressing them, a file at a time: memory holds one of them. Fits up to 65,535
 * files and 4 GiB; throws beyond, before it would write an archive that nobody can open.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let at = 0;
  for await (const { name, bytes } of entries) {
    const file = { name: new TextEncoder().encode(name), crc: crc32(bytes), size: bytes.length, at };
    if (written.length === MAX_FILES || at + bytes.length > MAX_BYTES) throw new Error("Too much for one archive");
    const header = headerOf(file);
    yield header;
    yield bytes;
    at += header.length + bytes.length;
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
