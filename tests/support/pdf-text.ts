import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream, PDFRef, PDFStream } from "@cantoo/pdf-lib";
import { bold, type FontPart, regular } from "~/generated/pdf-fonts";

const FONTS: Record<string, readonly FontPart[]> = { R: regular, B: bold };

/** Reads a PDF file as a reader does that knows our font only: the lines of each page, in the order they were set. */
export async function pdfText(bytes: Uint8Array): Promise<string[][]> {
  const file = await PDFDocument.load(bytes);
  return file.getPages().map((page) => {
    const contents = page.node.Contents();
    const streams = contents instanceof PDFArray ? contents.asArray() : contents ? [contents] : [];
    return streams.flatMap((entry) => {
      const stream = entry instanceof PDFRef ? file.context.lookup(entry, PDFStream) : entry;
      if (!(stream instanceof PDFRawStream)) return [];
      return linesIn(new TextDecoder("latin1").decode(decodePDFRawStream(stream).decode()));
    });
  });
}

const linesIn = (instructions: string): string[] =>
  [...instructions.matchAll(/BT (.*?) ET/g)].map(([, shown = ""]) =>
    [...shown.matchAll(/\/([RB])(\d) [\d.]+ Tf <([0-9a-f]*)> Tj/g)]
      .map(([, weight = "", part, hex = ""]) => textOf(FONTS[weight]?.[Number(part)], hex))
      .join(""),
  );

function textOf(part: FontPart | undefined, hex: string): string {
  if (!part) throw new Error("The page names a font that there is not.");
  const codes = new Map<number, number>();
  for (let index = 0; index < part.glyphs.length; index += 2) {
    const glyph = part.glyphs[index + 1] ?? 0;
    if (!codes.has(glyph)) codes.set(glyph, part.glyphs[index] ?? 0);
  }
  return (hex.match(/.{4}/g) ?? [])
    .map((glyph) => String.fromCodePoint(codes.get(Number.parseInt(glyph, 16)) ?? 0xfffd))
    .join("");
}
