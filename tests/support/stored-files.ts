import type { FileKind } from "~/features/attachments/model";
import { attachFile, type StoredFile } from "~/features/attachments/store-attachment.server";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";

type TestFile = { name: string; kind: FileKind; bytes: Uint8Array };

/** Stores a file, which belongs to nothing yet. */
export async function storeFile(ctx: Pick<Ctx, "files">, { name, kind, bytes }: TestFile): Promise<StoredFile> {
  const key = `att/${crypto.randomUUID()}`;
  await ctx.files.put(key, bytes);
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return { name, key, kind, size: bytes.byteLength, sha256: Buffer.from(digest).toString("hex") };
}

/** Stores a file and returns the statement that makes it one of a subject. */
export const storeAttachment = async (
  ctx: Pick<Ctx, "db" | "files" | "now" | "newId">,
  file: TestFile,
  subject: Subject,
) => attachFile(ctx, await storeFile(ctx, file), { subject });
