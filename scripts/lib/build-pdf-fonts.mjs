import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { inRoot } from "./toolchain.mjs";

/** Names the weights that PDF files are written in, and the parts of the font: most texts need the first one only. */
const WEIGHTS = { regular: 400, bold: 700 };
const PARTS = ["latin", "latin-ext"];

/** Lists the code points that are kept, as far as the font has them: Latin letters, punctuation, currencies, signs. */
const KEPT = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x1e00, 0x1eff],
  [0x2010, 0x205e],
  [0x20a0, 0x20c0],
  [0x2100, 0x22ff],
];

/** Lists the tables that only programs need which lay out text themselves. */
const UNUSED_TABLES = ["GSUB", "GPOS", "GDEF", "STAT", "gasp", "DSIG", "BASE", "meta"];

/** Says in the name of a font that it has some of its characters only; see PDF 32000-1, 9.6.4. */
const SUBSET_TAG = "LATINS";

const HEAD = `/* Written by scripts/lib/build-pdf-fonts.mjs. */

/** Holds a part of the font in one weight. Lengths are thousandths of the font size; files are deflated, in Base64. */
export type FontPart = {
  name: string;
  ascent: number;
  descent: number;
  capHeight: number;
  box: readonly number[];
  /** Holds the width of each glyph, by its number. */
  widths: readonly number[];
  /** Holds the code point and number of its glyph, in turns. */
  glyphs: readonly number[];
  /** Holds the font as a TrueType file, and its length before it was deflated. */
  file: string;
  fileLength: number;
  /** Says which text each glyph stands for, as a CMap: readers select and copy by it. */
  toUnicode: string;
};
`;

/**
 * Returns a module with the parts of the font that PDF files embed. A part is the same in every file, so all that a
 * program would find out about it is found out here: no code for fonts runs in the worker.
 */
export async function pdfFontsModule() {
  const { default: subsetFont } = await import("subset-font");
  const text = KEPT.map(([first, last]) =>
    String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index)),
  ).join("");
  const lines = [];
  for (const [weight, wght] of Object.entries(WEIGHTS)) {
    const parts = [];
    for (const part of PARTS) {
      const source = `node_modules/@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-${part}-wght-normal.woff2`;
      const file = await subsetFont(readFileSync(inRoot(source)), text, {
        targetFormat: "sfnt",
        variationAxes: { wght },
        keepFeatures: [],
        noHinting: true,
        noLayoutClosure: true,
        dropTables: UNUSED_TABLES,
      });
      parts.push(describe(`${SUBSET_TAG}+SchibstedGrotesk-${part}-${wght}`, file));
    }
    lines.push(`export const ${weight}: readonly FontPart[] = ${JSON.stringify(parts)};\n`);
  }
  return [HEAD, ...lines].join("\n");
}

/** Reads a TrueType file: https://learn.microsoft.com/typography/opentype/spec/otff */
function describe(name, file) {
  const at = Object.fromEntries(
    Array.from({ length: file.readUInt16BE(4) }, (_, index) => {
      const entry = 12 + 16 * index;
      return [file.toString("latin1", entry, entry + 4), file.readUInt32BE(entry + 8)];
    }),
  );
  const perEm = file.readUInt16BE(at.head + 18);
  const scaled = (units) => Math.round((units * 1_000) / perEm);
  const glyphs = readGlyphs(file, at.cmap);
  return {
    name,
    ascent: scaled(file.readInt16BE(at.hhea + 4)),
    descent: scaled(file.readInt16BE(at.hhea + 6)),
    capHeight: scaled(file.readInt16BE(at["OS/2"] + 88)),
    box: [36, 38, 40, 42].map((offset) => scaled(file.readInt16BE(at.head + offset))),
    widths: readWidths(file, at).map(scaled),
    glyphs: glyphs.flat(),
    file: deflateSync(file, { level: 9 }).toString("base64"),
    fileLength: file.length,
    toUnicode: deflateSync(toUnicode(glyphs), { level: 9 }).toString("base64"),
  };
}

function readWidths(file, { hhea, hmtx, maxp }) {
  const measured = file.readUInt16BE(hhea + 34);
  return Array.from({ length: file.readUInt16BE(maxp + 4) }, (_, glyph) =>
    file.readUInt16BE(hmtx + 4 * Math.min(glyph, measured - 1)),
  );
}

/** Returns pairs of code point and glyph from the first table of format 4, which has all of them here. */
function readGlyphs(file, cmap) {
  const tables = Array.from({ length: file.readUInt16BE(cmap + 2) }, (_, index) => {
    return cmap + file.readUInt32BE(cmap + 8 + 8 * index);
  });
  const table = tables.find((offset) => file.readUInt16BE(offset) === 4);
  if (table === undefined) throw new Error("The font has no character map of format 4.");
  const segments = file.readUInt16BE(table + 6) / 2;
  const glyphs = [];
  for (let segment = 0; segment < segments; segment += 1) {
    const [end, start, delta, range] = [14, 16 + 2 * segments, 16 + 4 * segments, 16 + 6 * segments].map(
      (offset) => table + offset + 2 * segment,
    );
    const offset = file.readUInt16BE(range);
    for (let code = file.readUInt16BE(start); code <= file.readUInt16BE(end) && code < 0xffff; code += 1) {
      const found = offset === 0 ? code : file.readUInt16BE(range + offset + 2 * (code - file.readUInt16BE(start)));
      const glyph = found === 0 ? 0 : (found + file.readUInt16BE(delta)) & 0xffff;
      if (glyph !== 0) glyphs.push([code, glyph]);
    }
  }
  return glyphs;
}

const hex = (number) => number.toString(16).padStart(4, "0");

/** Writes a CMap. A glyph of two code points, such as a space and one that does not break, stands for the first. */
function toUnicode(glyphs) {
  const codes = new Map(glyphs.toReversed().map(([code, glyph]) => [glyph, code]));
  const pairs = [...codes]
    .sort(([one], [other]) => one - other)
    .map(([glyph, code]) => `<${hex(glyph)}> <${hex(code)}>`);
  const blocks = [];
  // A block has at most a hundred lines.
  for (let first = 0; first < pairs.length; first += 100) {
    const block = pairs.slice(first, first + 100);
    blocks.push(`${block.length} beginbfchar`, ...block, "endbfchar");
  }
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <ffff> endcodespacerange",
    ...blocks,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}
