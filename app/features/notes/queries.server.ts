import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import type { Note } from "./model";

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

/** More notes than anybody reads; older ones are still in the database. */
const NOTES_LIMIT = 200;

/** The notes on a request, newest first. */
export async function listNotes(db: Db, submissionId: string): Promise<Note[]> {
  const rows = await db
    .select(noteColumns)
    .from(t)
    .where(eq(t.submission_id, submissionId))
    .orderBy(desc(t.created_at), desc(t.id))
    .limit(NOTES_LIMIT);
  return rows.map(({ updatedAt, ...row }) => ({ ...row, edited: updatedAt !== row.createdAt }));
}

/** One note on this very request. Null when there is none: a note is never found by its id alone. */
export async function findNote(db: Db, submissionId: string, noteId: string): Promise<Note | null> {
  const [row] = await db
    .select(noteColumns)
    .from(t)
    .where(and(eq(t.id, noteId), eq(t.submission_id, submissionId)))
    .limit(1);
  if (!row) return null;
  const { updatedAt, ...note } = row;
  return { ...note, edited: updatedAt !== note.createdAt };
}

/** What the live panel calls the request a note is on. Null when there is no such request. */
export async function findNoteSubject(db: Db, submissionId: string): Promise<string | null> {
  const [row] = await db.all<{ name: string }>(
    sql`SELECT first_name || ' ' || last_name AS name FROM contact_submissions WHERE id = ${submissionId}`,
  );
  return row?.name ?? null;
}
