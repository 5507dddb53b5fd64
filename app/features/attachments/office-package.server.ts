import { unpack, type ZipEntry, zipEntries } from "./zip-archive.server";

const MAX_ENTRIES = 2_000;
const MAX_UNPACKED = 50 * 1024 * 1024;
/** Limits what is unpacked to be read: content types and relationships, which are a few kilobytes. */
const MAX_READ = 4 * 1024 * 1024;

const CONTENT_TYPES = "[content_types].xml";

/** Holds what tells the packages apart: the folder of their parts, and the type of the main one, in lower case. */
const PACKAGES = {
  docx: {
    folder: "word/",
    mainType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
  },
  xlsx: { folder: "xl/", mainType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml" },
  pptx: {
    folder: "ppt/",
    mainType: "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
  },
} as const;

type OfficePackage = keyof typeof PACKAGES;

/**
 * Matches what Office calls parts with macros, in content types and in types of relationships (MS-OFFMACRO2); sheets
 * with macros are those of Excel 4.
 */
const MACROS = /macroenabled|vbaproject|vbadata|ms-word\.vba|macrosheet/;

/**
 * Tells whether an archive is a document, a workbook or a presentation without macros. Office finds macros by content
 * types and relationships, whatever the part is called, so these are read; of all other parts only names and sizes.
 */
export function isOfficePackage(bytes: Uint8Array, kind: OfficePackage): boolean {
  const { folder, mainType } = PACKAGES[kind];
  const entries = zipEntries(bytes, MAX_ENTRIES);
  if (!entries?.every(isAcceptable) || totalSize(entries) > MAX_UNPACKED) return false;
  const names = entries.map(({ name }) => name.toLowerCase());
  // Names of parts ignore case: of two that differ only in it, nobody knows which one Office would read.
  if (new Set(names).size !== names.length || !names.some((name) => name.startsWith(folder))) return false;
  const types = entries.filter((_, index) => names[index] === CONTENT_TYPES);
  const relationships = entries.filter((_, index) => names[index]?.endsWith(".rels"));
  if (totalSize([...types, ...relationships]) > MAX_READ) return false;
  const contentTypes = attributesOf(types, "ContentType");
  const relationshipTypes = attributesOf(relationships, "Type");
  if (!contentTypes || !relationshipTypes) return false;
  return contentTypes.includes(mainType) && ![...contentTypes, ...relationshipTypes].some((type) => MACROS.test(type));
}

const totalSize = (entries: readonly ZipEntry[]) => entries.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0);

const isAcceptable = ({ name, isEncrypted }: ZipEntry) =>
  !isEncrypted && !name.startsWith("/") && !name.split(/[/\\]/).includes("..") && !/vbaProject\.bin$/i.test(name);

/** Returns the values of an attribute in XML parts, in lower case; null if one of them cannot be read for certain. */
function attributesOf(parts: readonly ZipEntry[], attribute: string): string[] | null {
  const pattern = new RegExp(`[\\s"']${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");
  const texts = parts.map(xmlOf);
  if (texts.includes(null)) return null;
  return texts.flatMap((xml) =>
    [...(xml ?? "").matchAll(pattern)].map(([, double, single]) =>
      withoutReferences(double ?? single ?? "").toLowerCase(),
    ),
  );
}

/**
 * Returns the text of an XML part; null for one in another encoding than Unicode, and for one with a document type,
 * which could define names for parts of a value. The standard of these packages (ECMA-376-2) allows neither.
 */
function xmlOf(entry: ZipEntry): string | null {
  const bytes = unpack(entry);
  if (!bytes) return null;
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? "utf-8";
  return text.includes("\0") || text.includes("<!DOCTYPE") || !/^utf-(8|16)$/i.test(declared) ? null : text;
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Replaces numeric character references, by which a value could be written differently. */
const withoutReferences = (value: string) =>
  value.replace(/&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
