import type { LogoImage } from "~/content/brand";
import { pictureContent } from "~/features/settings/queries.server";
import { describeError } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import type { PdfPicture } from "./model";
import { type PngFile, readPng } from "./png-rows.server";

const SAMPLES = 4;

/** On white paper. Each pixel is the mean of some of those that it stands for. Throws if the file cannot be read. */
export function readPicture(file: Uint8Array, room: { width: number; height: number }): PdfPicture {
  const png = readPng(file);
  const scale = Math.min(1, room.width / png.width, room.height / png.height);
  const width = Math.max(1, Math.round(png.width * scale));
  const height = Math.max(1, Math.round(png.height * scale));
  const [across, down] = [leftOut(png.width, width), leftOut(png.height, height)];
  const sums = new Float64Array(width * height * 3);
  const counts = new Uint32Array(width * height);
  const color = new Uint8Array(3);
  const colorAt = colorReader(png);
  for (const { y, x, step, count, bytes } of png.rows()) {
    if (y % down !== 0) continue;
    const line = Math.floor((y * height) / png.height) * width;
    for (let index = 0; index < count; index += 1) {
      const column = x + index * step;
      if (column % across !== 0) continue;
      colorAt(bytes, index, color);
      const cell = line + Math.floor((column * width) / png.width);
      for (let part = 0; part < 3; part += 1) sums[cell * 3 + part] = (sums[cell * 3 + part] ?? 0) + (color[part] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  const rgb = Uint8Array.from(sums, (sum, index) => Math.round(sum / (counts[Math.floor(index / 3)] || 1)));
  return { width, height, rgb };
}

/** Of pixels beside each other one is looked at. */
const leftOut = (side: number, shown: number): number => Math.max(1, Math.floor(side / shown / SAMPLES));

function colorReader({ depth, colorType, palette, transparency }: PngFile) {
  const width = depth === 16 ? 2 : 1;
  const top = 2 ** Math.min(depth, 8) - 1;
  /** In eight bits at most: of sixteen the upper half. */
  const valueAt = (row: Uint8Array, at: number): number =>
    depth >= 8 ? (row[at * width] ?? 0) : ((row[(at * depth) >> 3] ?? 0) >> (8 - depth - ((at * depth) & 7))) & top;
  const onWhite = (value: number, alpha: number) => 255 + ((value - 255) * alpha) / 255;
  const write = (into: Uint8Array, [red, green, blue]: readonly [number, number, number], alpha: number) => {
    into[0] = onWhite(red, alpha);
    into[1] = onWhite(green, alpha);
    into[2] = onWhite(blue, alpha);
  };
  const isColored = colorType === 2 || colorType === 6;
  const [channels, hasAlpha] = [(isColored ? 3 : 1) + (colorType >= 4 ? 1 : 0), colorType >= 4];
  const isClear = (row: Uint8Array, at: number): boolean => {
    for (let part = 0; part < channels; part += 1) {
      const low = transparency[part * 2 + 1] ?? 0;
      const wanted = depth === 16 ? (transparency[part * 2] ?? 0) : low;
      if (valueAt(row, at * channels + part) !== wanted) return false;
      if (depth === 16 && row[(at * channels + part) * 2 + 1] !== low) return false;
    }
    return true;
  };
  if (colorType === 3)
    return (row: Uint8Array, at: number, into: Uint8Array) => {
      const entry = valueAt(row, at);
      write(
        into,
        [palette[entry * 3] ?? 0, palette[entry * 3 + 1] ?? 0, palette[entry * 3 + 2] ?? 0],
        transparency[entry] ?? 255,
      );
    };
  return (row: Uint8Array, at: number, into: Uint8Array) => {
    const first = at * channels;
    const part = (offset: number) => (valueAt(row, first + offset) * 255) / top;
    const alpha = hasAlpha ? part(channels - 1) : transparency.length > 0 && isClear(row, at) ? 0 : 255;
    const red = part(0);
    write(into, isColored ? [red, part(1), part(2)] : [red, red, red], alpha);
  };
}

/** In pixels: four for each point of its room. */
const ROOM = { width: 480, height: 112 };

const lastRead = new Map<string, PdfPicture | null>();

/**
 * Null: there is none, or it cannot be read. A file that cannot be decoded is remembered as null, because it would fail
 * each time; one that could not be fetched is asked for again.
 */
export async function logoPicture(
  ctx: Pick<Ctx, "files" | "log" | "request">,
  logo: LogoImage | null,
): Promise<PdfPicture | null> {
  if (!logo?.src.endsWith(".png")) return null;
  const known = lastRead.get(logo.src);
  if (known !== undefined) return known;
  try {
    const content = await pictureContent(ctx, logo.src.slice(logo.src.lastIndexOf("/") + 1));
    if (!content) return null;
    const picture = readable(ctx, new Uint8Array(await new Response(content).arrayBuffer()));
    lastRead.clear();
    lastRead.set(logo.src, picture);
    return picture;
  } catch (error) {
    logFailure(ctx, error);
    return null;
  }
}

function readable(ctx: Pick<Ctx, "log" | "request">, file: Uint8Array): PdfPicture | null {
  try {
    return readPicture(file, ROOM);
  } catch (error) {
    logFailure(ctx, error);
    return null;
  }
}

const logFailure = ({ log, request }: Pick<Ctx, "log" | "request">, error: unknown): void =>
  log("warn", { event: "logo_not_read", request_id: request.id, error: describeError(error) });
