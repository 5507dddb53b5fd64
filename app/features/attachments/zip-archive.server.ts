import { inflateRawSync } from "node:zlib";

/*
 * Reads ZIP archives (APPNOTE) more strictly than programs that open them: what is judged here must be all that any of
 * them could find. Archives over 4 GiB (ZIP64) are not read.
 */

export type ZipEntry = {
  name: string;
  isEncrypted: boolean;
  /** Holds the size it declares to unpack to. */
  unpackedSize: number;
  method: number;
  packed: Uint8Array;
};

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;

/** Limits the data descriptor that may follow an entry. Another entry needs at least 30 bytes. */
const LONGEST_DESCRIPTOR = 24;

type Extent = { from: number; until: number };

/**
 * Returns the entries of an archive, or null if its end record does not describe the whole of it: each entry stands in
 * the directory once, under the name of its own header, and no space is left between them for one that does not.
 * Unpacks nothing, so a zip bomb costs nothing.
 */
export function zipEntries(bytes: Uint8Array, maxEntries: number): ZipEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEndRecord(view);
  if (end < 0) return null;
  const count = view.getUint16(end + 10, true);
  const directory = view.getUint32(end + 16, true);
  if (count > maxEntries || view.getUint16(end + 8, true) !== count) return null;
  const entries: ZipEntry[] = [];
  const extents: Extent[] = [{ from: directory, until: directory }];
  let at = directory;
  for (let index = 0; index < count; index += 1) {
    const read = readEntry(bytes, view, at);
    if (!read) return null;
    entries.push(read.entry);
    extents.push(read.extent);
    at = read.next;
  }
  return at === end && leavesNoRoom(extents) ? entries : null;
}

/** Reads the entry whose directory header is at an offset; null where the two headers contradict each other. */
function readEntry(bytes: Uint8Array, view: DataView, at: number) {
  if (at + 46 > bytes.byteLength || view.getUint32(at, true) !== DIRECTORY_HEADER) return null;
  const packedSize = view.getUint32(at + 20, true);
  const nameEnd = at + 46 + view.getUint16(at + 28, true);
  const next = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  const name = textOf(bytes.subarray(at + 46, nameEnd));
  const from = view.getUint32(at + 42, true);
  if (from + 30 > bytes.byteLength || view.getUint32(from, true) !== LOCAL_HEADER) return null;
  const localNameEnd = from + 30 + view.getUint16(from + 26, true);
  const content = localNameEnd + view.getUint16(from + 28, true);
  const until = content + packedSize;
  const method = view.getUint16(at + 10, true);
  const isSame = textOf(bytes.subarray(from + 30, localNameEnd)) === name && view.getUint16(from + 8, true) === method;
  if (until > bytes.byteLength || !isSame) return null;
  const entry: ZipEntry = {
    name,
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method,
    unpackedSize: view.getUint32(at + 24, true),
    packed: bytes.subarray(content, until),
  };
  return { entry, extent: { from, until }, next };
}

/** Tells whether entries follow each other from the first byte to the directory, without overlaps. */
function leavesNoRoom(extents: readonly Extent[]): boolean {
  let reached = 0;
  for (const [index, { from, until }] of extents.toSorted((a, b) => a.from - b.from || a.until - b.until).entries()) {
    if (from < reached || from - reached > (index === 0 ? 0 : LONGEST_DESCRIPTOR)) return false;
    reached = until;
  }
  return true;
}

/** Finds the end record with which the file ends: behind it there is only its own comment. Returns -1 without one. */
function findEndRecord(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 65_557);
  for (let at = view.byteLength - 22; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === END_RECORD)
      return at + 22 + view.getUint16(at + 20, true) === view.byteLength ? at : -1;
  }
  return -1;
}

/** Unpacks an entry, to no more than the size it declares; null if it cannot be unpacked to exactly that. */
export function unpack({ method, packed, unpackedSize }: ZipEntry): Uint8Array | null {
  if (method === 0) return packed.byteLength === unpackedSize ? packed : null;
  if (method !== 8) return null;
  try {
    const unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(1, unpackedSize) });
    return unpacked.byteLength === unpackedSize ? unpacked : null;
  } catch {
    return null;
  }
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
