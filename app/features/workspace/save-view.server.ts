import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { commit, expectNoRow } from "~/db/client.server";
import { savedViews } from "~/db/schema/accounts";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { SAVED_LISTS, type SavedList } from "./saved-lists.server";
import { VIEWS_LIMIT } from "./saved-view";

type NewView = { list: SavedList; name: string; query: string; shared: boolean };

/**
 * Saves a filter of a list that the person may open under a name, for them alone or for all staff. One that they have
 * saved like this is not saved twice, whether its form is sent again or filled in again.
 */
export async function saveView(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  actor: SignedIn & Actor,
  { list, name, query, shared }: NewView,
): Promise<Result<null, "list_not_found" | "too_many_views">> {
  if (!can(actor, SAVED_LISTS[list].ability)) return fail("list_not_found");
  const { userId } = actor;
  const id = ctx.newId("view");
  const at = ctx.now();
  const [own] = await ctx.db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(savedViews)
    .where(and(eq(savedViews.list, list), eq(savedViews.owner_id, userId)));
  if ((own?.count ?? 0) >= VIEWS_LIMIT) return fail("too_many_views");
  const row = { list, owner_id: userId, shared: shared ? 1 : 0, name, query };
  const isSame = sql`${savedViews.list} = ${list} and ${savedViews.owner_id} = ${userId}
    and ${savedViews.shared} = ${row.shared} and ${savedViews.name} = ${name} and ${savedViews.query} = ${query}`;
  await commit(ctx.db, [
    expectNoRow(ctx.db, savedViews, isSame),
    ctx.db.insert(savedViews).values({ id, ...row, created_at: at }),
  ]);
  return ok(null);
}
