import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { Db, Statement } from "~/db/client.server";
import { adminNotes } from "~/db/schema/subjects";
import type { Subject, SubjectType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { ListedNote, Note } from "./model";

const t = adminNotes;

const noteColumns = {
  id: t.id,
  authorId: t.admin_user_id,
  author: t.author_name,
  text: t.note,
  createdAt: t.created_at,
  updatedAt: t.updated_at,
  version: t.version,
};

const NEWEST: { limit: number; before: Instant | null } = { limit: 200, before: null };

const isAbout = ({ type, id }: Subject) => and(eq(t.subject_type, type), eq(t.subject_id, id));

/** Newest first. */
export async function listNotes(db: Db, subject: Subject, { limit, before } = NEWEST): Promise<Note[]> {
  const rows = await db
    .select(noteColumns)
    .from(t)
    .where(and(isAbout(subject), before === null ? undefined : lt(t.created_at, before)))
    .orderBy(desc(t.created_at), desc(t.id))
    .limit(limit);
  return rows.map(({ updatedAt, ...row }) => ({ ...row, edited: updatedAt !== row.createdAt }));
}

/** A note is never found by its id alone. */
export async function findNote(db: Db, subject: Subject, noteId: string): Promise<Note | null> {
  const [row] = await db
    .select(noteColumns)
    .from(t)
    .where(and(eq(t.id, noteId), isAbout(subject)))
    .limit(1);
  if (!row) return null;
  const { updatedAt, ...note } = row;
  return { ...note, edited: updatedAt !== note.createdAt };
}

export const listedNote = (actor: Actor, note: Note): ListedNote => ({
  ...note,
  mayEdit: can(actor, "note.edit", { ownerId: note.authorId }),
  mayDelete: can(actor, "note.delete", { ownerId: note.authorId }),
});

/** `ids`: a query for ids. */
export const eraseNotes = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db.delete(adminNotes).where(sql`${adminNotes.subject_type} = ${type} AND ${adminNotes.subject_id} IN (${ids})`);
