import type { Actor } from "~/access/model";
import { claimKey, commit, findClaim } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Subject } from "~/lib/subject";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";

type NewNote = { subject: Subject; note: string; nonce: string };

/**
 * Writes a note on a subject and tells the other staff that there is one; its text is for those who open it. Returns
 * the id of the note, also when the same form is posted again.
 */
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
