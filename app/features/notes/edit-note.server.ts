import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { claimKey, commit, expectRow, findClaim } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { findVisibleSubject } from "~/platform/subjects.server";
import { findNote } from "./queries.server";

type Edit = {
  subject: Subject;
  noteId: string;
  note: string;
  /** Holds the version the text was written against. */
  version: number;
  nonce: string;
};

/**
 * Replaces the text of one's own note; the audit keeps the text before. If somebody else has saved meanwhile, nothing
 * is written and the caller gets `note_changed`.
 */
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
