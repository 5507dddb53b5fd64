import { hexOf, mapChannels, rgbOf } from "~/lib/color";
import type { Polygon } from "./font-outlines.server";

/** Holds a picture in steps between a background and some colours: each pixel is a number in `palette`. */
export type Drawing = { width: number; height: number; pixels: Uint8Array; palette: string[] };

/**
 * Counts the steps between the background and a colour, for smooth edges. `SPLIT`: the lines and columns that a pixel
 * is split into.
 */
const STEPS = 16;
const SPLIT = 4;

/** Returns an empty drawing, sizes in pixels. Its background is the first colour of the palette. */
export const beginDrawing = (width: number, height: number, background: string): Drawing => ({
  width,
  height,
  pixels: new Uint8Array(width * height),
  palette: [background],
});

/** Fills what lines enclose, those of a hole in the other direction. Colours must not overlap. */
export function fill(drawing: Drawing, polygons: readonly Polygon[], color: string): void {
  const first = addSteps(drawing, color);
  const covered = new Uint8Array(drawing.pixels.length);
  let [top, bottom] = [drawing.height, 0];
  for (const [line, crossings] of crossingsOf(polygons, drawing.height).entries()) {
    crossings.sort((one, other) => one.x - other.x);
    let winding = 0;
    for (const [index, { x, direction }] of crossings.entries()) {
      winding += direction;
      const next = crossings[index + 1];
      if (winding === 0 || !next) continue;
      const row = Math.floor(line / SPLIT);
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)];
      cover(covered, drawing, { line, from: x, to: next.x });
    }
  }
  for (let index = top * drawing.width; index < bottom * drawing.width; index += 1) {
    const part = covered[index] ?? 0;
    if (part > 0) drawing.pixels[index] = first + Math.min(STEPS, part) - 1;
  }
}

/** Adds the steps from the background to a colour, and returns the number of the first. */
function addSteps({ palette }: Drawing, color: string): number {
  const first = palette.length;
  const [from, to] = [rgbOf(palette[0] ?? color), rgbOf(color)];
  for (let step = 1; step <= STEPS; step += 1) {
    palette.push(hexOf(mapChannels(from, (part, index) => part + (to[index] - part) * (step / STEPS))));
  }
  return first;
}

type Crossing = { x: number; direction: number };

/** Returns where the lines cross the middle of each split line, from the top. */
function crossingsOf(polygons: readonly Polygon[], height: number): Crossing[][] {
  const lines: Crossing[][] = Array.from({ length: height * SPLIT }, () => []);
  for (const polygon of polygons) {
    for (const [index, [x, y]] of polygon.entries()) {
      const [nextX, nextY] = polygon[(index + 1) % polygon.length] ?? [x, y];
      if (y === nextY) continue;
      const [top, bottom] = [Math.min(y, nextY), Math.max(y, nextY)];
      const direction = nextY > y ? 1 : -1;
      for (let line = Math.max(0, Math.ceil(top * SPLIT - 0.5)); line < lines.length; line += 1) {
        const middle = (line + 0.5) / SPLIT;
        if (middle >= bottom) break;
        lines[line]?.push({ x: x + ((nextX - x) * (middle - y)) / (nextY - y), direction });
      }
    }
  }
  return lines;
}

/** Counts the split columns of a line that lie between two places. */
function cover(
  covered: Uint8Array,
  { width }: Drawing,
  { line, from, to }: { line: number; from: number; to: number },
) {
  const row = Math.floor(line / SPLIT) * width;
  const start = Math.max(0, Math.round(from * SPLIT));
  const end = Math.min(width * SPLIT, Math.round(to * SPLIT));
  for (let column = start; column < end; column += 1) {
    const pixel = row + Math.floor(column / SPLIT);
    covered[pixel] = (covered[pixel] ?? 0) + 1;
  }
}
