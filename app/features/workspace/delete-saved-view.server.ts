import { and, eq } from "drizzle-orm";
import { savedViews } from "~/db/schema/saved-views";
import type { Ctx, SignedIn } from "~/platform/context.server";

/** Takes away a view of one's own; doing it twice is doing it once. Views of others stay. */
export async function deleteSavedView(ctx: Ctx, { userId }: SignedIn, id: string): Promise<void> {
  await ctx.db.delete(savedViews).where(and(eq(savedViews.id, id), eq(savedViews.owner_id, userId)));
}
