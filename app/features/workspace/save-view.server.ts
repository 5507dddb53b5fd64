import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { claimKey, commit } from "~/db/client.server";
import { savedViews } from "~/db/schema/saved-views";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { SAVED_LISTS, type SavedList } from "./saved-lists.server";
import { VIEWS_LIMIT } from "./saved-view";

type NewView = { list: SavedList; name: string; query: string; shared: boolean; nonce: string };

/** Saves a filter of a list that the person may open under a name, for them alone or for all staff. */
export async function saveView(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  actor: SignedIn & Actor,
  { list, name, query, shared, nonce }: NewView,
): Promise<Result<null, "list_not_found" | "too_many_views">> {
  if (!can(actor, SAVED_LISTS[list].ability)) return fail("list_not_found");
  const { userId } = actor;
  const id = ctx.newId("view");
  const at = ctx.now();
  // A page that could not be read again has the same token for the next view.
  const key = `${nonce}:${fingerprintOf(JSON.stringify([list, name, query, shared]))}`;
  const [own] = await ctx.db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(savedViews)
    .where(and(eq(savedViews.list, list), eq(savedViews.owner_id, userId)));
  if ((own?.count ?? 0) >= VIEWS_LIMIT) return fail("too_many_views");
  await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: "view-save", resultLocation: list, at }),
    ctx.db
      .insert(savedViews)
      .values({ id, list, owner_id: userId, shared: shared ? 1 : 0, name, query, created_at: at }),
  ]);
  return ok(null);
}
