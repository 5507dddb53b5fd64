import { brandColors, DEFAULT_COLORS } from "~/lib/brand-colors";
import { rgbOf } from "~/lib/color";
import { glyphsFor, type Weight } from "./type-setting.server";

/** Holds the size of a page, A4, and its edges, in points. */
export const PAGE = { width: 595.28, height: 841.89, edge: 48, foot: 60 } as const;

/** Returns a colour as files name it: red, green and blue from 0 to 1. */
const partsOf = (hex: string): string =>
  rgbOf(hex)
    .map((part) => (part / 255).toFixed(3))
    .join(" ");

/** Holds the colours of a document: those of our pages in the light. */
const COLORS = {
  ink: "0.015 0.104 0.13",
  muted: "0.245 0.303 0.32",
  line: "0.78 0.82 0.83",
  brand: partsOf(DEFAULT_COLORS.brand.light),
} as const;

type Color = keyof typeof COLORS;

/**
 * Returns instructions in the colour of a brand. Its default is nothing else in them: texts are written as numbers of
 * glyphs.
 */
export const inBrandColor = (instructions: string, color: string): string =>
  instructions.replaceAll(COLORS.brand, partsOf(brandColors(color).brand.light));

/**
 * Holds where the next block is set, and what was set so far: drawing instructions, page by page. `y` counts from the
 * lower edge of the page.
 */
export type Flow = { pages: string[][]; y: number; left: number; width: number; floor: number };

const TOP = PAGE.height - PAGE.edge;

export const beginFlow = (): Flow => ({
  pages: [[]],
  y: TOP,
  left: PAGE.edge,
  width: PAGE.width - 2 * PAGE.edge,
  floor: PAGE.foot,
});

/** Returns a flow that sets nothing that stays and never ends a page: its `y` tells how high blocks are. */
export const trial = ({ y, left, width }: Flow): Flow => ({ pages: [[]], y, left, width, floor: -Infinity });

/**
 * Begins a page unless there is room for this height. Returns whether it did. A page of its own has all room there is.
 */
export function makeRoom(flow: Flow, height: number): boolean {
  if (flow.y - height >= flow.floor || flow.y === TOP) return false;
  flow.pages.push([]);
  flow.y = TOP;
  return true;
}

/** Returns how much room a page has at most. */
export const pageRoom = (flow: Flow): number => TOP - flow.floor;

const draw = (flow: Flow, instruction: string) => flow.pages.at(-1)?.push(instruction);

/** Writes a number for an instruction of the file, with two decimals at most. */
const number = (value: number): string => String(Math.round(value * 100) / 100);

export type Ink = { size: number; weight: Weight; color: Color };

/** Sets one line of writable text. `y` is that of its base line. */
export function setLine(flow: Flow, text: string, { x, y, ink }: { x: number; y: number; ink: Ink }): void {
  if (text !== "") draw(flow, textInstruction(text, { x, y, ink }));
}

/** Names a part of the font as pages refer to it. */
export const fontName = (weight: Weight, part: number): string => `${weight === "bold" ? "B" : "R"}${part}`;

/** Writes a line of text as instructions. A line may need several parts of the font. */
export function textInstruction(text: string, { x, y, ink }: { x: number; y: number; ink: Ink }): string {
  const shown: string[] = [];
  let [part, hex] = [-1, ""];
  const show = () => {
    if (hex !== "") shown.push(`/${fontName(ink.weight, part)} ${number(ink.size)} Tf <${hex}> Tj`);
    hex = "";
  };
  for (const glyph of glyphsFor(text, ink.weight)) {
    if (glyph.part !== part) show();
    part = glyph.part;
    hex += glyph.hex;
  }
  show();
  return `BT ${COLORS[ink.color]} rg ${number(x)} ${number(y)} Td ${shown.join(" ")} ET`;
}

type Stroke = { from: readonly [number, number]; to: readonly [number, number]; width: number; color: Color };

export function setStroke(flow: Flow, { from, to, width, color }: Stroke): void {
  const [start, end] = [from, to].map((point) => point.map(number).join(" "));
  draw(flow, `${COLORS[color]} RG ${number(width)} w ${start} m ${end} l S`);
}

/** Draws our mark, a W of two check marks, 20 points wide. `y` is its upper edge. */
export function setMark(flow: Flow, x: number, y: number): void {
  const scale = 20 / 34;
  const tick = (points: readonly (readonly [number, number])[], color: Color) => {
    const [first = "", ...rest] = points.map(([px, py]) => `${number(x + px * scale)} ${number(y - py * scale)}`);
    draw(
      flow,
      `${COLORS[color]} RG ${number(4.6 * scale)} w ${first} m ${rest.map((point) => `${point} l`).join(" ")} S`,
    );
  };
  tick(
    [
      [2.5, 9],
      [8, 19.5],
      [16, 5],
    ],
    "ink",
  );
  tick(
    [
      [15.2, 12.5],
      [19, 19.5],
      [31.5, 2],
    ],
    "brand",
  );
}

/** Names the picture of the sender as pages refer to it. */
export const PICTURE_NAME = "Logo";

type Box = { x: number; y: number; width: number; height: number };

/** Sets the picture of the sender. `y` is its upper edge. */
export function setPicture(flow: Flow, { x, y, width, height }: Box): void {
  draw(flow, `q ${[width, 0, 0, height, x, y - height].map(number).join(" ")} cm /${PICTURE_NAME} Do Q`);
}
