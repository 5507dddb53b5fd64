import { eq } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { claimKey, commit } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { findNote } from "./queries.server";

type Deletion = { submissionId: string; noteId: string; nonce: string };

/** Deletes a note: everyone their own, an admin any. A note that is not there, or not theirs to delete, is not found. */
export async function deleteNote(
  ctx: Ctx,
  actor: Actor,
  { submissionId, noteId, nonce }: Deletion,
): Promise<Result<null, "note_not_found">> {
  const note = await findNote(ctx.db, submissionId, noteId);
  if (!note || !can(actor, "note.delete", { ownerId: note.authorId })) return fail("note_not_found");
  await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "note-delete", resultLocation: submissionId, at: ctx.now() }),
    ctx.db.delete(adminNotes).where(eq(adminNotes.id, noteId)),
    recordAudit(ctx, "note.deleted", { objectType: "note", objectId: noteId, meta: { submission: submissionId } }),
  ]);
  return ok(null);
}
