import type { StaffActor } from "~/features/auth/guards.server";
import { type ActionResult, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { personFilePath, personPath } from "../model";
import { findPerson } from "../queries.server";
import { sendPersonFiles } from "./person-files.server";

/** Returns the archive about a person. `after`: the place where the archive before it ended. */
export async function exportPerson(
  ctx: Ctx,
  actor: StaffActor,
  { personId, after }: { personId: string; after: string },
): Promise<ActionResult<never>> {
  const person = await findPerson(ctx.db, personId);
  if (!person) return notFound();
  const pathAfter = (place: string) => personFilePath(person.id, place);
  return sendPersonFiles(ctx, actor, person, { after, page: personPath(personId), name: "person", pathAfter });
}
