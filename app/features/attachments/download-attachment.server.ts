import type { Actor } from "~/access/model";
import { commit } from "~/db/client.server";
import { AUDIT_ACTIONS } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { NamedSubject } from "~/lib/subject";
import { type Download, download } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";
import { IMAGE_TYPES } from "./model";
import { type FoundFile, findFile } from "./queries.server";

/**
 * Returns a file that staff have asked for. Null when there is no such file, its bytes are gone, or the actor may not
 * see what it belongs to. `isInline`: for a page that shows the image.
 */
export async function downloadAttachment(
  ctx: Ctx,
  actor: SignedIn & Actor,
  attachmentId: string,
  { isInline = false } = {},
): Promise<Download | null> {
  const file = await findFile(ctx.db, attachmentId);
  const subject = file && (await findVisibleSubject(ctx, actor, file.subject));
  return subject && sendFile(ctx, { file, subject, isInline, actorId: actor.userId });
}

type Sent = { file: FoundFile; subject: NamedSubject; isInline: boolean; actorId: string };

/**
 * Sends a file that the actor may see: as a download without a type, because nobody has scanned it, or as an image
 * inside a page. The audit row of a download is written first, so that no byte leaves unrecorded; an image is a part of
 * the conversation that shows it. Null when its bytes are gone, or what it belongs to.
 */
export async function sendFile(ctx: Ctx, { file, subject, isInline, actorId }: Sent): Promise<Download | null> {
  // Kinds of subjects without such an action have no files.
  const action = AUDIT_ACTIONS.find((known) => known === `${subject.type}.file_downloaded`);
  const contentType = IMAGE_TYPES[file.kind];
  if (!action || (isInline && !contentType)) return null;
  const content = await ctx.files.get(file.key);
  if (!content) return null;
  const { name: fileName, size } = file;
  if (isInline) return download({ fileName, size, content, contentType, isInline });
  const isRecorded = await commit(ctx.db, [
    expectSubject(ctx, subject),
    recordAudit(ctx, action, { subject, meta: { attachment: file.id, actor: actorId } }),
  ]);
  return isRecorded ? download({ fileName, size, content }) : null;
}
