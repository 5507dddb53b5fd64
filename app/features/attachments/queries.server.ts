import { eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import { contactSubmissions } from "~/db/schema/submissions";

export type StoredFile = { id: string; key: string; name: string; size: number; submissionId: string };

/** A file that belongs to a contact request; staff may see all of those. Null for any other file, known or not. */
export async function findSubmissionFile(db: Db, attachmentId: string): Promise<StoredFile | null> {
  const [row] = await db
    .select({
      id: attachments.id,
      key: attachments.r2_key,
      name: attachments.name,
      size: attachments.size,
      submissionId: sql<string>`${contactSubmissions.id}`.as("submission_id"),
    })
    .from(attachments)
    .innerJoin(contactSubmissions, eq(contactSubmissions.attachment_id, attachments.id))
    .where(eq(attachments.id, attachmentId))
    .limit(1);
  return row ?? null;
}

/** Which of these storage keys belong to a file that is known. */
export async function knownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .select({ key: attachments.r2_key })
    .from(attachments)
    .where(sql`${attachments.r2_key} in (select value from json_each(${JSON.stringify(keys)}))`);
  return new Set(rows.map(({ key }) => key));
}
