import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { savedViews } from "~/db/schema/saved-views";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type SavedList, VIEWS_LIMIT } from "./saved-view";

type NewView = { list: SavedList; name: string; query: string; shared: boolean; nonce: string };

/** Saves a filter under a name, for the person alone or for all staff. */
export async function saveView(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  { userId }: SignedIn,
  { list, name, query, shared, nonce }: NewView,
): Promise<Result<null, "too_many_views">> {
  const id = ctx.newId("view");
  const at = ctx.now();
  const [own] = await ctx.db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(savedViews)
    .where(and(eq(savedViews.list, list), eq(savedViews.owner_id, userId)));
  if ((own?.count ?? 0) >= VIEWS_LIMIT) return fail("too_many_views");
  await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "view-save", resultLocation: list, at }),
    ctx.db
      .insert(savedViews)
      .values({ id, list, owner_id: userId, shared: shared ? 1 : 0, name, query, created_at: at }),
  ]);
  return ok(null);
}
