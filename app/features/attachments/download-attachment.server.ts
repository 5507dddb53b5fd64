import type { Actor } from "~/access/model";
import { commit } from "~/db/client.server";
import { AUDIT_ACTIONS } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { type Download, download } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";
import { findFile } from "./queries.server";

/**
 * Returns a file as a download without a type: nobody has scanned it. Null when there is no such file, its
 * bytes are gone, or the actor may not see what it belongs to. The audit row is written first, so that no byte
 * leaves unrecorded.
 */
export async function downloadAttachment(
  ctx: Ctx,
  actor: SignedIn & Actor,
  attachmentId: string,
): Promise<Download | null> {
  const file = await findFile(ctx.db, attachmentId);
  const subject = file && (await findVisibleSubject(ctx, actor, file.subject));
  // Kinds of subjects without such an action have no files.
  const action = subject && AUDIT_ACTIONS.find((known) => known === `${subject.type}.file_downloaded`);
  if (!action) return null;
  const bytes = await ctx.files.get(file.key);
  if (!bytes) return null;
  const isRecorded = await commit(ctx.db, [
    expectSubject(ctx, subject),
    recordAudit(ctx, action, { subject, meta: { attachment: file.id, actor: actor.userId } }),
  ]);
  if (!isRecorded) return null;
  return download({ fileName: file.name, size: file.size, content: bytes });
}
