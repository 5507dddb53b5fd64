import { fail, ok, type Result } from "~/lib/result";
import { extensionsOf, type FileKind, type FileRules, safeFileName } from "./model";

/** Judges a file while it arrives. `accepts` gets each piece of it; false: it is not what its name says. */
type Inspection = {
  kind: FileKind;
  accepts: (bytes: Uint8Array) => boolean;
  /** Tells whether all of it was what its name says. */
  acceptsEnd: () => boolean;
};

const ZIP = "PK\x03\x04";
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/**
 * Holds what the files of a kind begin with, one character per byte; any byte stands for a dot. Null: they are text.
 * What an Office file contains is not looked through: nothing of a file is ever opened on this site.
 */
const SIGNATURES: Record<FileKind, readonly string[] | null> = {
  pdf: ["%PDF-"],
  doc: [COMPOUND_FILE],
  xls: [COMPOUND_FILE],
  ppt: [COMPOUND_FILE],
  docx: [ZIP],
  xlsx: [ZIP],
  pptx: [ZIP],
  txt: null,
  log: null,
  csv: null,
  png: ["\x89PNG\r\n\x1a\n"],
  jpg: ["\xff\xd8\xff"],
  gif: ["GIF87a", "GIF89a"],
  webp: ["RIFF....WEBP"],
};

const LONGEST_SIGNATURE = 12;

/**
 * Begins to judge a file: by its last extension, and by its bytes. The type a browser declares is ignored, as it is
 * whatever the sender says. Null: files with such a name are not taken.
 */
export function inspectionOf(name: string, kinds: readonly FileKind[]): Inspection | null {
  const extension = /\.([a-z]+)$/i.exec(safeFileName(name))?.[1]?.toLowerCase() ?? "";
  const kind = kinds.find((each) => extensionsOf(each).includes(extension));
  if (!kind) return null;
  const signatures = SIGNATURES[kind];
  return { kind, ...(signatures ? signatureInspection(signatures) : textInspection()) };
}

function signatureInspection(signatures: readonly string[]): Omit<Inspection, "kind"> {
  let head = "";
  const acceptsEnd = () =>
    signatures.some((signature) => [...signature].every((byte, at) => byte === "." || byte === head[at]));
  return {
    accepts: (bytes) => {
      const missing = LONGEST_SIGNATURE - head.length;
      if (missing > 0) head += String.fromCharCode(...bytes.subarray(0, missing));
      return head.length < LONGEST_SIGNATURE || acceptsEnd();
    },
    acceptsEnd,
  };
}

/** Judges text in UTF-8. NUL is in no text, but in most programs. */
function textInspection(): Omit<Inspection, "kind"> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decodes = (bytes?: Uint8Array) => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
      return true;
    } catch {
      return false;
    }
  };
  return { accepts: (bytes) => !bytes.includes(0) && decodes(bytes), acceptsEnd: () => decodes() };
}

/** Judges a file that is held as a whole. */
export function inspectFile(
  name: string,
  bytes: Uint8Array,
  { maxSize, kinds }: Pick<FileRules, "maxSize" | "kinds">,
): Result<FileKind, "file_rejected"> {
  if (bytes.byteLength === 0 || bytes.byteLength > maxSize) return fail("file_rejected");
  const inspection = inspectionOf(name, kinds);
  return inspection?.accepts(bytes) && inspection.acceptsEnd() ? ok(inspection.kind) : fail("file_rejected");
}
