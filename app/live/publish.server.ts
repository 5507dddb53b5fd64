import type { Audience } from "~/access/live-events";
import { seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";
import type { LiveHub } from "./hub.server";
import { reportLiveFailure } from "./report.server";

/** Calls the hubs from commands. Both calls belong in `ctx.after`: no response waits for them. */
export type LivePublisher = {
  /** Tells the hub that there are new rows in `live_events`, which it reads and sends. */
  notify: (audience: Audience) => Promise<void>;
  /** Closes the sockets with a tag; see `socketTag`. */
  disconnect: (audience: Audience, tag: string) => Promise<void>;
};

const HUB_TIMEOUT = seconds(2);

/**
 * Returns the publisher. It never rejects: if a hub does not respond, that is only logged, because a hub reads missed
 * events once a minute by itself and checks the sessions table before it sends anything.
 */
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
