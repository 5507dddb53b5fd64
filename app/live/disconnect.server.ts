import { eq } from "drizzle-orm";
import { type Audience, organizationAudience } from "~/access/live-events";
import type { Db } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import type { LivePublisher } from "./publish.server";
import { socketTag } from "./socket-tags";

type Disconnecting = {
  db: Db;
  live: Pick<LivePublisher, "disconnect">;
  after: (work: Promise<unknown>) => void;
};

/**
 * Closes every socket of a person, on every hub they may be connected to: staff, and each organization they belong to.
 * Called after the commit of whatever ends access; runs after the response. A hub that does not answer looks at the
 * sessions table by itself before it sends anything.
 *
 * `formerOrganizationIds` names organizations whose membership the same change has deleted.
 */
export function disconnectUser(
  ctx: Disconnecting,
  userId: string,
  formerOrganizationIds: readonly string[] = [],
): void {
  ctx.after(disconnectEverywhere(ctx, { userId, tag: socketTag.user(userId), formerOrganizationIds }));
}

/** Closes the sockets of one session of a person, on every hub they may be connected to. */
export function disconnectSession(
  ctx: Disconnecting,
  { userId, sessionHash }: { userId: string; sessionHash: string },
) {
  ctx.after(disconnectEverywhere(ctx, { userId, tag: socketTag.session(sessionHash), formerOrganizationIds: [] }));
}

type Sockets = { userId: string; tag: string; formerOrganizationIds: readonly string[] };

async function disconnectEverywhere(
  ctx: Disconnecting,
  { userId, tag, formerOrganizationIds }: Sockets,
): Promise<void> {
  const close = (audience: Audience) => ctx.live.disconnect(audience, tag);
  // The hub of the staff is not made to wait for the database.
  await Promise.all([
    close("staff"),
    ...formerOrganizationIds.map((id) => close(organizationAudience(id))),
    organizationsOf(ctx.db, userId).then((ids) => Promise.all(ids.map((id) => close(organizationAudience(id))))),
  ]);
}

/** Whatever the state of the membership: one that was suspended a moment ago may still have a socket. */
async function organizationsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizationMemberships.organization_id })
    .from(organizationMemberships)
    .where(eq(organizationMemberships.user_id, userId));
  return rows.map(({ id }) => id);
}
