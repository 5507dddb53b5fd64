import type { Audience } from "~/access/live-events";
import { seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";
import type { LiveHub } from "./hub.server";
import { reportLiveFailure } from "./report.server";

/** How commands reach open screens. Both calls are for `ctx.after`: nothing waits for them and nothing depends on them. */
export type LivePublisher = {
  /** Tells the hub that new rows stand in `live_events`; the hub reads and sends them. */
  notify: (audience: Audience) => Promise<void>;
  /** Closes the sockets that carry a tag: `u:<user id>`, `s:<session hash>`, `r:<role>`. */
  disconnect: (audience: Audience, tag: string) => Promise<void>;
};

const PATIENCE = seconds(2);

/**
 * Calls the hubs. A hub that does not answer is a line in the log and nothing else: it looks for what it has missed
 * once a minute by itself, and asks the session ledger before it sends anything.
 */
export function livePublisher(namespace: DurableObjectNamespace<LiveHub>): LivePublisher {
  const hubOf = (audience: Audience) => namespace.get(namespace.idFromName(audience));
  return {
    notify: async (audience) => {
      try {
        await withTimeout(PATIENCE, hubOf(audience).notify());
      } catch (error) {
        reportLiveFailure("live_notify_failed", error);
      }
    },
    disconnect: async (audience, tag) => {
      try {
        await withTimeout(PATIENCE, hubOf(audience).disconnect(tag));
      } catch (error) {
        reportLiveFailure("live_disconnect_failed", error);
      }
    },
  };
}
