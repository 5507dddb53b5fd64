import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import type { SubjectType } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { keyIn, knownKeys } from "./queries.server";

/**
 * Returns the statement that deletes the rows of the subjects' files; `deleteOrphans` deletes their bytes afterwards.
 * `ids` is a query for the subjects' ids.
 */
export const eraseAttachments = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db.delete(attachments).where(sql`${attachments.subject_type} = ${type} AND ${attachments.subject_id} IN (${ids})`);

/** Deletes those of these stored files that no subject refers to. Returns how many. */
export async function deleteOrphans(ctx: Pick<Ctx, "db" | "files">, keys: readonly string[]): Promise<number> {
  const known = await knownKeys(ctx.db, keys);
  const orphans = keys.filter((key) => !known.has(key));
  if (orphans.length === 0) return 0;
  await ctx.files.delete(orphans);
  await ctx.db.delete(attachments).where(keyIn(orphans));
  return orphans.length;
}
