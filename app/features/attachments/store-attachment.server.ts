import type { Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { type DocumentKind, safeFileName } from "./model";

export type CheckedFile = { name: string; kind: DocumentKind; bytes: Uint8Array<ArrayBuffer> };

/**
 * Puts the bytes into R2 and returns the statement that makes them a file of a subject. The order matters: a row
 * without bytes would be a broken link, bytes without a row are deleted by the job `sweep-orphans` after a day.
 */
export async function storeAttachment(
  ctx: Pick<Ctx, "db" | "files" | "now" | "newId">,
  file: CheckedFile,
  subject: Subject,
): Promise<{ id: string; statement: Statement }> {
  const id = ctx.newId("att");
  const key = `att/${crypto.randomUUID()}`;
  const name = safeFileName(file.name);
  await ctx.files.put(key, file.bytes, { attachment: id });
  const digest = await crypto.subtle.digest("SHA-256", file.bytes);
  const statement = ctx.db.insert(attachments).values({
    id,
    r2_key: key,
    name,
    kind: file.kind,
    size: file.bytes.byteLength,
    sha256: Buffer.from(digest).toString("hex"),
    created_at: ctx.now(),
    subject_type: subject.type,
    subject_id: subject.id,
  });
  return { id, statement };
}
