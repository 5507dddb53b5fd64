import { eq } from "drizzle-orm";
import { type Audience, organizationAudience } from "~/access/live-events";
import type { Db } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import { withTimeout } from "~/lib/errors";
import { seconds } from "~/lib/time";
import type { LiveHub } from "./hub.server";
import { reportLiveFailure, socketTag } from "./sockets.server";

export type LivePublisher = {
  notify: (audience: Audience) => Promise<void>;
  disconnect: (audience: Audience, tag: string) => Promise<void>;
};

const HUB_TIMEOUT = seconds(2);

/** Never rejects: a hub reads missed events once a minute, and the sessions table before it sends anything. */
export function livePublisher(namespace: DurableObjectNamespace<LiveHub>): LivePublisher {
  const hubOf = (audience: Audience) => namespace.get(namespace.idFromName(audience));
  return {
    notify: async (audience) => {
      try {
        await withTimeout(HUB_TIMEOUT, hubOf(audience).notify());
      } catch (error) {
        reportLiveFailure("live_notify_failed", error);
      }
    },
    disconnect: async (audience, tag) => {
      try {
        await withTimeout(HUB_TIMEOUT, hubOf(audience).disconnect(tag));
      } catch (error) {
        reportLiveFailure("live_disconnect_failed", error);
      }
    },
  };
}

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

export function disconnectSession(
  ctx: DisconnectContext,
  { userId, sessionHash }: { userId: string; sessionHash: string },
) {
  ctx.after(disconnectEverywhere(ctx, { userId, tag: socketTag.session(sessionHash) }));
}

async function disconnectEverywhere(
  ctx: DisconnectContext,
  { userId, tag, formerOrganizationId }: { userId: string; tag: string; formerOrganizationId?: string },
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

async function organizationsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizationMemberships.organization_id })
    .from(organizationMemberships)
    .where(eq(organizationMemberships.user_id, userId));
  return rows.map(({ id }) => id);
}
