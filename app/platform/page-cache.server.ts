import { rulesFor } from "~/lib/areas";
import { type Duration, hours, type Instant } from "~/lib/time";
import type { Ctx } from "./context.server";
import { SESSION_COOKIE, themeCookieOf } from "./cookies.server";
import { FLASH_COOKIE } from "./flash.server";

type CacheContext = Pick<Ctx, "build" | "publishedSettings" | "now" | "after" | "request">;

type Page = { body: ArrayBuffer; etag: string; policy: string };

const POLICY = "Content-Security-Policy";

const PERSONAL_COOKIES = [SESSION_COOKIE, FLASH_COOKIE];

/** Limits the age of a page, because its footer shows the current year. */
const LIFETIME: Duration = hours(1);
const MAX_PAGES_IN_MEMORY = 100;

/**
 * Isolate's memory, then the Cache API, then rendering. The key has path, build, version of the settings and theme, so
 * nothing needs to be purged. If the store fails, the page is rendered.
 */
export function createPageCache(openStore: () => Cache) {
  // Asynchronous, so that `openStore` throws inside the promise and the visitor still gets the page.
  const readStore = async (key: string) => openStore().match(key);
  const writeStore = async (key: string, page: Page) => openStore().put(key, toStoredResponse(page));
  const memory = new Map<string, Page & { until: Instant }>();

  function cacheInMemory(key: string, page: Page, now: Instant) {
    memory.delete(key);
    memory.set(key, { ...page, until: now + LIFETIME });
    for (const oldest of memory.keys()) {
      if (memory.size <= MAX_PAGES_IN_MEMORY) break;
      memory.delete(oldest);
    }
  }

  async function findPage(key: string, now: Instant): Promise<Page | null> {
    const inMemory = memory.get(key);
    if (inMemory && inMemory.until > now) return inMemory;
    const stored = await readStore(key).catch(() => undefined);
    const etag = stored?.headers.get("ETag");
    const policy = stored?.headers.get(POLICY);
    if (!stored || !etag || !policy) return null;
    const page = { body: await stored.arrayBuffer(), etag, policy };
    cacheInMemory(key, page, now);
    return page;
  }

  return async function serveFromCache(
    ctx: CacheContext,
    request: Request,
    render: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (!isForEveryone(ctx, request.method)) return render(request);
    const { url, cookies } = ctx.request;
    const { version } = await ctx.publishedSettings();
    const key = `${url.origin}${url.pathname}?build=${ctx.build}&settings=${version}&theme=${themeCookieOf(cookies)}`;
    const found = await findPage(key, ctx.now());
    if (found) return cachedResponse(found, request);

    // For a HEAD request the whole page is rendered too, so that it can be cached.
    const rendered = await render(new Request(request, { method: "GET" }));
    const policy = rendered.headers.get(POLICY);
    // A page without a policy of its own gets one with a nonce, which must be used for one response only.
    if (rendered.status !== 200 || !policy) return rendered;
    const body = await rendered.arrayBuffer();
    const page = { body, etag: await etagOf(body), policy };
    cacheInMemory(key, page, ctx.now());
    ctx.after(writeStore(key, page));
    return cachedResponse(page, request);
  };
}

/** The types of browsers have no `default`. */
export const serveFromCache = createPageCache(() => (caches as unknown as { default: Cache }).default);

function isForEveryone({ request: { url, cookies } }: CacheContext, method: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (!rulesFor(url.pathname).isCached) return false;
  if (PERSONAL_COOKIES.some((name) => cookies.has(name))) return false;
  // Campaign parameters do not change a page; any other parameter may.
  return [...url.searchParams.keys()].every((name) => name.startsWith("utm_"));
}

/** Browsers must revalidate each time, so that nobody sees the signed-out page after signing in. */
function cachedResponse({ body, etag, policy }: Page, request: Request): Response {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "public, max-age=0, must-revalidate",
    [POLICY]: policy,
    "Speculation-Rules": '"/speculation-rules.json"',
    ETag: etag,
  };
  if (matches(etag, request.headers.get("If-None-Match"))) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/**
 * Tells whether the browser has the page. Weak comparison (RFC 9110): a proxy that compresses a page weakens its tag.
 */
const matches = (etag: string, ifNoneMatch: string | null): boolean =>
  ifNoneMatch?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*") ?? false;

async function etagOf(body: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", body);
  return `"${Buffer.from(hash).toString("base64url").slice(0, 22)}"`;
}

/** Builds the response for the store: with the store's lifetime, and of the headers for browsers only the policy. */
const toStoredResponse = ({ body, etag, policy }: Page): Response => {
  const lifetime = `public, max-age=${LIFETIME / 1000}`;
  return new Response(body, {
    headers: { ETag: etag, [POLICY]: policy, "Cache-Control": lifetime, "Content-Type": "text/html" },
  });
};
