import { fail, ok, type Result } from "~/lib/result";

/** Limits the size of the one document the contact form takes. */
export const CONTACT_FILE_MAX_BYTES = 5 * 1024 * 1024;

export type DocumentKind = "pdf" | "doc" | "docx";

/**
 * Returns a file's name as it is stored: no folders, no control or direction-changing characters, at most
 * 120 characters.
 */
export function safeFileName(name: string): string {
  const base = name.normalize("NFKC").split(/[/\\]/).at(-1) ?? "";
  const clean = base.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  if (clean.length <= 120) return clean || "document";
  const extension = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? "";
  return clean.slice(0, 120 - extension.length) + extension;
}

/**
 * Decides by the last extension and by the bytes whether this is a document we take. The type a browser declares is
 * ignored: it is whatever the sender says.
 */
export function inspectDocument(name: string, bytes: Uint8Array): Result<DocumentKind, "file_rejected"> {
  if (bytes.byteLength === 0 || bytes.byteLength > CONTACT_FILE_MAX_BYTES) return fail("file_rejected");
  const extension = /\.([a-z]+)$/i.exec(safeFileName(name))?.[1]?.toLowerCase();
  if (extension === "pdf" && startsWith(bytes, [0x25, 0x50, 0x44, 0x46, 0x2d])) return ok("pdf");
  if (extension === "doc" && startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) return ok("doc");
  if (extension === "docx" && isWordPackage(bytes)) return ok("docx");
  return fail("file_rejected");
}

const startsWith = (bytes: Uint8Array, signature: number[]) => signature.every((byte, index) => bytes[index] === byte);

const MAX_ENTRIES = 2_000;
const MAX_UNPACKED = 50 * 1024 * 1024;

/**
 * Tells whether a ZIP archive is a Word document without macros. Reads only its central directory (APPNOTE 4.3.12) and
 * unpacks nothing, so a zip bomb costs nothing and is refused by the sizes it declares.
 */
function isWordPackage(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEndOfDirectory(view);
  if (end < 0) return false;
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (entries > MAX_ENTRIES) return false;
  let unpacked = 0;
  let hasTypes = false;
  let hasWord = false;
  for (let entry = 0; entry < entries; entry += 1) {
    if (at + 46 > bytes.byteLength || view.getUint32(at, true) !== 0x02014b50) return false;
    const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
    unpacked += view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const isTraversal = name.startsWith("/") || name.split(/[/\\]/).includes("..");
    if (isEncrypted || isTraversal || unpacked > MAX_UNPACKED || /vbaProject\.bin$/i.test(name)) return false;
    hasTypes ||= name === "[Content_Types].xml";
    hasWord ||= name.startsWith("word/");
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return hasTypes && hasWord;
}

/** Finds the end-of-central-directory record, which is in the last 65,557 bytes. Returns -1 when there is none. */
function findEndOfDirectory(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 65_557);
  for (let at = view.byteLength - 22; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  return -1;
}
