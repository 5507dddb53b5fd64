import { claimKey, commit } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { findNoteSubject } from "./queries.server";

type NewNote = { submissionId: string; note: string; nonce: string };

/** Writes a note on a request and tells the other staff that there is one; its text is for those who open it. */
export async function addNote(
  ctx: Ctx,
  actor: SignedIn,
  { submissionId, note, nonce }: NewNote,
): Promise<Result<null, "submission_not_found">> {
  const subject = await findNoteSubject(ctx.db, submissionId);
  if (subject === null) return fail("submission_not_found");
  const at = ctx.now();
  const id = ctx.newId("note");
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "note-add", resultLocation: submissionId, at }),
    ctx.db.insert(adminNotes).values({
      id,
      submission_id: submissionId,
      admin_user_id: actor.userId,
      author_name: actor.fullName,
      note,
      created_at: at,
      updated_at: at,
    }),
    recordAudit(ctx, "note.added", { objectType: "note", objectId: id, meta: { submission: submissionId } }),
    recordLiveEvent(ctx, { audience: "staff", type: "new_note", objectId: submissionId, label: subject }),
  ]);
  if (written) ctx.after(ctx.live.notify("staff"));
  return ok(null);
}
