import { rulesFor } from "~/lib/areas";
import { type Duration, hours, type Instant } from "~/lib/time";
import type { Ctx } from "./context.server";
import { themeOf } from "./theme.server";

/** What the cache needs to know of the request's world. */
type CacheWorld = Pick<Ctx, "build" | "siteCopy" | "now" | "after" | "request">;

/** A finished page with its Content-Security-Policy. It is the same for everyone of one theme who is not signed in. */
type Page = { body: ArrayBuffer; etag: string; policy: string };

const POLICY = "Content-Security-Policy";

/** With one of these a page greets a person or carries a message for them. */
const PERSONAL_COOKIES = ["__Host-sid", "__Host-toast"];

/** Even an unchanged page is made anew now and then: its footer names the year. */
const LIFETIME: Duration = hours(1);
const PAGES_IN_MEMORY = 100;

/**
 * A cache for marketing pages: the isolate's memory in front of the Cache API in front of rendering. Its key holds
 * path, build, version of the site's settings and theme, so a new build or a saved setting never meets an old page,
 * nobody one in a theme they have not chosen, and nothing needs to be purged.
 *
 * `openStore` gives the store behind the memory. A store that fails only costs a rendering.
 */
export function createPageCache(openStore: () => Cache) {
  // Asynchronous, so that opening the store counts as using it: no failure of either may reach the visitor.
  const lookUp = async (key: string) => openStore().match(key);
  const keep = async (key: string, page: Page) => openStore().put(key, storable(page));
  const memory = new Map<string, Page & { until: Instant }>();

  function remember(key: string, page: Page, now: Instant) {
    memory.delete(key);
    memory.set(key, { ...page, until: now + LIFETIME });
    for (const oldest of memory.keys()) {
      if (memory.size <= PAGES_IN_MEMORY) break;
      memory.delete(oldest);
    }
  }

  async function findPage(key: string, now: Instant): Promise<Page | null> {
    const remembered = memory.get(key);
    if (remembered && remembered.until > now) return remembered;
    const stored = await lookUp(key).catch(() => undefined);
    const etag = stored?.headers.get("ETag");
    const policy = stored?.headers.get(POLICY);
    if (!stored || !etag || !policy) return null;
    const page = { body: await stored.arrayBuffer(), etag, policy };
    remember(key, page, now);
    return page;
  }

  /**
   * Answers from the cache, or with `render` and keeps the page for the next one. Requests it is not for (another
   * method or address, a cookie of a person, a query string) go to `render` as they are, and their answer comes back
   * as it is.
   */
  return async function answerFromCache(
    ctx: CacheWorld,
    request: Request,
    render: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (!isForEveryone(ctx, request.method)) return render(request);
    const { url, cookies } = ctx.request;
    const { version } = await ctx.siteCopy();
    const key = `${url.origin}${url.pathname}?build=${ctx.build}&settings=${version}&theme=${themeOf(cookies)}`;
    const found = await findPage(key, ctx.now());
    if (found) return answer(found, request);

    // A HEAD request is rendered in full too, so that it can be kept.
    const rendered = await render(new Request(request, { method: "GET" }));
    const policy = rendered.headers.get(POLICY);
    // Without a policy of its own a page would get one with a nonce, and that is for one answer only.
    if (rendered.status !== 200 || !policy) return rendered;
    const body = await rendered.arrayBuffer();
    const page = { body, etag: await etagOf(body), policy };
    remember(key, page, ctx.now());
    ctx.after(keep(key, page));
    return answer(page, request);
  };
}

/** The cache of this isolate, in front of the data centre's. The types of browsers do not know `default`. */
export const answerFromCache = createPageCache(() => (caches as unknown as { default: Cache }).default);

function isForEveryone({ request: { url, cookies } }: CacheWorld, method: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (!rulesFor(url.pathname).isCached) return false;
  if (PERSONAL_COOKIES.some((name) => cookies.has(name))) return false;
  // Campaign marks change nothing on a page; any other parameter may.
  return [...url.searchParams.keys()].every((name) => name.startsWith("utm_"));
}

/** Browsers must ask each time: a page seen before signing in must not be shown after it. Mostly the answer is 304. */
function answer({ body, etag, policy }: Page, request: Request): Response {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "public, max-age=0, must-revalidate",
    [POLICY]: policy,
    "Speculation-Rules": '"/speculation-rules.json"',
    ETag: etag,
  };
  if (isKnown(etag, request.headers.get("If-None-Match"))) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/** Compares weakly: a proxy that compressed the page has marked its tag as weak. */
const isKnown = (etag: string, known: string | null): boolean =>
  known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*") ?? false;

async function etagOf(body: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", body);
  return `"${Buffer.from(hash).toString("base64url").slice(0, 22)}"`;
}

/** As the store wants it: a lifetime of its own, and of the headers that are for browsers only the policy. */
const storable = ({ body, etag, policy }: Page): Response => {
  const lifetime = `public, max-age=${LIFETIME / 1000}`;
  return new Response(body, {
    headers: { ETag: etag, [POLICY]: policy, "Cache-Control": lifetime, "Content-Type": "text/html" },
  });
};
