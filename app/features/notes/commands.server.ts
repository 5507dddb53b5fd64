import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { expectChange } from "~/db/client.server";
import { adminNotes } from "~/db/schema/subjects";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { Subject } from "~/lib/subject";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { versionField } from "~/platform/form-actions.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";
import { NOTE_REQUIRED, NOTE_TOO_LONG } from "./labels";
import { NOTE_MAX } from "./model";
import { findNote } from "./queries.server";

const note = z.string().default("").pipe(z.string().trim().min(1, NOTE_REQUIRED).max(NOTE_MAX, NOTE_TOO_LONG));

export const NewNoteForm = z.object({ note });

/** `version` is the one the person has read; later changes are shown to them first. */
export const EditNoteForm = z.object({
  note,
  version: versionField,
});

/** Its text is for those who open it: staff are told that there is one. The same form posted again gets the same id. */
export function addNote(
  ctx: Ctx,
  actor: SignedIn & Actor,
  { subject, note, nonce }: { subject: Subject; note: string; nonce: string },
): Promise<Result<string, "subject_not_found">> {
  const id = ctx.newId("note");
  // A page that could not be read again has the same token for what is written next.
  const form = { scope: "note-add", key: `${nonce}:${fingerprintOf(note)}` };
  return runCommand(ctx, form, {
    read: () => findVisibleSubject(ctx, actor, subject),
    plan: (found): Planned<"subject_not_found"> => {
      if (!found) return fail("subject_not_found");
      const at = ctx.now();
      return ok({
        resultId: id,
        statements: [
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
        ],
        after: () => ctx.after(ctx.live.notify("staff")),
      });
    },
  });
}

/** The audit keeps the text before. */
export async function editNote(
  ctx: Ctx,
  actor: Actor,
  {
    subject,
    noteId,
    note,
    version,
    nonce,
  }: { subject: Subject; noteId: string; note: string; version: number; nonce: string },
): Promise<Result<null, "note_not_found" | "note_changed">> {
  const t = adminNotes;
  const unchanged = and(eq(t.id, noteId), eq(t.version, version));
  // Where the answer to a form was lost, its token comes again, perhaps with another text.
  const form = { scope: "note-edit", key: `${nonce}:${fingerprintOf(note)}` };
  const edited = await runCommand(ctx, form, {
    read: () => Promise.all([findVisibleSubject(ctx, actor, subject), findNote(ctx.db, subject, noteId)]),
    plan: ([found, before]): Planned<"note_not_found" | "note_changed"> => {
      if (!found || !before || !can(actor, "note.edit", { ownerId: before.authorId })) return fail("note_not_found");
      // An edit in the millisecond of the creation must still count: `edited` compares the two times.
      const at = Math.max(ctx.now(), before.createdAt + 1);
      return ok({
        resultId: noteId,
        expects: [{ that: sql`EXISTS (SELECT 1 FROM ${t} WHERE ${unchanged})`, otherwise: "note_changed" }],
        statements: [
          ctx.db
            .update(t)
            .set({ note, updated_at: at, version: sql`${t.version} + 1` })
            .where(unchanged),
          recordAudit(ctx, "note.edited", { subject: found, meta: { note: noteId, before: before.text } }),
        ],
      });
    },
  });
  return edited.ok ? ok(null) : edited;
}

/** Everyone their own, an admin any. A note that is not theirs to delete is not found. */
export async function deleteNote(
  ctx: Ctx,
  actor: Actor,
  { subject, noteId, nonce }: { subject: Subject; noteId: string; nonce: string },
): Promise<Result<null, "note_not_found">> {
  const form = { scope: "note-delete", key: nonce };
  const deleted = await runCommand(ctx, form, {
    read: () => Promise.all([findVisibleSubject(ctx, actor, subject), findNote(ctx.db, subject, noteId)]),
    plan: ([found, note]): Planned<"note_not_found"> => {
      if (!found || !note || !can(actor, "note.delete", { ownerId: note.authorId })) return fail("note_not_found");
      return ok({
        resultId: noteId,
        statements: [
          ctx.db.delete(adminNotes).where(eq(adminNotes.id, noteId)),
          expectChange(ctx.db),
          recordAudit(ctx, "note.deleted", { subject: found, meta: { note: noteId } }),
        ],
      });
    },
  });
  return deleted.ok ? ok(null) : deleted;
}
