import { and, asc, eq, sql } from "drizzle-orm";
import { commit, type Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import { erasures } from "~/db/schema/infrastructure";
import { keyIn } from "~/features/attachments/queries.server";
import { eraseMail } from "~/features/mail/erase-mail.server";
import { type Subject, storedSubject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";

/** Limits the files that are deleted at a time, and the subjects and files of one run. */
const FILES_AT_ONCE = 200;
const MAX_SUBJECTS = 20;
const MAX_ROUNDS = 50;

type RestContext = Pick<Ctx, "budget" | "db" | "files">;

/** Returns the statement that notes for later that files and mails about a deleted subject are still there. */
export const rememberRest = ({ db, now }: Pick<Ctx, "db" | "now">, { type, id }: Subject): Statement =>
  db.insert(erasures).values({ subject_type: type, subject_id: id, created_at: now() }).onConflictDoNothing();

/**
 * Deletes the files and the unsent mails of deleted subjects. Each step may be repeated, and a subject is forgotten
 * only when nothing of it is left: an interrupted run is continued by the next one.
 */
export async function eraseRestOfSubjects(ctx: RestContext): Promise<{ count: number; more: boolean }> {
  const waiting = await ctx.db.select().from(erasures).orderBy(asc(erasures.created_at)).limit(MAX_SUBJECTS);
  let rounds = MAX_ROUNDS;
  let count = 0;
  for (const row of waiting) {
    const subject = storedSubject(row.subject_type, row.subject_id);
    if (!subject) continue;
    await commit(ctx.db, [eraseMail(ctx.db, subject.type, sql`SELECT ${subject.id}`)]);
    for (; ; rounds -= 1) {
      if ((await deleteSomeFiles(ctx, subject)) < FILES_AT_ONCE) break;
      if (rounds === 0 || ctx.budget.isUsedUp()) return { count, more: true };
    }
    await ctx.db
      .delete(erasures)
      .where(and(eq(erasures.subject_type, subject.type), eq(erasures.subject_id, subject.id)));
    count += 1;
    if (ctx.budget.isUsedUp()) return { count, more: true };
  }
  return { count, more: waiting.length === MAX_SUBJECTS };
}

/** Deletes some files of a subject: first the bytes, then the rows, which name what is left to delete. */
async function deleteSomeFiles({ db, files }: RestContext, { type, id }: Subject): Promise<number> {
  const rows = await db
    .select({ key: attachments.r2_key })
    .from(attachments)
    .where(and(eq(attachments.subject_type, type), eq(attachments.subject_id, id)))
    .limit(FILES_AT_ONCE);
  const keys = rows.map(({ key }) => key);
  if (keys.length === 0) return 0;
  await files.delete(keys);
  await db.delete(attachments).where(keyIn(keys));
  return keys.length;
}
