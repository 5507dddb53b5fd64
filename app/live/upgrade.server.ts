import type { Audience } from "~/access/live-events";
import { invariant } from "~/lib/assert";
import type { LiveHub } from "./hub.server";
import { reportLiveFailure } from "./report.server";

/** What the door to a hub must know; the context of every request has it. */
type Door = {
  config: { APP_ORIGIN: string };
  hubs: DurableObjectNamespace<LiveHub>;
  signedIn: { userId: string; sessionHash: string; role: string } | null;
};

/**
 * Hands the socket of a signed-in person, whose right to listen has been checked, over to the hub.
 *
 * Any page in the world may open a socket to us, and the browser sends the cookie along: the `Origin` is what tells
 * our own pages from theirs. The request to the hub is a new one, so that nothing a client sent can pass for what we
 * say about the person.
 */
export async function upgradeToHub(door: Door, request: Request, audience: Audience): Promise<Response> {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
    return new Response("This address answers WebSocket connections only.", {
      status: 426,
      headers: { Upgrade: "websocket" },
    });
  }
  if (request.headers.get("Origin") !== door.config.APP_ORIGIN) {
    return new Response("This connection did not come from our own pages.", { status: 403 });
  }
  invariant(door.signedIn, "upgradeToHub is called behind a guard");
  const { userId, sessionHash, role } = door.signedIn;
  try {
    return await door.hubs.get(door.hubs.idFromName(audience)).fetch("https://hub/", {
      headers: { Upgrade: "websocket", "X-Live-User": userId, "X-Live-Session": sessionHash, "X-Live-Role": role },
    });
  } catch (error) {
    reportLiveFailure("live_hub_unreachable", error);
    return new Response("Live updates are away for a moment.", { status: 503, headers: { "Retry-After": "5" } });
  }
}
