import type { Audience } from "~/access/live-events";
import { invariant } from "~/lib/errors";
import type { LiveHub } from "./hub.server";
import { reportLiveFailure } from "./sockets.server";

type UpgradeContext = {
  config: { APP_ORIGIN: string };
  hubs: DurableObjectNamespace<LiveHub>;
  signedIn: { userId: string; sessionHash: string; role: string } | null;
};

/**
 * The caller has checked that they may listen. Browsers send our cookie with the sockets of other sites, so `Origin` is
 * checked (cross-site WebSocket hijacking, OWASP). The request is a new one: no client sets the headers of identity.
 */
export async function upgradeToHub(ctx: UpgradeContext, request: Request, audience: Audience): Promise<Response> {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
    return new Response("This address accepts WebSocket connections only.", {
      status: 426,
      headers: { Upgrade: "websocket" },
    });
  }
  if (request.headers.get("Origin") !== ctx.config.APP_ORIGIN) {
    return new Response("This connection did not come from our own pages.", { status: 403 });
  }
  invariant(ctx.signedIn, "upgradeToHub must be called after a guard");
  const { userId, sessionHash, role } = ctx.signedIn;
  try {
    return await ctx.hubs.get(ctx.hubs.idFromName(audience)).fetch("https://hub/", {
      headers: { Upgrade: "websocket", "X-Live-User": userId, "X-Live-Session": sessionHash, "X-Live-Role": role },
    });
  } catch (error) {
    reportLiveFailure("live_hub_unreachable", error);
    return new Response("Live updates are not available right now.", { status: 503, headers: { "Retry-After": "5" } });
  }
}
