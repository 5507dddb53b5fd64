import { inflateSync } from "node:zlib";

/** Where they stand in the picture, and their bytes without a filter. */
type PixelRow = { y: number; x: number; step: number; count: number; bytes: Uint8Array };

/** https://www.w3.org/TR/png-3. `rows`: in the order of the file. */
export type PngFile = {
  width: number;
  height: number;
  depth: number;
  /**
   * As in the file: 0 for greys, 2 for colours, 3 for numbers of a palette, 4 for greys with alpha, 6 for colours with
   * alpha.
   */
  colorType: number;
  palette: Uint8Array;
  transparency: Uint8Array;
  rows: () => Generator<PixelRow>;
};

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** That is 2,000 by 2,000 pixels of eight bits with alpha, so that it takes little processor time. */
const PIXELS_MAX = 4_000_000;
const PIXEL_BYTES_MAX = 16 * 1024 * 1024;
const CHUNKS_MAX = 4_096;

/** The first pixel of each pass and how far the next ones are, across and down. */
const WHOLE = [[0, 0, 1, 1]] as const;
const INTERLACED = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Throws if it is no PNG file, or has more of anything than is read. */
export function measurePng(file: Uint8Array) {
  const { head, ...chunks } = chunksOf(file);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, colorType = 0, , , interlace] = head.subarray(8);
  const bits = depth * (CHANNELS[colorType] ?? 0);
  if (bits === 0 || depth > 16) throw new Error("A PNG file has an unknown kind of pixels");
  if (width * height === 0 || width * height > PIXELS_MAX) throw new Error("A PNG file has no pixels, or too many");
  const passes = (interlace === 1 ? INTERLACED : WHOLE).flatMap(([x, y, step, down]) => {
    const [count, rows] = [Math.ceil((width - x) / step), Math.ceil((height - y) / down)];
    return count > 0 && rows > 0 ? [{ x, y, step, down, count, rows, length: Math.ceil((count * bits) / 8) }] : [];
  });
  const size = passes.reduce((sum, { rows, length }) => sum + rows * (length + 1), 0);
  if (size > PIXEL_BYTES_MAX) throw new Error("A PNG file has too many bytes of pixels");
  return { ...chunks, width, height, depth, colorType, bits, passes, size };
}

/** Throws if it is no PNG file, has more of anything than is read, or if its bytes are damaged. */
export function readPng(file: Uint8Array): PngFile {
  const { idat, bits, passes, size, ...png } = measurePng(file);
  const filtered = inflateSync(Buffer.concat(idat), { maxOutputLength: size });
  if (filtered.length !== size) throw new Error("A PNG file has fewer pixels than it says");
  const pixel = Math.max(1, bits >> 3);
  function* rows(): Generator<PixelRow> {
    let at = 0;
    for (const { x, y, step, down, count, rows: all, length } of passes) {
      let above: Uint8Array = new Uint8Array(length);
      for (let row = 0; row < all; row += 1) {
        const bytes = filtered.subarray(at + 1, at + 1 + length);
        unfilter(filtered[at] ?? 0, bytes, { above, pixel });
        yield { x, y: y + row * down, step, count, bytes };
        above = bytes;
        at += length + 1;
      }
    }
  }
  return { ...png, rows };
}

function chunksOf(file: Uint8Array) {
  if (SIGNATURE.some((byte, index) => file[index] !== byte)) throw new Error("A file is no PNG file");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found = new Map<string, Uint8Array[]>();
  let [at, count] = [SIGNATURE.length, 0];
  while (at + 12 <= file.length) {
    count += 1;
    if (count > CHUNKS_MAX) throw new Error("A PNG file has too many chunks");
    const length = view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const ofType = found.get(type) ?? [];
    ofType.push(file.subarray(at + 8, at + 8 + length));
    found.set(type, ofType);
    at += 12 + length;
  }
  const one = (type: string) => found.get(type)?.[0] ?? new Uint8Array();
  const head = one("IHDR");
  if (head.length !== 13) throw new Error("A PNG file has no head");
  return { head, palette: one("PLTE"), transparency: one("tRNS"), idat: found.get("IDAT") ?? [] };
}

/** In place: see 9.2 of the format. Each filter has a loop of its own, which is faster. */
function unfilter(kind: number, row: Uint8Array, { above, pixel }: { above: Uint8Array; pixel: number }): void {
  const { length } = row;
  switch (kind) {
    case 0:
      return;
    case 1:
      for (let at = pixel; at < length; at += 1) row[at] = byte(row, at) + byte(row, at - pixel);
      return;
    case 2:
      for (let at = 0; at < length; at += 1) row[at] = byte(row, at) + byte(above, at);
      return;
    case 3:
      for (let at = 0; at < length; at += 1) {
        const left = at < pixel ? 0 : byte(row, at - pixel);
        row[at] = byte(row, at) + ((left + byte(above, at)) >> 1);
      }
      return;
    case 4:
      for (let at = 0; at < Math.min(pixel, length); at += 1) row[at] = byte(row, at) + byte(above, at);
      for (let at = pixel; at < length; at += 1)
        row[at] = byte(row, at) + nearest(byte(row, at - pixel), byte(above, at), byte(above, at - pixel));
      return;
    default:
      throw new Error("A PNG file has an unknown filter");
  }
}

const byte = (bytes: Uint8Array, at: number): number => bytes[at] as number;

function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
