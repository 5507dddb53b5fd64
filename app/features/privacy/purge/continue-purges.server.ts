import { asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { purges } from "~/db/schema/privacy";
import { type Deleted, type DeletionContext, deleteSome } from "../delete-expired.server";
import type { Purge } from "./model";

/** Limits the purges that a page shows. */
const SHOWN = 10;

/**
 * Goes on with the purges that are not finished, the oldest first. Each part may be repeated: it deletes what is left.
 */
export async function continuePurges(ctx: DeletionContext): Promise<Deleted> {
  const { db } = ctx;
  const [purge] = await db
    .select()
    .from(purges)
    .where(isNull(purges.finished_at))
    .orderBy(asc(purges.requested_at))
    .limit(1);
  if (!purge) return { count: 0, more: false };
  const isThis = eq(purges.id, purge.id);
  const { count, more } = await deleteSome(ctx, {
    before: purge.quiet_since,
    action: "submission.purged",
    log: ({ submissions, files, notes }) =>
      db
        .update(purges)
        .set({
          submissions: sql`${purges.submissions} + ${submissions}`,
          files: sql`${purges.files} + ${files}`,
          notes: sql`${purges.notes} + ${notes}`,
        })
        .where(isThis),
  });
  if (more) return { count, more };
  await db.update(purges).set({ finished_at: ctx.now() }).where(isThis);
  // Another one may wait; the next run finds it.
  return { count, more: count > 0 };
}

/** Lists the last purges, the newest first. */
export const listPurges = (db: Db): Promise<Purge[]> =>
  db
    .select({
      id: purges.id,
      requestedAt: purges.requested_at,
      quietSince: purges.quiet_since,
      submissions: purges.submissions,
      files: purges.files,
      notes: purges.notes,
      onHold: purges.on_hold,
      finishedAt: purges.finished_at,
    })
    .from(purges)
    .orderBy(desc(purges.requested_at))
    .limit(SHOWN);
