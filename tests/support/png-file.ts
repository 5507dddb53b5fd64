import { deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

function chunk(type: string, data: Uint8Array): Buffer<ArrayBuffer> {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // Nobody here checks the sum.
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

type PngInput = {
  width: number;
  height: number;
  depth?: number;
  colorType?: number;
  isInterlaced?: boolean;
  palette?: readonly number[];
  transparency?: readonly number[];
  /** Holds the filter and the bytes of each row, in the order of the file; black without it. */
  rows?: readonly (readonly number[])[];
};

/** Returns a PNG file, grey unless another type is named. */
export function pngFile({ width, height, depth = 8, colorType = 0, ...png }: PngInput): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, png.isInterlaced ? 1 : 0], 8);
  const rows = png.rows ? Buffer.from(png.rows.flat()) : Buffer.alloc((width + 1) * height);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...(png.palette ? [chunk("PLTE", Buffer.from(png.palette))] : []),
    ...(png.transparency ? [chunk("tRNS", Buffer.from(png.transparency))] : []),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
