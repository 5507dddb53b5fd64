import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import { type Subject, type SubjectType, storedSubject } from "~/lib/subject";

export type FoundFile = {
  id: string;
  key: string;
  name: string;
  kind: string;
  size: number;
  subject: Subject;
  /** Names the message of the ticket that it came with. */
  messageId: string | null;
};

/** Finds a file that belongs to something. Whether somebody may have it is decided by what it belongs to. */
export async function findFile(db: Db, attachmentId: string): Promise<FoundFile | null> {
  const [row] = await db
    .select({
      id: attachments.id,
      key: attachments.r2_key,
      name: attachments.name,
      kind: attachments.kind,
      size: attachments.size,
      messageId: attachments.message_id,
      subjectType: attachments.subject_type,
      subjectId: attachments.subject_id,
    })
    .from(attachments)
    .where(eq(attachments.id, attachmentId))
    .limit(1);
  if (!row) return null;
  const { subjectType, subjectId, ...file } = row;
  const subject = storedSubject(subjectType, subjectId);
  return subject && { ...file, subject };
}

/** Returns the storage keys of the files of subjects. `ids`: a query for ids. */
export async function listKeysOf(db: Db, type: SubjectType, ids: SQL): Promise<string[]> {
  const rows = await db
    .select({ key: attachments.r2_key })
    .from(attachments)
    .where(and(eq(attachments.subject_type, type), sql`${attachments.subject_id} in (${ids})`));
  return rows.map(({ key }) => key);
}

/** Returns which of these storage keys belong to a file of some subject. */
export async function knownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .select({ key: attachments.r2_key })
    .from(attachments)
    .where(and(keyIn(keys), isNotNull(attachments.subject_id)));
  return new Set(rows.map(({ key }) => key));
}

/** Returns the condition that a file has one of these keys, which are one parameter however many there are. */
export const keyIn = (keys: readonly string[]): SQL =>
  sql`${attachments.r2_key} in (select value from json_each(${JSON.stringify(keys)}))`;
