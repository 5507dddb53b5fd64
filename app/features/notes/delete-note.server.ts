import { eq } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { claimKey, commit, expectChange, findClaim } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { findVisibleSubject } from "~/platform/subjects.server";
import { findNote } from "./queries.server";

type Deletion = { subject: Subject; noteId: string; nonce: string };

/**
 * Deletes a note: everyone their own, an admin any. A note that is not there, or not theirs to delete, is not found.
 */
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
