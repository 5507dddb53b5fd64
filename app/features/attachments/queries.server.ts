import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { commit, type Db, type Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/subjects";
import { AUDIT_ACTIONS } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { type NamedSubject, type Subject, type SubjectType, storedSubject } from "~/lib/subject";
import { days } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type Download, download } from "~/platform/responses.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";
import { IMAGE_TYPES } from "./model";

type FoundFile = {
  id: string;
  key: string;
  name: string;
  kind: string;
  size: number;
  subject: Subject;
  messageId: string | null;
};

/** Whether somebody may have it is decided by what it belongs to. */
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

export async function listKeysOf(db: Db, type: SubjectType, ids: SQL): Promise<string[]> {
  const rows = await db
    .select({ key: attachments.r2_key })
    .from(attachments)
    .where(and(eq(attachments.subject_type, type), sql`${attachments.subject_id} in (${ids})`));
  return rows.map(({ key }) => key);
}

async function knownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .select({ key: attachments.r2_key })
    .from(attachments)
    .where(and(keyIn(keys), isNotNull(attachments.subject_id)));
  return new Set(rows.map(({ key }) => key));
}

export const keyIn = (keys: readonly string[]): SQL =>
  sql`${attachments.r2_key} in (select value from json_each(${JSON.stringify(keys)}))`;

/** `deleteOrphans` deletes the bytes afterwards. `ids`: a query for the subjects' ids. */
export const eraseAttachments = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db.delete(attachments).where(sql`${attachments.subject_type} = ${type} AND ${attachments.subject_id} IN (${ids})`);

export async function deleteOrphans(ctx: Pick<Ctx, "db" | "files">, keys: readonly string[]): Promise<number> {
  const known = await knownKeys(ctx.db, keys);
  const orphans = keys.filter((key) => !known.has(key));
  if (orphans.length === 0) return 0;
  await ctx.files.delete(orphans);
  await ctx.db.delete(attachments).where(keyIn(orphans));
  return orphans.length;
}

/**
 * Deletes what has lain under a prefix for a day and has no row: a form that failed has left it, or a run that was cut
 * off, or who it is of was erased. `known`: selects, of keys as JSON, those that are still somebody's as `key`.
 */
export async function sweepFiles(
  { budget, db, files, now }: Pick<Ctx, "budget" | "db" | "files" | "now">,
  prefix: string,
  known: (keys: string) => SQL,
): Promise<{ count: number; more: boolean }> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await files.listOlderThan(prefix, now() - days(1), cursor);
    const kept = new Set((await db.all<{ key: string }>(known(JSON.stringify(page.keys)))).map(({ key }) => key));
    const orphans = page.keys.filter((key) => !kept.has(key));
    if (orphans.length > 0) await files.delete(orphans);
    count += orphans.length;
    cursor = page.cursor;
  } while (cursor && !budget.isUsedUp());
  return { count, more: cursor !== undefined };
}

/** Null: no such file, its bytes are gone, or the actor may not see its subject. `isInline`: an image inside a page. */
export async function downloadAttachment(
  ctx: Ctx,
  actor: SignedIn & Actor,
  attachmentId: string,
  { isInline = false } = {},
): Promise<Download | null> {
  const file = await findFile(ctx.db, attachmentId);
  const subject = file && (await findVisibleSubject(ctx, actor, file.subject));
  return subject && sendFile(ctx, { file, subject, isInline, actorId: actor.userId });
}

type Sent = { file: FoundFile; subject: NamedSubject; isInline: boolean; actorId: string };

/**
 * Without a type, because nobody has scanned it. The audit row of a download is written first; an image is a part of
 * the conversation that shows it.
 */
export async function sendFile(ctx: Ctx, { file, subject, isInline, actorId }: Sent): Promise<Download | null> {
  // Kinds of subjects without such an action have no files.
  const action = AUDIT_ACTIONS.find((known) => known === `${subject.type}.file_downloaded`);
  const contentType = IMAGE_TYPES[file.kind];
  if (!action || (isInline && !contentType)) return null;
  const content = await ctx.files.get(file.key);
  if (!content) return null;
  const { name: fileName, size } = file;
  if (isInline) return download({ fileName, size, content, contentType, isInline });
  const isRecorded = await commit(ctx.db, [
    expectSubject(ctx, subject),
    recordAudit(ctx, action, { subject, meta: { attachment: file.id, actor: actorId } }),
  ]);
  return isRecorded ? download({ fileName, size, content }) : null;
}
