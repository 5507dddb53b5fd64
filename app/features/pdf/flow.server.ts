import { bold, type FontPart, regular } from "~/generated/pdf-fonts";
import { brandColors, DEFAULT_COLORS, rgbOf } from "~/lib/brand-colors";

export type Weight = "regular" | "bold";

export const FONT_PARTS: Record<Weight, readonly FontPart[]> = { regular, bold };

/** What the font does not have: other scripts, emoji. */
const MISSING = "?";

/** As the file names it: a part of the font, and the number in it. `width` is in thousandths. */
type Glyph = { part: number; hex: string; width: number };

const tables = new Map<Weight, Map<number, Glyph>>();

function glyphsOf(weight: Weight): Map<number, Glyph> {
  const known = tables.get(weight);
  if (known) return known;
  const table = new Map<number, Glyph>();
  for (const [part, { glyphs, widths }] of FONT_PARTS[weight].entries()) {
    for (let index = 0; index < glyphs.length; index += 2) {
      const [code = 0, number = 0] = [glyphs[index], glyphs[index + 1]];
      const hex = number.toString(16).padStart(4, "0");
      if (!table.has(code)) table.set(code, { part, hex, width: widths[number] ?? 0 });
    }
  }
  tables.set(weight, table);
  return table;
}

/** No width of its own: marks that combine, joiners, signs of direction and of control. */
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * A letter whose mark is missing is written without it, whatever else is missing as one sign for each character that
 * people see. Line breaks stay.
 */
export function writable(text: string): string {
  const glyphs = glyphsOf("regular");
  const has = (part: string) => [...part].every((character) => glyphs.has(character.codePointAt(0) ?? 0));
  const joined = text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n\u00a0]/g, " ");
  if (has(joined.replaceAll("\n", ""))) return joined;
  let written = "";
  for (const { segment } of segmenter.segment(joined)) {
    const visible = segment.replace(INVISIBLE, "");
    const plain = visible.normalize("NFKD").replace(INVISIBLE, "");
    if (segment === "\n" || has(segment)) written += segment;
    else if (visible !== "" && has(visible)) written += visible;
    else if (plain !== "" && has(plain)) written += plain;
    else if (visible !== "") written += MISSING;
  }
  return written;
}

function glyphsFor(text: string, weight: Weight): Glyph[] {
  const glyphs = glyphsOf(weight);
  return [...text].flatMap((character) => glyphs.get(character.codePointAt(0) ?? 0) ?? []);
}

export function widthOf(text: string, size: number, weight: Weight): number {
  return (glyphsFor(text, weight).reduce((sum, { width }) => sum + width, 0) * size) / 1_000;
}

/** At spaces, and within a word that is longer than a line. */
export function linesOf(text: string, width: number, { size, weight }: { size: number; weight: Weight }): string[] {
  const fits = (line: string) => widthOf(line, size, weight) <= width;
  return writable(text)
    .split("\n")
    .flatMap((paragraph) => {
      const lines: string[] = [];
      let line = "";
      for (const word of paragraph.split(" ").filter((part) => part !== "")) {
        const longer = line === "" ? word : `${line} ${word}`;
        if (fits(longer)) {
          line = longer;
          continue;
        }
        if (line !== "") lines.push(line);
        const pieces = piecesOf(word, fits);
        lines.push(...pieces.slice(0, -1));
        line = pieces.at(-1) ?? "";
      }
      return [...lines, line];
    });
}

/** A piece has at least one character, however narrow the line is. */
function piecesOf(word: string, fits: (piece: string) => boolean): string[] {
  if (fits(word)) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (piece !== "" && !fits(piece + character)) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** A4, and its edges, in points. */
export const PAGE = { width: 595.28, height: 841.89, edge: 48, foot: 60 } as const;

/** Red, green and blue from 0 to 1. */
const partsOf = (hex: string): string =>
  rgbOf(hex)
    .map((part) => (part / 255).toFixed(3))
    .join(" ");

const COLORS = {
  ink: "0.015 0.104 0.13",
  muted: "0.245 0.303 0.32",
  line: "0.78 0.82 0.83",
  brand: partsOf(DEFAULT_COLORS.brand.light),
} as const;

type Color = keyof typeof COLORS;

/** Its default is nothing else in the instructions: texts are written as numbers of glyphs. */
export const inBrandColor = (instructions: string, color: string): string =>
  instructions.replaceAll(COLORS.brand, partsOf(brandColors(color).brand.light));

/** Instructions page by page. `y`, where the next block is set, counts from the lower edge of the page. */
export type Flow = { pages: string[][]; y: number; left: number; width: number; floor: number };

const TOP = PAGE.height - PAGE.edge;

export const beginFlow = (): Flow => ({
  pages: [[]],
  y: TOP,
  left: PAGE.edge,
  width: PAGE.width - 2 * PAGE.edge,
  floor: PAGE.foot,
});

/** Sets nothing that stays and never ends a page: its `y` tells how high blocks are. */
export const trial = ({ y, left, width }: Flow): Flow => ({ pages: [[]], y, left, width, floor: -Infinity });

export function makeRoom(flow: Flow, height: number): boolean {
  if (flow.y - height >= flow.floor || flow.y === TOP) return false;
  flow.pages.push([]);
  flow.y = TOP;
  return true;
}

export const pageRoom = (flow: Flow): number => TOP - flow.floor;

const draw = (flow: Flow, instruction: string) => flow.pages.at(-1)?.push(instruction);

const number = (value: number): string => String(Math.round(value * 100) / 100);

export type Ink = { size: number; weight: Weight; color: Color };

export function setLine(flow: Flow, text: string, { x, y, ink }: { x: number; y: number; ink: Ink }): void {
  if (text !== "") draw(flow, textInstruction(text, { x, y, ink }));
}

export const fontName = (weight: Weight, part: number): string => `${weight === "bold" ? "B" : "R"}${part}`;

/** A line may need several parts of the font. */
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

/** A W of two check marks, 20 points wide. `y` is its upper edge. */
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

export const PICTURE_NAME = "Logo";

type Box = { x: number; y: number; width: number; height: number };

export function setPicture(flow: Flow, { x, y, width, height }: Box): void {
  draw(flow, `q ${[width, 0, 0, height, x, y - height].map(number).join(" ")} cm /${PICTURE_NAME} Do Q`);
}
