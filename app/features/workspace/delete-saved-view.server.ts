import { and, eq, inArray } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { savedViews } from "~/db/schema/accounts";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { SAVED_LISTS } from "./saved-lists.server";

/**
 * Deletes a view of the person's own, of a list that they may open. A second time has no effect, and views of others
 * stay.
 */
export async function deleteSavedView(ctx: Pick<Ctx, "db">, actor: SignedIn & Actor, id: string): Promise<void> {
  const lists = Object.entries(SAVED_LISTS).flatMap(([name, { ability }]) => (can(actor, ability) ? [name] : []));
  const isOwn = and(eq(savedViews.id, id), eq(savedViews.owner_id, actor.userId));
  await ctx.db.delete(savedViews).where(and(isOwn, inArray(savedViews.list, lists)));
}
