import { and, asc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "~/db/client.server";
import { archives } from "~/db/schema/archives";
import { erasures } from "~/db/schema/infrastructure";
import { liveEvents } from "~/db/schema/live";
import { attachments } from "~/db/schema/subjects";
import { eraseAttachments, keyIn } from "~/features/attachments/queries.server";
import { eraseAuditLabels } from "~/features/audit/record-audit.server";
import { eraseMail } from "~/features/mail/enqueue-mail.server";
import { eraseNotes } from "~/features/notes/queries.server";
import { eraseNotifications } from "~/features/notifications/queries.server";
import { type Subject, type SubjectType, storedSubject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { eraseHolds } from "./legal-hold.server";

const eraseLiveEvents = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db.delete(liveEvents).where(sql`${liveEvents.subject_type} = ${type} AND ${liveEvents.subject_id} IN (${ids})`);

/** Their names in the audit events stay. `ids`: a query for ids. */
export const eraseTexts = (db: Db, type: SubjectType, ids: SQL): Statement[] => [
  eraseNotes(db, type, ids),
  eraseLiveEvents(db, type, ids),
  ...eraseNotifications(db, type, ids),
  eraseAuditLabels(db, type, ids),
  eraseHolds(db, type, ids),
];

/**
 * For the batch that deletes the subjects; what may be very much goes later, see `rememberRest`. A feature that stores
 * something about subjects adds its statement here.
 */
export const eraseSubjects = (db: Db, type: SubjectType, ids: SQL): Statement[] => [
  ...eraseTexts(db, type, ids),
  eraseAttachments(db, type, ids),
  eraseMail(db, type, ids),
];

/**
 * What is erased must be gone from archives, too. By default from all of them: who is erased may be in any. The job
 * that makes them deletes their files.
 */
export const endArchives = (db: Db, organizationId?: string): Statement =>
  db
    .update(archives)
    .set({ state: "ended" })
    .where(
      organizationId === undefined
        ? ne(archives.state, "ended")
        : inArray(archives.organization_id, ["", organizationId]),
    );

const FILES_AT_ONCE = 200;
const MAX_SUBJECTS = 20;
const MAX_ROUNDS = 50;

type RestContext = Pick<Ctx, "budget" | "db" | "files">;

export const rememberRest = ({ db, now }: Pick<Ctx, "db" | "now">, { type, id }: Subject): Statement =>
  db.insert(erasures).values({ subject_type: type, subject_id: id, created_at: now() }).onConflictDoNothing();

/** Each step may be repeated, and a subject is forgotten only when nothing of it is left: the next run goes on. */
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

/** First the bytes, then the rows, which name what is left to delete. */
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
