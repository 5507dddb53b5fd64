import type { Actor } from "~/access/model";
import { commit } from "~/db/client.server";
import { AUDIT_ACTIONS } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { NamedSubject } from "~/lib/subject";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type Download, download } from "~/platform/responses.server";
import { expectSubject, findVisibleSubject } from "~/platform/subjects.server";
import { IMAGE_TYPES } from "./model";
import { type FoundFile, findFile } from "./queries.server";

/** Null: no such file, its bytes are gone, or the actor may not see its subject. `isInline`: an image inside a page. */
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
 * Without a type, because nobody has scanned it. The audit row of a download is written first; an image is a part of
 * the conversation that shows it.
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
