import { logoSize, saysName } from "~/features/settings/model";
import type { FontPart } from "~/generated/pdf-fonts";
import { assertNever } from "~/lib/errors";
import {
  beginFlow,
  type Flow,
  FONT_PARTS,
  fontName,
  type Ink,
  inBrandColor,
  linesOf,
  makeRoom,
  PAGE,
  PICTURE_NAME,
  pageRoom,
  setLine,
  setMark,
  setPicture,
  setStroke,
  textInstruction,
  trial,
  type Weight,
  widthOf,
  writable,
} from "./flow.server";
import type { PdfBlock, PdfColumn, PdfDocument, PdfPicture } from "./model";

const HEAD: Ink = { size: 8.5, weight: "bold", color: "muted" };
const CELL: Ink = { size: 9, weight: "regular", color: "ink" };

const LEADING = 12;
const PADDING = 4;
const GUTTER = 10;

type Box = PdfColumn & { x: number; width: number };

type Row = { cells: string[][]; height: number };

/** One without any label has no head. A row stays on one page unless it is longer than one. */
function setTable(flow: Flow, { columns, rows, none }: Extract<PdfBlock, { kind: "table" }>): void {
  const boxes = boxesOf(flow, columns);
  const head = rowOf(
    boxes,
    columns.map(({ label }) => label),
    HEAD,
  );
  const shown = rows.length === 0 && none !== undefined ? [[none]] : rows;
  const hasHead = columns.some(({ label }) => label !== "");
  const setHead = () => {
    if (!hasHead) return;
    setRow(flow, boxes, { row: head, ink: HEAD });
    setRule(flow, 0.9, "ink");
  };
  const laidOut = shown.map((cells) => rowOf(rows.length === 0 ? [wholeRow(flow, boxes)] : boxes, cells, CELL));
  makeRoom(flow, head.height + (laidOut[0]?.height ?? 0));
  setHead();
  for (const row of laidOut) {
    if (makeRoom(flow, row.height)) setHead();
    setRow(flow, boxes, { row, ink: CELL });
    setRule(flow, 0.5, "line");
  }
  flow.y -= 12;
}

function boxesOf(flow: Flow, columns: readonly PdfColumn[]): Box[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const room = flow.width - GUTTER * (columns.length - 1);
  let x = flow.left;
  return columns.map((column) => {
    const box = { ...column, x, width: (room * column.share) / shares };
    x += box.width + GUTTER;
    return box;
  });
}

const wholeRow = (flow: Flow, [first]: Box[]): Box => ({
  label: first?.label ?? "",
  share: 1,
  x: flow.left,
  width: flow.width,
});

function rowOf(boxes: readonly Box[], texts: readonly string[], ink: Ink): Row {
  const cells = boxes.map(({ width }, index) => linesOf(texts[index] ?? "", width, ink));
  return { cells, height: Math.max(1, ...cells.map((lines) => lines.length)) * LEADING + 2 * PADDING };
}

/** A row that is longer than a page goes on on the next one. */
function setRow(flow: Flow, boxes: readonly Box[], { row, ink }: { row: Row; ink: Ink }): void {
  flow.y -= PADDING;
  const count = Math.max(...row.cells.map((lines) => lines.length));
  for (let line = 0; line < count; line += 1) {
    makeRoom(flow, LEADING);
    for (const [index, lines] of row.cells.entries()) {
      const [text = "", box] = [lines[line], boxes[index]];
      if (!box) continue;
      const indent = box.isNumber && row.cells.length > 1 ? box.width - widthOf(text, ink.size, ink.weight) : 0;
      setLine(flow, text, { x: box.x + indent, y: flow.y - ink.size, ink });
    }
    flow.y -= LEADING;
  }
  flow.y -= PADDING;
}

const setRule = (flow: Flow, width: number, color: "ink" | "line") =>
  setStroke(flow, { from: [flow.left, flow.y], to: [flow.left + flow.width, flow.y], width, color });

const NAME: Ink = { size: 13, weight: "bold", color: "ink" };
const TITLE: Ink = { size: 17, weight: "bold", color: "ink" };
const HEADING: Ink = { size: 11.5, weight: "bold", color: "ink" };
const BODY: Ink = { size: 9.5, weight: "regular", color: "ink" };
const MUTED: Ink = { ...BODY, size: 8.5, color: "muted" };
const FIGURE: Ink = { size: 15, weight: "bold", color: "brand" };
const SMALL_FIGURE: Ink = { ...FIGURE, size: 11 };

const leading = ({ size }: Ink): number => size * 1.36;

const GAP = 14;

/** It stays together with the first lines below it. */
const HEADING_ROOM = 64;

const LOGO_ROOM = { width: 120, height: 28 };

const LOGO_GAP = 8;

function setLogo(flow: Flow, { hasLogo, picture }: PdfDocument["sender"]): { indent: number; height: number } {
  if (picture) {
    const size = logoSize(picture, LOGO_ROOM);
    setPicture(flow, { x: flow.left, y: flow.y, ...size });
    return { indent: size.width + LOGO_GAP, height: size.height + 4 };
  }
  if (hasLogo) return { indent: 0, height: 0 };
  setMark(flow, flow.left, flow.y + 1);
  return { indent: 28, height: 0 };
}

/** A logo that is so wide that it says the name stands alone. */
function setLetterhead(flow: Flow, { sender, headerLines }: Pick<PdfDocument, "sender" | "headerLines">): void {
  const half = flow.width / 2 - GAP;
  const { indent, height } = setLogo(flow, sender);
  const name = sender.picture && saysName(sender.picture) ? [] : linesOf(sender.name, half - indent, NAME).slice(0, 2);
  const nameTop = flow.y - Math.max(0, (height - name.length * leading(NAME)) / 2);
  const lines = {
    left: [
      ...name.map((text) => ({ text, ink: NAME, indent })),
      ...sender.lines.flatMap((line) => linesOf(line, half, MUTED)).map((text) => ({ text, ink: MUTED, indent: 0 })),
    ],
    right: headerLines.flatMap((line) => linesOf(line, half, MUTED)).map((text) => ({ text, ink: MUTED, indent: 0 })),
  };
  const bottoms = [lines.left, lines.right].map((side, index) => {
    let y = index === 0 ? nameTop : flow.y;
    for (const { text, ink, indent } of side) {
      // What follows the name stands below the logo.
      if (index === 0 && ink !== NAME) y = Math.min(y, flow.y - height);
      const x = index === 0 ? flow.left + indent : flow.left + flow.width - widthOf(text, ink.size, ink.weight);
      setLine(flow, text, { x, y: y - ink.size, ink });
      y -= leading(ink);
    }
    return y;
  });
  flow.y = Math.min(...bottoms, flow.y - height) - 6;
  setStroke(flow, { from: [flow.left, flow.y], to: [flow.left + flow.width, flow.y], width: 1.5, color: "ink" });
  flow.y -= GAP + 6;
}

function setBlocks(flow: Flow, blocks: readonly PdfBlock[]): void {
  for (const block of blocks) setBlock(flow, block);
}

function setBlock(flow: Flow, block: PdfBlock): void {
  switch (block.kind) {
    case "title":
      return setText(flow, block.text, { ink: TITLE, after: 8 });
    case "heading":
      makeRoom(flow, HEADING_ROOM);
      flow.y -= 4;
      return setText(flow, block.text, { ink: HEADING, after: 3 });
    case "text":
      return setText(flow, block.text, { ink: block.isMuted ? MUTED : BODY, after: GAP - 4 });
    case "figures":
      return setFigures(flow, block.figures);
    case "list":
      return setList(flow, block);
    case "table":
      return setTable(flow, block);
    case "sides":
      return setSides(flow, block);
    default:
      return assertNever(block);
  }
}

function setText(flow: Flow, text: string, { ink, after, indent = 0 }: { ink: Ink; after: number; indent?: number }) {
  for (const line of linesOf(text, flow.width - indent, ink)) {
    makeRoom(flow, leading(ink));
    setLine(flow, line, { x: flow.left + indent, y: flow.y - ink.size, ink });
    flow.y -= leading(ink);
  }
  flow.y -= after;
}

function setList(flow: Flow, { items, isOrdered }: Extract<PdfBlock, { kind: "list" }>): void {
  for (const [index, item] of items.entries()) {
    makeRoom(flow, leading(BODY));
    const mark = isOrdered ? `${index + 1}.` : "•";
    setLine(flow, mark, { x: flow.left + 2, y: flow.y - BODY.size, ink: BODY });
    setText(flow, item, { ink: BODY, after: 2, indent: 16 });
  }
  flow.y -= GAP - 6;
}

function setFigures(flow: Flow, figures: Extract<PdfBlock, { kind: "figures" }>["figures"]): void {
  const width = (flow.width - GAP * (figures.length - 1)) / figures.length;
  const cells = figures.map(({ value, label }) => {
    const isLong = widthOf(writable(value), FIGURE.size, FIGURE.weight) > width;
    const ink = isLong ? SMALL_FIGURE : FIGURE;
    return { ink, value: linesOf(value, width, ink), label: linesOf(label, width, MUTED) };
  });
  const heights = cells.map(({ ink, value, label }) => value.length * leading(ink) + label.length * leading(MUTED));
  const height = Math.max(0, ...heights) + 8;
  makeRoom(flow, height + GAP);
  const top = flow.y;
  for (const [index, { ink: figure, value, label }] of cells.entries()) {
    const x = flow.left + index * (width + GAP);
    setStroke(flow, { from: [x, top], to: [x + width, top], width: 0.75, color: "line" });
    let y = top - 6;
    for (const [ink, lines] of [[figure, value] as const, [MUTED, label] as const])
      for (const line of lines) {
        setLine(flow, line, { x, y: y - ink.size, ink });
        y -= leading(ink);
      }
  }
  flow.y = top - height - GAP + 2;
}

function setSides(flow: Flow, { left, right }: Extract<PdfBlock, { kind: "sides" }>): void {
  const width = (flow.width - 2 * GAP) / 2;
  const sides = [
    { blocks: left, x: flow.left },
    { blocks: right, x: flow.left + width + 2 * GAP },
  ];
  const heights = sides.map(({ blocks, x }) => {
    const tried = trial({ ...flow, left: x, width });
    setBlocks(tried, blocks);
    return flow.y - tried.y;
  });
  const height = Math.max(...heights);
  if (height > pageRoom(flow)) {
    setBlocks(flow, [...left, ...right]);
    return;
  }
  makeRoom(flow, height);
  for (const { blocks, x } of sides) setBlocks({ ...flow, left: x, width, floor: -Infinity }, blocks);
  flow.y -= height;
}

/** In the order of their numbers, from 1: see PDF 32000-1, 7.3 and 7.5. */
type FileObjects = { parts: Uint8Array[]; offsets: number[]; length: number };

const encoder = new TextEncoder();

const HEADER = new Uint8Array([...encoder.encode("%PDF-1.7\n%"), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a]);

const beginFile = (): FileObjects => ({ parts: [HEADER], offsets: [], length: HEADER.length });

function append(file: FileObjects, part: string | Uint8Array): void {
  const bytes = typeof part === "string" ? encoder.encode(part) : part;
  file.parts.push(bytes);
  file.length += bytes.length;
}

function addObject(file: FileObjects, body: string, number = reserve(file)): string {
  file.offsets[number - 1] = file.length;
  append(file, `${number} 0 obj\n${body}\nendobj\n`);
  return `${number} 0 R`;
}

function addStream(file: FileObjects, deflated: Uint8Array, entries = ""): string {
  const number = reserve(file);
  file.offsets[number - 1] = file.length;
  append(file, `${number} 0 obj\n<< /Filter /FlateDecode /Length ${deflated.length} ${entries} >>\nstream\n`);
  append(file, deflated);
  append(file, "\nendstream\nendobj\n");
  return `${number} 0 R`;
}

function reserve(file: FileObjects): number {
  file.offsets.push(0);
  return file.offsets.length;
}

function endFile(file: FileObjects, { root, info }: { root: string; info: string }): Uint8Array {
  const start = file.length;
  const count = file.offsets.length + 1;
  const entries = file.offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  append(file, `xref\n0 ${count}\n0000000000 65535 f \n${entries}`);
  append(file, `trailer\n<< /Size ${count} /Root ${root} /Info ${info} >>\nstartxref\n${start}\n%%EOF\n`);
  const bytes = new Uint8Array(file.length);
  let at = 0;
  for (const part of file.parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function textValue(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0"));
  return `<feff${units.join("")}>`;
}

const dateValue = (at: number): string => `(D:${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)}Z)`;

async function deflated(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const FOOT: Ink = { size: 8, weight: "regular", color: "muted" };

/** Its text can be selected. Never fails because of what a text contains. */
export async function writePdf(document: PdfDocument): Promise<{ bytes: Uint8Array; pages: number }> {
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

export const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

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
  const info = [
    `/Title ${textValue(writable(title))}`,
    `/Author ${textValue(writable(sender.name))}`,
    `/CreationDate ${dateValue(createdAt)}`,
  ];
  return endFile(file, { root, info: addObject(file, `<< ${info.join(" ")} >>`) });
}

/** See PDF 32000-1, 8.9.5. */
const embedPicture = async (file: FileObjects, { width, height, rgb }: PdfPicture): Promise<string> =>
  addStream(
    file,
    await deflated(rgb),
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
  );

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Ready as it was generated. Texts name glyphs by their numbers; see PDF 32000-1, 9.7. */
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
