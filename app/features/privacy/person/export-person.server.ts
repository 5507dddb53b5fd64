import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { type ActionResult, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { sendArchive } from "../archive.server";
import { personFilePath, personPath } from "../model";
import { findPerson } from "../queries.server";
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
  const next = (last: string) => `${ctx.config.APP_ORIGIN}${personFilePath(person.id, last)}`;
  return sendArchive(ctx, actor, {
    page: personPath(personId),
    record: recordAudit(ctx, "user.data_exported", {
      subject: { type: "user", id: person.userId, label: person.userId ? person.name : null },
    }),
    name: "person",
    entries: personFiles(ctx, person, { after, next }),
  });
}
