import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { claimKey, commit, expectChange, expectRow, findClaim } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Subject } from "~/lib/subject";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";
import { NOTE_REQUIRED, NOTE_TOO_LONG } from "./labels";
import { NOTE_MAX } from "./model";
import { findNote } from "./queries.server";

const note = z.string().default("").pipe(z.string().trim().min(1, NOTE_REQUIRED).max(NOTE_MAX, NOTE_TOO_LONG));

export const NewNoteForm = z.object({ note });

/** `version` is the one the person has read; later changes are shown to them first. */
export const EditNoteForm = z.object({
  note,
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

type NewNote = { subject: Subject; note: string; nonce: string };

/** Its text is for those who open it: staff are told that there is one. The same form posted again gets the same id. */
export async function addNote(
  ctx: Ctx,
  actor: SignedIn & Actor,
  { subject, note, nonce }: NewNote,
): Promise<Result<string, "subject_not_found">> {
  const found = await findVisibleSubject(ctx, actor, subject);
  if (!found) return fail("subject_not_found");
  const at = ctx.now();
  const id = ctx.newId("note");
  // A page that could not be read again has the same token for what is written next.
  const key = `${nonce}:${fingerprintOf(note)}`;
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: "note-add", resultLocation: id, at }),
    expectSubject(ctx, subject),
    ctx.db.insert(adminNotes).values({
      id,
      subject_type: subject.type,
      subject_id: subject.id,
      admin_user_id: actor.userId,
      author_name: actor.fullName,
      note,
      created_at: at,
      updated_at: at,
    }),
    recordAudit(ctx, "note.added", { subject: found, meta: { note: id } }),
    recordLiveEvent(ctx, { audience: "staff", type: "new_note", subject, label: found.label }),
  ]);
  if (written) {
    ctx.after(ctx.live.notify("staff"));
    return ok(id);
  }
  const claimed = await findClaim(ctx.db, key, "note-add");
  return claimed === null ? fail("subject_not_found") : ok(claimed);
}

type Edit = {
  subject: Subject;
  noteId: string;
  note: string;
  version: number;
  nonce: string;
};

/** The audit keeps the text before. */
export async function editNote(
  ctx: Ctx,
  actor: Actor,
  { subject, noteId, note, version, nonce }: Edit,
): Promise<Result<null, "note_not_found" | "note_changed">> {
  const [found, before] = await Promise.all([
    findVisibleSubject(ctx, actor, subject),
    findNote(ctx.db, subject, noteId),
  ]);
  if (!found || !before || !can(actor, "note.edit", { ownerId: before.authorId })) return fail("note_not_found");
  const unchangedRow = and(eq(adminNotes.id, noteId), eq(adminNotes.version, version));
  // An edit in the millisecond of the creation must still count: `edited` compares the two times.
  const at = Math.max(ctx.now(), before.createdAt + 1);
  // Where the answer to a form was lost, its token comes again, perhaps with another text.
  const key = `${nonce}:${fingerprintOf(note)}`;
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: "note-edit", resultLocation: noteId, at }),
    expectRow(ctx.db, adminNotes, unchangedRow),
    ctx.db
      .update(adminNotes)
      .set({ note, updated_at: at, version: sql`${adminNotes.version} + 1` })
      .where(unchangedRow),
    recordAudit(ctx, "note.edited", { subject: found, meta: { note: noteId, before: before.text } }),
  ]);
  if (written || (await findClaim(ctx.db, key, "note-edit"))) return ok(null);
  return fail("note_changed");
}

type Deletion = { subject: Subject; noteId: string; nonce: string };

/** Everyone their own, an admin any. A note that is not theirs to delete is not found. */
export async function deleteNote(
  ctx: Ctx,
  actor: Actor,
  { subject, noteId, nonce }: Deletion,
): Promise<Result<null, "note_not_found">> {
  const [found, note] = await Promise.all([findVisibleSubject(ctx, actor, subject), findNote(ctx.db, subject, noteId)]);
  // The first post of the same form has deleted it.
  if (found && !note && (await findClaim(ctx.db, nonce, "note-delete")) !== null) return ok(null);
  if (!found || !note || !can(actor, "note.delete", { ownerId: note.authorId })) return fail("note_not_found");
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "note-delete", resultLocation: subject.id, at: ctx.now() }),
    ctx.db.delete(adminNotes).where(eq(adminNotes.id, noteId)),
    expectChange(ctx.db),
    recordAudit(ctx, "note.deleted", { subject: found, meta: { note: noteId } }),
  ]);
  if (!written && (await findClaim(ctx.db, nonce, "note-delete")) === null) return fail("note_not_found");
  return ok(null);
}
