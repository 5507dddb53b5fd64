import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { downloadHeaders } from "~/platform/files.server";
import { findSubmissionFile } from "./queries.server";

/**
 * The file of a contact request, always as a download in a sandbox: nobody has scanned it. Null when there is no such
 * file or its bytes are gone. The audit row is written first, so that no byte leaves unrecorded.
 */
export async function downloadSubmissionFile(
  ctx: Ctx,
  actor: SignedIn,
  attachmentId: string,
): Promise<Response | null> {
  const file = await findSubmissionFile(ctx.db, attachmentId);
  if (!file) return null;
  const bytes = await ctx.files.get(file.key);
  if (!bytes) return null;
  await commit(ctx.db, [
    recordAudit(ctx, "submission.file_downloaded", {
      objectType: "submission",
      objectId: file.submissionId,
      meta: { attachment: file.id, actor: actor.userId },
    }),
  ]);
  return new Response(bytes, { headers: downloadHeaders(file.name, file.size) });
}
