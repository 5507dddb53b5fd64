import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { type ActionResult, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { sendArchive } from "../archive.server";
import { everythingFiles, parsePlace } from "./everything-files.server";
import { type AskedArchive, everythingFilePath, everythingPagePath } from "./model";

/**
 * Returns an archive with everything that is stored, which is read and sent a part at a time. It needs a fresh proof of
 * identity, and is on record before its first byte leaves. `after`: the place where the archive before it ended.
 */
export async function exportEverything(
  ctx: Ctx,
  actor: StaffActor,
  { withFiles, after }: AskedArchive,
): Promise<ActionResult<never>> {
  const from = parsePlace(after);
  if (!from) return notFound();
  const page = everythingPagePath({ withFiles, after });
  const next = (place: string) => `${ctx.config.APP_ORIGIN}${everythingFilePath({ withFiles, after: place })}`;
  return sendArchive(ctx, actor, {
    page,
    after,
    record: recordAudit(ctx, "security.everything_exported", {
      subject: { type: "activity", id: null, label: null },
      meta: { withFiles, ...(after ? { after } : {}) },
    }),
    name: "everything",
    entries: everythingFiles(ctx, { from, withFiles, next }),
  });
}
