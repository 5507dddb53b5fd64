import { and, eq } from "drizzle-orm";
import { savedViews } from "~/db/schema/saved-views";
import type { Ctx, SignedIn } from "~/platform/context.server";

/** Deletes a view of the person's own. A second time has no effect, and views of others stay. */
export async function deleteSavedView(ctx: Pick<Ctx, "db">, { userId }: SignedIn, id: string): Promise<void> {
  await ctx.db.delete(savedViews).where(and(eq(savedViews.id, id), eq(savedViews.owner_id, userId)));
}
