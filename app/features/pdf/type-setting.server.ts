import { bold, type FontPart, regular } from "~/generated/pdf-fonts";

export type Weight = "regular" | "bold";

export const FONT_PARTS: Record<Weight, readonly FontPart[]> = { regular, bold };

/** Stands for what the font does not have: other scripts, emoji. */
const MISSING = "?";

/** Holds a glyph as the file names it: a part of the font, and the number in it. `width` is in thousandths. */
type Glyph = { part: number; hex: string; width: number };

const tables = new Map<Weight, Map<number, Glyph>>();

/** Returns the glyphs of a weight by code point. Of what two parts have, the first counts. */
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

/** Matches what has no width of its own: marks that combine, joiners, signs of direction and of control. */
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Returns a text in characters that the font has. Letters and their marks are joined; a letter whose mark is missing is
 * written without it, and whatever else is missing as one sign for each character that people see. Line breaks stay.
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

/** Lists the glyphs of a text that is writable. */
export function glyphsFor(text: string, weight: Weight): Glyph[] {
  const glyphs = glyphsOf(weight);
  return [...text].flatMap((character) => glyphs.get(character.codePointAt(0) ?? 0) ?? []);
}

/** Returns the width of a text, in points. */
export function widthOf(text: string, size: number, weight: Weight): number {
  return (glyphsFor(text, weight).reduce((sum, { width }) => sum + width, 0) * size) / 1_000;
}

/** Breaks a text into lines of at most a width, at spaces, and within a word that is longer than a line. */
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

/** Cuts a word into pieces that fit. A piece has at least one character, however narrow the line is. */
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
