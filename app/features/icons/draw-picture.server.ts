import { writable } from "~/features/pdf/type-setting.server";
import { brandColors } from "~/lib/brand-colors";
import { beginDrawing, type Drawing, fill } from "./draw.server";
import { type Point, type Polygon, textOutlines, textWidth } from "./font-outlines.server";
import { type IconBrand, PICTURES, type PictureName } from "./model";
import { writePng } from "./write-png.server";

const WHITE = "#ffffff";

/** Holds the height of a capital letter of the font, and the part of an icon that a round mask leaves. */
const CAPITAL = 0.72;

/** Draws a picture of a brand: its initial on its colour, or for previews its name and its tagline. */
export const drawPicture = (brand: IconBrand, name: PictureName): Uint8Array<ArrayBuffer> =>
  writePng(name === "preview.png" ? preview(brand) : icon(brand, PICTURES[name].width));

function icon({ initial: letter, color }: IconBrand, side: number): Drawing {
  const drawing = beginDrawing(side, side, brandColors(color).brand.light);
  const initial = inFont(letter);
  if (initial === "") {
    fill(drawing, ticks((side - 0.6 * side) / 2, 0.3 * side, 0.6 * side), WHITE);
    return drawing;
  }
  const size = 0.62 * side;
  const x = (side - textWidth(initial, size)) / 2;
  fill(drawing, textOutlines(initial, { x, y: (side + CAPITAL * size) / 2, size }), WHITE);
  return drawing;
}

const EDGE = 80;

function preview({ name, tagline, color }: IconBrand): Drawing {
  const { width, height } = PICTURES["preview.png"];
  const { brand, deep, onDeep } = brandColors(color);
  const drawing = beginDrawing(width, height, deep);
  const room = width - 2 * EDGE;
  const [title, motto] = [inFont(name), inFont(tagline)];
  if (title === "") fill(drawing, ticks(EDGE, 200, 240), WHITE);
  else line(drawing, title, { y: 330, size: 104, room, color: WHITE });
  if (motto !== "") line(drawing, motto, { y: 420, size: 46, room, color: onDeep });
  fill(drawing, [box(0, height - 28, width, 28)], brand.dark);
  return drawing;
}

type Line = { y: number; size: number; room: number; color: string };

/** Sets a line as large as it fits; the longest end in dots. */
function line(drawing: Drawing, text: string, { y, size, room, color }: Line): void {
  const smallest = size / 2;
  let shown = text;
  while (textWidth(shown, smallest) > room) shown = `${shown.slice(0, -2).trimEnd()}…`;
  const fitting = Math.min(size, (size * room) / textWidth(shown, size));
  fill(drawing, textOutlines(shown, { x: EDGE, y, size: fitting }), color);
}

/** Returns a text if the font has all of it; a name with signs in the place of letters would be worse than none. */
const inFont = (text: string): string => (writable(text) === text.normalize("NFC") ? text.normalize("NFC") : "");

const box = (x: number, y: number, width: number, height: number): Polygon => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** Returns the default logo, two check marks, for names that our font cannot write. */
function ticks(x: number, y: number, width: number): Polygon[] {
  const scale = width / 34;
  const bars: [Point, Point][] = [
    [
      [2.5, 9],
      [8, 19.5],
    ],
    [
      [8, 19.5],
      [16, 5],
    ],
    [
      [15.2, 12.5],
      [19, 19.5],
    ],
    [
      [19, 19.5],
      [31.5, 2],
    ],
  ];
  return bars.map(([from, to]) => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const [dx, dy] = [(2.3 * (to[0] - from[0])) / length, (2.3 * (to[1] - from[1])) / length];
    const corners: Point[] = [
      [from[0] - dy - dx, from[1] + dx - dy],
      [to[0] - dy + dx, to[1] + dx + dy],
      [to[0] + dy + dx, to[1] - dx + dy],
      [from[0] + dy - dx, from[1] - dx - dy],
    ];
    return corners.map(([px, py]): Point => [x + px * scale, y + py * scale]);
  });
}
