import type { FontPart } from "~/generated/pdf-fonts";
import {
  addObject,
  addStream,
  beginFile,
  dateValue,
  deflated,
  endFile,
  type FileObjects,
  reserve,
  textValue,
} from "./file-objects.server";
import { beginFlow, fontName, type Ink, inBrandColor, PAGE, PICTURE_NAME, textInstruction } from "./flow.server";
import type { PdfDocument, PdfPicture } from "./model";
import { setBlocks, setLetterhead } from "./set-blocks.server";
import { FONT_PARTS, linesOf, type Weight, widthOf, writable } from "./type-setting.server";

const FOOT: Ink = { size: 8, weight: "regular", color: "muted" };

/** Describes a written file. `pages`: how many it has. */
type PdfFile = { bytes: Uint8Array; pages: number };

/**
 * Writes a document as a PDF file whose text can be selected. Never fails because of what a text contains.
 */
export async function writePdf(document: PdfDocument): Promise<PdfFile> {
  const flow = beginFlow();
  setLetterhead(flow, document);
  setBlocks(flow, document.blocks);
  const contents = flow.pages.map((instructions, index) =>
    inBrandColor(
      [...instructions, ...footOf(document.title, `Page ${index + 1} of ${flow.pages.length}`)].join("\n"),
      document.sender.color,
    ),
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
  const file = beginFile();
  const used = contents.join("");
  const weights = ["regular", "bold"] satisfies Weight[];
  const fonts = weights.flatMap((weight) =>
    FONT_PARTS[weight].flatMap((part, index) => {
      const name = fontName(weight, index);
      return used.includes(`/${name} `) ? [`/${name} ${embedFont(file, part)}`] : [];
    }),
  );
  const logo = sender.picture ? `/XObject << /${PICTURE_NAME} ${await embedPicture(file, sender.picture)} >>` : "";
  const tree = reserve(file);
  const streams = await Promise.all(contents.map(deflated));
  const pages = streams.map((stream) => {
    const content = addStream(file, stream);
    return addObject(
      file,
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents ${content}
/Resources << /Font << ${fonts.join(" ")} >> ${logo} >> >>`,
    );
  });
  addObject(file, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(" ")}] >>`, tree);
  const root = addObject(
    file,
    `<< /Type /Catalog /Pages ${tree} 0 R /Lang (en-US) /ViewerPreferences << /DisplayDocTitle true >> >>`,
  );
  const facts = [
    `/Title ${textValue(writable(title))}`,
    `/Author ${textValue(writable(sender.name))}`,
    `/CreationDate ${dateValue(createdAt)}`,
  ];
  return endFile(file, { root, info: addObject(file, `<< ${facts.join(" ")} >>`) });
}

/** Embeds a picture; see PDF 32000-1, 8.9.5. */
const embedPicture = async (file: FileObjects, { width, height, rgb }: PdfPicture): Promise<string> =>
  addStream(
    file,
    await deflated(rgb),
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
  );

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * Embeds a part of the font, ready as it was generated. Texts name its glyphs by their numbers; see PDF 32000-1, 9.7.
 */
function embedFont(file: FileObjects, part: FontPart): string {
  const { name, box, ascent, descent, capHeight, widths, fileLength } = part;
  const program = addStream(file, bytesOf(part.file), `/Length1 ${fileLength}`);
  const toUnicode = addStream(file, bytesOf(part.toUnicode));
  // Flags: its glyphs are not those of a standard encoding.
  const descriptor = addObject(
    file,
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${box.join(" ")}] /ItalicAngle 0
/Ascent ${ascent} /Descent ${descent} /CapHeight ${capHeight} /StemV 80 /FontFile2 ${program} >>`,
  );
  const descendant = addObject(
    file,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /FontDescriptor ${descriptor} /DW 500
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity
/W [0 [${widths.join(" ")}]] >>`,
  );
  return addObject(
    file,
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant}]
/ToUnicode ${toUnicode} >>`,
  );
}
