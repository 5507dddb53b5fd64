import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, withRedirectTo } from "~/lib/addresses";
import { dayIn } from "~/lib/time";
import { type ActionResult, done, download, fileLimited, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limit.server";
import { EXPORT_LIMITED } from "../copy";
import { zipStream } from "../zip";
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
  // Returns to the page, not to the file: a download would leave the page with the password on the screen.
  if (!hasRecentProof(ctx, actor)) return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, page) });
  const now = ctx.now();
  const [limit, { timeZone }] = await Promise.all([
    takeLimit(ctx.db, after ? "export_more_user" : "export_user", actor.userId, now),
    getSettings(ctx.db),
  ]);
  if (!limit.allowed)
    return fileLimited({ to: page, flash: { kind: "error", ...EXPORT_LIMITED }, retryAt: limit.retryAt });
  await commit(ctx.db, [
    recordAudit(ctx, "security.everything_exported", {
      subject: { type: "activity", id: null, label: null },
      meta: { withFiles, ...(after ? { after } : {}) },
    }),
  ]);
  const next = (place: string) => `${ctx.config.APP_ORIGIN}${everythingFilePath({ withFiles, after: place })}`;
  return download({
    fileName: `everything-${dayIn(timeZone, now)}${after ? "-more" : ""}.zip`,
    contentType: "application/zip",
    content: zipStream(everythingFiles(ctx, { from, withFiles, next })),
  });
}
