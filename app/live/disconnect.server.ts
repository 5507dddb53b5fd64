import { eq } from "drizzle-orm";
import { type Audience, organizationAudience } from "~/access/live-events";
import type { Db } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import type { LivePublisher } from "./publish.server";
import { socketTag } from "./socket-tags";

type DisconnectContext = {
  db: Db;
  live: Pick<LivePublisher, "disconnect">;
  after: (work: Promise<unknown>) => void;
};

/**
 * Closes every socket of a person, on every hub they may be connected to: staff, and each organization they belong to.
 * Call it after the commit of a change that ends access; it runs after the response. If a hub cannot be reached, no
 * event is sent either: a hub checks the sessions table before each delivery.
 *
 * @param formerOrganizationId - an organization the person has just left: nothing in the database names it any more
 */
export function disconnectUser(
  ctx: DisconnectContext,
  userId: string,
  { formerOrganizationId }: { formerOrganizationId?: string } = {},
): void {
  ctx.after(disconnectEverywhere(ctx, { userId, tag: socketTag.user(userId), formerOrganizationId }));
}

/** Closes the sockets of one session, on every hub its person may be connected to. Runs after the response. */
export function disconnectSession(
  ctx: DisconnectContext,
  { userId, sessionHash }: { userId: string; sessionHash: string },
) {
  ctx.after(disconnectEverywhere(ctx, { userId, tag: socketTag.session(sessionHash) }));
}

type Target = { userId: string; tag: string; formerOrganizationId?: string };

async function disconnectEverywhere(
  ctx: DisconnectContext,
  { userId, tag, formerOrganizationId }: Target,
): Promise<void> {
  const close = (audience: Audience) => ctx.live.disconnect(audience, tag);
  // The staff hub does not wait for the query of organizations.
  await Promise.all([
    close("staff"),
    organizationsOf(ctx.db, userId).then((ids) => {
      const all = new Set(formerOrganizationId ? [...ids, formerOrganizationId] : ids);
      return Promise.all([...all].map((id) => close(organizationAudience(id))));
    }),
  ]);
}

/** Returns the organizations of a person, suspended memberships included: these may still have a socket. */
async function organizationsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizationMemberships.organization_id })
    .from(organizationMemberships)
    .where(eq(organizationMemberships.user_id, userId));
  return rows.map(({ id }) => id);
}
