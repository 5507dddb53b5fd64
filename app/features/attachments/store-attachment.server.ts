import { createHash } from "node:crypto";
import type { Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import type { FileParts } from "~/platform/files.server";
import type { FileReceiver } from "~/platform/read-multipart.server";
import { countFiles, type Sender } from "./file-quota.server";
import { inspectionOf } from "./inspect-file.server";
import { type FileRules, safeFileName } from "./model";

/** Describes a file whose bytes are stored and that belongs to nothing yet. */
export type StoredFile = { name: string; key: string; kind: string; size: number; sha256: string };

/** Names what a file belongs to. `messageId`: the message of a ticket that it came with; null: its description. */
type Owner = { subject: Subject; messageId?: string | null };

/** Sets how much of a file is held: R2 takes no smaller part, except the last one. */
export const PART_SIZE = 5 * 1024 * 1024;
/** Sets how much room a file gets at first; most are small. */
const FIRST_ROOM = 64 * 1024;

/**
 * Receives one file and puts it into R2 part by part, so that of each file at most one part is held. What is not of an
 * accepted kind is let go of as soon as that shows, which for most kinds is before anything was stored.
 *
 * The row follows: a row without bytes would be a broken link, bytes without a row are deleted by the job
 * `sweep-orphans` after a day, and parts that nobody puts together by R2 itself after a week.
 */
export function receiveFile(
  { files }: Pick<Ctx, "files">,
  fileName: string,
  { kinds }: Pick<FileRules, "kinds">,
): FileReceiver {
  const key = `att/${crypto.randomUUID()}`;
  const hash = createHash("sha256");
  let inspection = inspectionOf(fileName, kinds);
  let size = 0;
  let part = new Uint8Array(0);
  let filled = 0;
  let parts: FileParts | null = null;
  let isStored = false;

  /** Makes room for more of the part, twice as much each time. */
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
        await files.put(key, part.subarray(0, filled), {});
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

/** Returns the statement that makes a stored file one of a subject. */
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

/**
 * Returns the statements that make stored files those of a ticket: of a message, or of its description. They fail the
 * batch where there is no room for them, see `checkFileRoom`.
 */
export const attachTicketFiles = (
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  files: readonly StoredFile[],
  { ticketId, organizationId, messageId, sender }: TicketFiles,
): Statement[] => [
  ...files.map((file) => attachFile(ctx, file, { subject: { type: "ticket", id: ticketId }, messageId }).statement),
  ...countFiles(ctx, sender, { organizationId, files }),
];
