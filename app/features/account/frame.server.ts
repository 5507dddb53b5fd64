import { type OpenAreas, openAreas } from "~/features/auth/guards.server";
import { rulesFor } from "~/lib/areas";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { frameCookieOf, setFrameCookie } from "~/platform/cookies.server";

type AreaOf<Area extends keyof OpenAreas> = { area: Area; actor: NonNullable<OpenAreas[Area]> };
type Frame = AreaOf<"admin"> | AreaOf<"portal">;

/**
 * Returns the area whose frame the personal pages have around them; null: none is open to the person. Somebody with
 * both sees the one they came from. The page that linked here says which that is; from one personal page to the next,
 * which name no area, a cookie says it. Neither is proof of anything: they choose among what `openAreas` has admitted.
 */
export function chooseFrame(ctx: Pick<Ctx, "now" | "request" | "setCookie">, signedIn: SignedIn): Frame | null {
  const { admin, portal } = openAreas(ctx, signedIn);
  const ofStaff = admin && { area: "admin" as const, actor: admin };
  const ofClient = portal && { area: "portal" as const, actor: portal };
  if (!ofStaff || !ofClient) return ofStaff ?? ofClient;
  const remembered = frameCookieOf(ctx);
  const area = areaBefore(ctx) ?? remembered ?? "admin";
  if (area !== remembered) setFrameCookie(ctx, area);
  return area === "admin" ? ofStaff : ofClient;
}

/** Returns the area of the page that linked here. Null: it is in neither, or the browser does not say. */
function areaBefore({ request: { referrer, url } }: Pick<Ctx, "request">): Frame["area"] | null {
  if (!URL.canParse(referrer)) return null;
  const { host, pathname } = new URL(referrer);
  const { area } = rulesFor(pathname);
  return host === url.host && (area === "admin" || area === "portal") ? area : null;
}
