import { inflateSync } from "node:zlib";
import { FONT_PARTS, glyphsFor, widthOf } from "~/features/pdf/type-setting.server";

export type Point = readonly [x: number, y: number];

/** Holds a closed line of straight pieces. */
export type Polygon = readonly Point[];

/** Describes a TrueType font: https://learn.microsoft.com/typography/opentype/spec/glyf. */
type Font = { view: DataView; glyf: number; loca: number; isLong: boolean; perEm: number };

const fonts = new Map<number, Font>();

/** Reads a part of the bold font that PDF files embed. */
function fontOf(part: number): Font {
  const known = fonts.get(part);
  if (known) return known;
  const bytes = inflateSync(Buffer.from(FONT_PARTS.bold[part]?.file ?? "", "base64"));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map(
    Array.from({ length: view.getUint16(4) }, (_, index) => {
      const at = 12 + 16 * index;
      const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
      return [tag, view.getUint32(at + 8)] as const;
    }),
  );
  const at = (tag: string) => tables.get(tag) ?? 0;
  const font = {
    view,
    glyf: at("glyf"),
    loca: at("loca"),
    isLong: view.getInt16(at("head") + 50) === 1,
    perEm: view.getUint16(at("head") + 18),
  };
  fonts.set(part, font);
  return font;
}

/** Returns the outlines of a line of text that the font has. `y` is its base line; y grows downwards. */
export function textOutlines(text: string, { x, y, size }: { x: number; y: number; size: number }): Polygon[] {
  let left = x;
  return glyphsFor(text, "bold").flatMap(({ part, hex, width }) => {
    const font = fontOf(part);
    const scale = size / font.perEm;
    const start = left;
    left += (width * size) / 1_000;
    return glyphOutlines(font, Number.parseInt(hex, 16)).map((polygon) =>
      polygon.map(([px, py]): Point => [start + px * scale, y - py * scale]),
    );
  });
}

/** Returns the width of a line in the bold font. */
export const textWidth = (text: string, size: number): number => widthOf(text, size, "bold");

function glyphOutlines(font: Font, glyph: number): Polygon[] {
  const { view, glyf, loca, isLong } = font;
  const offset = (index: number) => (isLong ? view.getUint32(loca + 4 * index) : 2 * view.getUint16(loca + 2 * index));
  // A glyph without an outline, such as a space.
  if (offset(glyph) === offset(glyph + 1)) return [];
  const at = glyf + offset(glyph);
  const contours = view.getInt16(at);
  return contours < 0 ? partsOfGlyph(font, at + 10) : simpleOutlines(view, at + 10, contours);
}

/** Reads a glyph that is put together of others, such as a letter and its accent. None of ours is scaled. */
function partsOfGlyph(font: Font, start: number): Polygon[] {
  const { view } = font;
  const polygons: Polygon[] = [];
  let [at, flags] = [start, MORE_PARTS];
  while (flags & MORE_PARTS) {
    flags = view.getUint16(at);
    const glyph = view.getUint16(at + 2);
    const isWord = (flags & 1) !== 0;
    const dx = isWord ? view.getInt16(at + 4) : view.getInt8(at + 4);
    const dy = isWord ? view.getInt16(at + 6) : view.getInt8(at + 5);
    at += isWord ? 8 : 6;
    if (flags & 0x8) at += 2;
    if (flags & 0x40) at += 4;
    if (flags & 0x80) at += 8;
    for (const polygon of glyphOutlines(font, glyph)) polygons.push(polygon.map(([x, y]): Point => [x + dx, y + dy]));
  }
  return polygons;
}

const MORE_PARTS = 0x20;

type OutlinePoint = { x: number; y: number; isOn: boolean };

function simpleOutlines(view: DataView, start: number, contours: number): Polygon[] {
  const ends = Array.from({ length: contours }, (_, index) => view.getUint16(start + 2 * index));
  const count = (ends.at(-1) ?? -1) + 1;
  let at = start + 2 * contours;
  at += 2 + view.getUint16(at);
  const flags: number[] = [];
  while (flags.length < count) {
    const flag = view.getUint8(at++);
    flags.push(flag);
    if (flag & 8) for (let again = view.getUint8(at++); again > 0; again -= 1) flags.push(flag);
  }
  const read = (short: number, same: number) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += (flag & same ? 1 : -1) * view.getUint8(at++);
      else if (!(flag & same)) {
        value += view.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const [xs, ys] = [read(2, 16), read(4, 32)];
  const points = flags.map((flag, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, isOn: (flag & 1) !== 0 }));
  return ends.map((end, index) => flattened(points.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1)));
}

/** Counts the straight pieces that stand for a curve. */
const PIECES = 8;

const between = (one: OutlinePoint, other: OutlinePoint): OutlinePoint => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
  isOn: true,
});

/** Turns a contour of quadratic curves into straight pieces. Between two control points lies a point of the contour. */
function flattened(points: readonly OutlinePoint[]): Polygon {
  const all = points.flatMap((point, index) => {
    const next = points[(index + 1) % points.length] ?? point;
    return point.isOn || next.isOn ? [point] : [point, between(point, next)];
  });
  const first = all.findIndex(({ isOn }) => isOn);
  const turned = [...all.slice(first), ...all.slice(0, first + 1)];
  const polygon: Point[] = [];
  for (const [index, point] of turned.entries()) {
    if (point.isOn) polygon.push([point.x, point.y]);
    else polygon.push(...curve(turned[index - 1] ?? point, point, turned[index + 1] ?? point));
  }
  return polygon;
}

const curve = (from: OutlinePoint, control: OutlinePoint, to: OutlinePoint): Point[] =>
  Array.from({ length: PIECES - 1 }, (_, index) => {
    const t = (index + 1) / PIECES;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [a * from.x + b * control.x + c * to.x, a * from.y + b * control.y + c * to.y];
  });
