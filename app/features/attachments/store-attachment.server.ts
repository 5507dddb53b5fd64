import type { Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { type FileKind, safeFileName } from "./model";

export type CheckedFile = { name: string; kind: FileKind; bytes: Uint8Array<ArrayBuffer> };

/** Describes a file whose bytes are stored and that belongs to nothing yet. */
export type StoredFile = { name: string; key: string; kind: string; size: number; sha256: string };

/** Names what a file belongs to. `messageId`: the message of a ticket that it came with; null: its description. */
type Owner = { subject: Subject; messageId?: string | null };

/**
 * Puts the bytes into R2. The row follows: a row without bytes would be a broken link, bytes without a row are deleted
 * by the job `sweep-orphans` after a day.
 */
export async function storeFile(
  { files }: Pick<Ctx, "files">,
  { name, kind, bytes }: CheckedFile,
): Promise<StoredFile> {
  const key = `att/${crypto.randomUUID()}`;
  await files.put(key, bytes, {});
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const sha256 = Buffer.from(digest).toString("hex");
  return { name: safeFileName(name), key, kind, size: bytes.byteLength, sha256 };
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

/** Stores a file and returns the statement that makes it one of a subject. */
export const storeAttachment = async (
  ctx: Pick<Ctx, "db" | "files" | "now" | "newId">,
  file: CheckedFile,
  subject: Subject,
) => attachFile(ctx, await storeFile(ctx, file), { subject });

/** Returns the statements that make stored files those of a ticket: of a message, or of its description. */
export const attachTicketFiles = (
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  files: readonly StoredFile[],
  { ticketId, messageId }: { ticketId: string; messageId: string | null },
): Statement[] =>
  files.map((file) => attachFile(ctx, file, { subject: { type: "ticket", id: ticketId }, messageId }).statement);
