import { deflateRawSync } from "node:zlib";

/* Small files that are what they say, or only pretend to be. */

export const pdf = (body = "%%EOF") => new TextEncoder().encode(`%PDF-1.7\n${body}`);

export const doc = () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0]);

export type ZipEntry = {
  name: string;
  content?: string | Uint8Array;
  unpackedSize?: number;
  encrypted?: boolean;
  /** Tells whether it is packed as programs do it. */
  deflated?: boolean;
  /** Holds the name in its own header, if that says something else than the directory. */
  localName?: string;
  /** Tells whether it stands in the archive, but not in its directory. */
  isHidden?: boolean;
};

type ZipLies = {
  /** Says how many entries the end record counts, if not those of the directory. */
  declared?: number;
};

/** Builds a ZIP archive with a central directory, byte for byte as APPNOTE describes it (checksums are 0). */
export function zip(entries: readonly ZipEntry[], { declared }: ZipLies = {}): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const local: number[] = [];
  const directory: number[] = [];
  const two = (value: number) => [value & 255, (value >> 8) & 255];
  const four = (value: number) => [...two(value & 0xffff), ...two(Math.floor(value / 65536))];
  for (const { name, content = "x", unpackedSize, encrypted, deflated, localName = name, isHidden } of entries) {
    const nameBytes = encoder.encode(name);
    const localNameBytes = encoder.encode(localName);
    const body = typeof content === "string" ? encoder.encode(content) : content;
    const packed = deflated ? deflateRawSync(body) : body;
    const kind = [...two(encrypted ? 1 : 0), ...two(deflated ? 8 : 0)];
    const sizes = [...four(0), ...four(packed.length), ...four(unpackedSize ?? body.length)];
    const offset = local.length;
    local.push(0x50, 0x4b, 3, 4, ...two(20), ...kind, ...four(0), ...sizes);
    local.push(...two(localNameBytes.length), ...two(0), ...localNameBytes, ...packed);
    if (isHidden) continue;
    directory.push(0x50, 0x4b, 1, 2, ...two(20), ...two(20), ...kind, ...four(0), ...sizes);
    directory.push(...two(nameBytes.length), ...two(0), ...two(0), ...two(0), ...two(0), ...four(0), ...four(offset));
    directory.push(...nameBytes);
  }
  const count = two(declared ?? entries.filter(({ isHidden }) => !isHidden).length);
  const end = [
    0x50,
    0x4b,
    5,
    6,
    ...four(0),
    ...count,
    ...count,
    ...four(directory.length),
    ...four(local.length),
    ...two(0),
  ];
  return new Uint8Array([...local, ...directory, ...end]);
}

const MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** Writes the list of content types of a Word document, with further lines of it. */
export const contentTypes = (further = "", main = MAIN) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/>${further}</Types>`;

/** Writes the relationships of a part: the type of each, and its target. */
export const relationships = (type: string, target = "part.bin") =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`;

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Returns the parts of a small Word document; of those given, each replaces the one of the same name or is added. */
export const docxParts = (changed: readonly ZipEntry[] = []): ZipEntry[] => {
  const parts: ZipEntry[] = [
    { name: "[Content_Types].xml", content: contentTypes(), deflated: true },
    { name: "_rels/.rels", content: relationships(`${OFFICE}/officeDocument`, "word/document.xml"), deflated: true },
    { name: "word/document.xml" },
    { name: "word/_rels/document.xml.rels", content: relationships(`${OFFICE}/styles`, "styles.xml") },
  ];
  const replaced = parts.map((part) => changed.find(({ name }) => name === part.name) ?? part);
  return [...replaced, ...changed.filter(({ name }) => !parts.some((part) => part.name === name))];
};

export const docx = (changed: readonly ZipEntry[] = [], lies: ZipLies = {}) => zip(docxParts(changed), lies);

const SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
const PRESENTATION = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";

/** Builds a workbook. `further`: content type of another part. */
export const xlsx = (further?: string) =>
  zip([
    {
      name: "[Content_Types].xml",
      content: contentTypes(further && `<Override PartName="/xl/x.xml" ContentType="${further}"/>`, SPREADSHEET),
    },
    { name: "xl/workbook.xml" },
  ]);

export const pptx = () =>
  zip([{ name: "[Content_Types].xml", content: contentTypes("", PRESENTATION) }, { name: "ppt/presentation.xml" }]);
