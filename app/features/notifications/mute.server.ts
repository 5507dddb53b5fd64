import { sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { mutedSubjects } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import type { Subject } from "~/lib/subject";

type Mute = { subject: Subject; userId: string };

/** Tells whether somebody wants to hear nothing of a subject. */
export async function isMuted(db: Db, { subject: { type, id }, userId }: Mute): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM muted_subjects
    WHERE subject_type = ${type} AND subject_id = ${id} AND user_id = ${userId}`);
  return rows.length > 0;
}

/** Keeps somebody from hearing of a subject, also by mails that wait, or lets them hear of it again. */
export async function setMuted(db: Db, { subject: { type, id }, userId }: Mute, muted: boolean): Promise<void> {
  const isThis = sql`subject_type = ${type} AND subject_id = ${id} AND user_id = ${userId}`;
  if (!muted) return void (await db.delete(mutedSubjects).where(isThis));
  await commit(db, [
    db.insert(mutedSubjects).values({ subject_type: type, subject_id: id, user_id: userId }).onConflictDoNothing(),
    db.delete(outbox).where(sql`${isThis} AND status = 'pending'`),
  ]);
}
