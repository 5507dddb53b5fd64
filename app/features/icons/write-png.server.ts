import { crc32, deflateSync } from "node:zlib";
import { rgbOf } from "~/lib/color";
import type { Drawing } from "./draw.server";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Writes a drawing as a PNG file with a palette: https://www.w3.org/TR/png-3. */
export function writePng({ width, height, pixels, palette }: Drawing): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits, numbers of a palette.
  head.set([8, 3], 8);
  // Each line begins with a byte that says that it is not filtered.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const parts = [
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flatMap((color) => [...rgbOf(color)]))),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat([Buffer.from(SIGNATURE), ...parts]));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
