import { fail, ok, type Result } from "~/lib/result";
import { CONTACT_FILE_MAX_BYTES, type DocumentKind, safeFileName } from "./model";
import { isWordPackage } from "./word-package.server";

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
