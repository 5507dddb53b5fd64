import { assertNever } from "~/lib/assert";
import { fail, ok, type Result } from "~/lib/result";
import { CONTACT_FILES, extensionsOf, type FileKind, type FileRules, safeFileName } from "./model";
import { isOfficePackage } from "./office-package.server";

/**
 * Decides by the last extension and by the bytes whether this is a file we take, and of which kind. The type a browser
 * declares is ignored: it is whatever the sender says.
 */
export function inspectFile(
  name: string,
  bytes: Uint8Array,
  { maxSize, kinds }: Pick<FileRules, "maxSize" | "kinds">,
): Result<FileKind, "file_rejected"> {
  if (bytes.byteLength === 0 || bytes.byteLength > maxSize) return fail("file_rejected");
  const extension = /\.([a-z]+)$/i.exec(safeFileName(name))?.[1]?.toLowerCase() ?? "";
  const kind = kinds.find((each) => extensionsOf(each).includes(extension));
  return kind && isOfKind(kind, bytes) ? ok(kind) : fail("file_rejected");
}

/** Decides whether the contact form takes a file. */
export const inspectDocument = (name: string, bytes: Uint8Array) => inspectFile(name, bytes, CONTACT_FILES);

function isOfKind(kind: FileKind, bytes: Uint8Array): boolean {
  switch (kind) {
    case "pdf":
      return startsWith(bytes, "%PDF-");
    case "doc":
    case "xls":
    case "ppt":
      return startsWith(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    case "docx":
    case "xlsx":
    case "pptx":
      return isOfficePackage(bytes, kind);
    case "txt":
    case "log":
    case "csv":
      return isText(bytes);
    case "png":
      return startsWith(bytes, "\x89PNG\r\n\x1a\n");
    case "jpg":
      return startsWith(bytes, "\xff\xd8\xff");
    case "gif":
      return startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a");
    case "webp":
      return startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP");
    default:
      return assertNever(kind);
  }
}

/** Tells whether bytes begin with a signature, which has one character per byte. */
const startsWith = (bytes: Uint8Array, signature: string) =>
  [...signature].every((character, index) => bytes[index] === character.charCodeAt(0));

/** Tells whether bytes are text in UTF-8. NUL is in no text, but in most programs. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
