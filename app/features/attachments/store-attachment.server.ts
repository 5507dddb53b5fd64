import { createHash } from "node:crypto";
import type { Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/subjects";
import { fail, ok, type Result } from "~/lib/errors";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import type { FileParts } from "~/platform/files.server";
import type { FileReceiver } from "~/platform/read-multipart.server";
import { countFiles, type Sender } from "./file-quota.server";
import { extensionsOf, type FileKind, type FileRules, safeFileName } from "./model";

/** `accepts` gets each piece of it; false: it is not what its name says. */
type Inspection = {
  kind: FileKind;
  accepts: (bytes: Uint8Array) => boolean;
  acceptsEnd: () => boolean;
};

const ZIP = "PK\x03\x04";
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/**
 * One character per byte; a dot is any byte. Null: text. Office files are not looked through: none is ever opened here.
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

/** Of a file that its reader looks into itself. */
const ANYTHING: Inspection = { kind: "txt", accepts: () => true, acceptsEnd: () => true };

/** By its last extension and its bytes; what a browser declares is ignored. Null: such names are not taken. */
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

/** NUL is in no text, but in most programs. */
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

export function inspectFile(
  name: string,
  bytes: Uint8Array,
  { maxSize, kinds }: Pick<FileRules, "maxSize" | "kinds">,
): Result<FileKind, "file_rejected"> {
  if (bytes.byteLength === 0 || bytes.byteLength > maxSize) return fail("file_rejected");
  const inspection = inspectionOf(name, kinds);
  return inspection?.accepts(bytes) && inspection.acceptsEnd() ? ok(inspection.kind) : fail("file_rejected");
}

export type StoredFile = { name: string; key: string; kind: string; size: number; sha256: string };

/** `messageId`: the message of a ticket that it came with; null: its description. */
type Owner = { subject: Subject; messageId?: string | null };

/** Sets how much of a file is held: R2 takes no smaller part, except the last one. */
export const PART_SIZE = 5 * 1024 * 1024;
const FIRST_ROOM = 64 * 1024;

/**
 * Part by part, so that of each file at most one part is held. The row follows: bytes without one are deleted by the
 * job `sweep-orphans` after a day, unfinished parts by R2 after a week. `kinds`: null: whatever it is.
 */
export function receiveFile(
  { files }: Pick<Ctx, "files">,
  fileName: string,
  { kinds, folder = "att" }: { kinds: FileRules["kinds"] | null; folder?: string },
): FileReceiver {
  const key = `${folder}/${crypto.randomUUID()}`;
  const hash = createHash("sha256");
  let inspection = kinds ? inspectionOf(fileName, kinds) : ANYTHING;
  let size = 0;
  let part = new Uint8Array(0);
  let filled = 0;
  let parts: FileParts | null = null;
  let isStored = false;

  function makeRoom(wanted: number): void {
    if (wanted <= part.length) return;
    const larger = new Uint8Array(Math.min(PART_SIZE, Math.max(wanted, FIRST_ROOM, part.length * 2)));
    larger.set(part.subarray(0, filled));
    part = larger;
  }

  async function storePart(): Promise<void> {
    parts ??= await files.putParts(key);
    await parts.add(part.subarray(0, filled));
    filled = 0;
  }

  async function abort(): Promise<void> {
    inspection = null;
    part = new Uint8Array(0);
    const stored = parts;
    parts = null;
    await stored?.abort();
    if (isStored) await files.delete([key]);
  }

  return {
    write: async (bytes) => {
      if (!inspection) return;
      if (!inspection.accepts(bytes)) return abort();
      hash.update(bytes);
      size += bytes.byteLength;
      for (let rest = bytes; rest.byteLength > 0; ) {
        if (filled === PART_SIZE) await storePart();
        const next = rest.subarray(0, PART_SIZE - filled);
        makeRoom(filled + next.byteLength);
        part.set(next, filled);
        filled += next.byteLength;
        rest = rest.subarray(next.byteLength);
      }
    },
    end: async () => {
      if (inspection && size === 0) return { fileName, error: "empty" };
      if (!inspection?.acceptsEnd()) {
        await abort();
        return { fileName, error: "not_accepted" };
      }
      if (parts) {
        await storePart();
        await parts.complete();
      } else {
        await files.put(key, part.subarray(0, filled));
      }
      parts = null;
      isStored = true;
      part = new Uint8Array(0);
      const { kind } = inspection;
      return { fileName: safeFileName(fileName), error: null, key, kind, size, sha256: hash.digest("hex") };
    },
    abort,
  };
}

export function attachFile(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  { key, ...file }: StoredFile,
  { subject, messageId = null }: Owner,
): { id: string; statement: Statement } {
  const id = ctx.newId("att");
  const statement = ctx.db.insert(attachments).values({
    ...file,
    id,
    r2_key: key,
    created_at: ctx.now(),
    subject_type: subject.type,
    subject_id: subject.id,
    message_id: messageId,
  });
  return { id, statement };
}

type TicketFiles = { ticketId: string; organizationId: string; messageId: string | null; sender: Sender };

/** They fail the batch where there is no room, see `checkFileRoom`. */
export const attachTicketFiles = (
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  files: readonly StoredFile[],
  { ticketId, organizationId, messageId, sender }: TicketFiles,
): Statement[] => [
  ...files.map((file) => attachFile(ctx, file, { subject: { type: "ticket", id: ticketId }, messageId }).statement),
  ...countFiles(ctx, sender, { organizationId, files }),
];
