import type { PDFContext, PDFDict, PDFRef, PDFString } from "@cantoo/pdf-lib";
import type { FontPart } from "~/generated/pdf-fonts";
import { beginFlow, fontName, type Ink, PAGE, textInstruction } from "./flow.server";
import type { PdfDocument } from "./model";
import { setBlocks, setLetterhead } from "./set-blocks.server";
import { FONT_PARTS, linesOf, type Weight, widthOf, writable } from "./type-setting.server";

const FOOT: Ink = { size: 8, weight: "regular", color: "muted" };

/** Describes a written file. `pages`: how many it has. */
export type PdfFile = { bytes: Uint8Array; pages: number };

/**
 * Writes a document as a PDF file whose text can be selected. Never fails because of what a text contains. The library
 * is large and is loaded when the first file is written.
 */
export async function writePdf(document: PdfDocument): Promise<PdfFile> {
  const flow = beginFlow();
  setLetterhead(flow, document);
  setBlocks(flow, document.blocks);
  const contents = flow.pages.map((instructions, index) =>
    [...instructions, ...footOf(document.title, `Page ${index + 1} of ${flow.pages.length}`)].join("\n"),
  );
  return { bytes: await writeFile(document, contents), pages: contents.length };
}

/** Returns a file as it is sent. */
export const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

/** Sets the title at the left of the foot, and which page it is at the right. */
function footOf(title: string, page: string): string[] {
  const right = PAGE.width - PAGE.edge - widthOf(page, FOOT.size, FOOT.weight);
  const [left = ""] = linesOf(title, right - PAGE.edge - 20, FOOT);
  return [
    textInstruction(left, { x: PAGE.edge, y: PAGE.foot - 26, ink: FOOT }),
    textInstruction(page, { x: right, y: PAGE.foot - 26, ink: FOOT }),
  ];
}

async function writeFile({ title, sender, createdAt }: PdfDocument, contents: readonly string[]): Promise<Uint8Array> {
  const { PDFDocument, PDFName, PDFString } = await import("@cantoo/pdf-lib");
  const file = await PDFDocument.create({ updateMetadata: false });
  const { context } = file;
  file.setTitle(writable(title), { showInWindowTitleBar: true });
  file.setAuthor(writable(sender.name));
  file.setLanguage("en-US");
  file.setCreationDate(new Date(createdAt));
  const used = contents.join("");
  const fonts: Record<string, PDFRef> = {};
  for (const weight of ["regular", "bold"] satisfies Weight[])
    for (const [index, part] of FONT_PARTS[weight].entries()) {
      const name = fontName(weight, index);
      if (used.includes(`/${name} `)) fonts[name] = embedFont(context, part, PDFString.of);
    }
  const resources = context.register(context.obj({ Font: fonts }));
  for (const content of contents) {
    const page: PDFDict = file.addPage([PAGE.width, PAGE.height]).node;
    page.set(PDFName.of("Resources"), resources);
    page.set(PDFName.of("Contents"), context.register(context.flateStream(content)));
  }
  return file.save();
}

/**
 * Embeds a part of the font, ready as it was generated. Texts name its glyphs by their numbers; see PDF 32000-1, 9.7.
 */
function embedFont(context: PDFContext, part: FontPart, stringOf: (text: string) => PDFString): PDFRef {
  const deflated = (base64: string, entries: Record<string, number>) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return context.register(context.stream(bytes, { ...entries, Filter: "FlateDecode" }));
  };
  const descriptor = context.register(
    context.obj({
      Type: "FontDescriptor",
      FontName: part.name,
      // Its glyphs are not those of a standard encoding.
      Flags: 4,
      FontBBox: [...part.box],
      ItalicAngle: 0,
      Ascent: part.ascent,
      Descent: part.descent,
      CapHeight: part.capHeight,
      StemV: 80,
      FontFile2: deflated(part.file, { Length1: part.fileLength }),
    }),
  );
  const descendant = context.register(
    context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: part.name,
      CIDSystemInfo: { Registry: stringOf("Adobe"), Ordering: stringOf("Identity"), Supplement: 0 },
      FontDescriptor: descriptor,
      DW: 500,
      W: [0, [...part.widths]],
      CIDToGIDMap: "Identity",
    }),
  );
  return context.register(
    context.obj({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: part.name,
      Encoding: "Identity-H",
      DescendantFonts: [descendant],
      ToUnicode: deflated(part.toUnicode, {}),
    }),
  );
}
