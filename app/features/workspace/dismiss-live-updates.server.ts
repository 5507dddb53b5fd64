import { and, eq, lte, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { liveDismissals, liveEvents, liveReaders } from "~/db/schema/live";
import { invariant } from "~/lib/assert";
import type { Ctx } from "~/platform/context.server";

/** Removes one update from the person's panel for good. A second time has no effect. */
export async function dismissLiveUpdate(ctx: Pick<Ctx, "db" | "signedIn">, seq: number): Promise<void> {
  // Only what exists can be dismissed: numbers of the future must not be silenced in advance.
  const exists = and(eq(liveEvents.seq, seq), eq(liveEvents.audience, "staff"));
  await ctx.db
    .insert(liveDismissals)
    .select(sql`select ${userIdOf(ctx)}, ${liveEvents.seq} from ${liveEvents} where ${exists}`)
    .onConflictDoNothing();
}

/**
 * Dismisses all updates up to the newest one the person has seen. Later ones, from while the page was open without a
 * socket, stay.
 */
export async function dismissAllLiveUpdates(ctx: Pick<Ctx, "db" | "signedIn">, throughSeq: number): Promise<void> {
  const userId = userIdOf(ctx);
  const through = sql`min(${throughSeq}, coalesce(max(${liveEvents.seq}), 0))`;
  await commit(ctx.db, [
    ctx.db
      .insert(liveReaders)
      .select(sql`select ${userId}, ${through} from ${liveEvents} where ${liveEvents.audience} = 'staff'`)
      .onConflictDoUpdate({
        target: liveReaders.user_id,
        // A page that has been open for long must not bring back what a newer one has dismissed.
        set: { dismissed_through: sql`max(${liveReaders.dismissed_through}, excluded.dismissed_through)` },
      }),
    // Single dismissals up to there say nothing any more.
    ctx.db.delete(liveDismissals).where(and(eq(liveDismissals.user_id, userId), lte(liveDismissals.seq, throughSeq))),
  ]);
}

function userIdOf(ctx: Pick<Ctx, "signedIn">): string {
  invariant(ctx.signedIn, "Live updates are dismissed behind a guard");
  return ctx.signedIn.userId;
}
