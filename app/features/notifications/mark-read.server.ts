import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { notifications } from "~/db/schema/notifications";
import type { Ctx } from "~/platform/context.server";
import type { NotificationOwner } from "./queries.server";

/** Marks one notification as read, or all up to the newest one that was shown: a later one is not marked unseen. */
export async function markRead(
  ctx: Pick<Ctx, "db" | "now">,
  { userId, organizationId }: NotificationOwner,
  which: { seq: number } | { through: number },
): Promise<void> {
  const chosen = "seq" in which ? eq(notifications.seq, which.seq) : lte(notifications.seq, which.through);
  await commit(ctx.db, [
    ctx.db
      .update(notifications)
      .set({ read_at: ctx.now() })
      .where(
        and(
          eq(notifications.user_id, userId),
          sql`${notifications.organization_id} IS ${organizationId}`,
          isNull(notifications.read_at),
          chosen,
        ),
      ),
  ]);
}
