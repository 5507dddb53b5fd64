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
import { personFilePath, personPath } from "../model";
import { findPerson } from "../queries.server";
import { zipStream } from "../zip";
import { personFiles } from "./person-files.server";

/**
 * Returns the archive about a person, which is read and sent a file at a time. It needs a fresh proof of identity, and
 * is on record before its first byte leaves. `after`: the last file of the archive before it, where there are too many
 * for one.
 */
export async function exportPerson(
  ctx: Ctx,
  actor: StaffActor,
  { personId, after }: { personId: string; after: string },
): Promise<ActionResult<never>> {
  const person = await findPerson(ctx.db, personId);
  if (!person) return notFound();
  const page = personPath(personId);
  // Returns to the page, not to the file: a download would leave the page with the password on the screen.
  if (!hasRecentProof(ctx, actor)) return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, page) });
  const now = ctx.now();
  const [limit, { timeZone }] = await Promise.all([
    takeLimit(ctx.db, "export_user", actor.userId, now),
    getSettings(ctx.db),
  ]);
  if (!limit.allowed)
    return fileLimited({ to: page, flash: { kind: "error", ...EXPORT_LIMITED }, retryAt: limit.retryAt });
  await commit(ctx.db, [
    recordAudit(ctx, "user.data_exported", {
      subject: { type: "user", id: person.userId, label: person.userId ? person.name : null },
    }),
  ]);
  const next = (last: string) => `${ctx.config.APP_ORIGIN}${personFilePath(person.id, last)}`;
  return download({
    fileName: `person-${dayIn(timeZone, now)}.zip`,
    contentType: "application/zip",
    content: zipStream(personFiles(ctx, person, { after, next })),
  });
}
