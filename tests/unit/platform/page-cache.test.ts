import { beforeEach, expect, test, vi } from "vitest";
import { hours, minutes } from "~/lib/time";
import { createPageCache } from "~/platform/page-cache.server";

const ORIGIN = "https://it.example";

/** The Cache API as far as it is used, in a map. */
function mapStore() {
  const stored = new Map<string, Response>();
  const store = {
    match: vi.fn(async (key: string) => stored.get(key)?.clone()),
    put: vi.fn(async (key: string, response: Response) => {
      stored.set(key, response);
    }),
  };
  return { stored, store, open: () => store as unknown as Cache };
}

let time = 0;
let version = 0;
let isolate: ReturnType<typeof createPageCache>;
let shared: ReturnType<typeof mapStore>;
const rendered = async (request: Request) => html(`${new URL(request.url).pathname} at ${time}`);
const render = vi.fn(rendered);

const POLICY = "script-src 'self'; style-src 'sha256-of-its-sheet'";

const html = (body: string, status = 200) =>
  new Response(body, { status, headers: { "Content-Type": "text/html", "Content-Security-Policy": POLICY } });

beforeEach(() => {
  time = Date.parse("2026-11-18T15:00:00Z");
  version = 0;
  shared = mapStore();
  isolate = createPageCache(shared.open);
  vi.clearAllMocks();
});

type Asked = { method?: string; cookies?: Record<string, string>; build?: string; headers?: Record<string, string> };

async function ask(path: string, asked: Asked = {}, cache = isolate): Promise<Response> {
  const { method = "GET", cookies = {}, build = "b1", headers = {} } = asked;
  const work: Promise<unknown>[] = [];
  const world = {
    build,
    siteCopy: async () => ({ version, brand: {} }),
    now: () => time,
    after: (promise: Promise<unknown>) => work.push(promise),
    request: { url: new URL(ORIGIN + path), cookies: new Map(Object.entries(cookies)) },
  };
  const response = await cache(
    world as unknown as Parameters<typeof cache>[0],
    new Request(ORIGIN + path, { method, headers }),
    render,
  );
  await Promise.allSettled(work);
  return response;
}

test.each([
  "/",
  "/services",
  "/services/managed-it",
  "/industries",
  "/industries/mental-health",
  "/why-us",
  "/pricing",
  "/privacy",
  "/terms",
])("%s is rendered once for everyone", async (path) => {
  const first = await ask(path);
  const second = await ask(path);
  expect(await second.text()).toBe(await first.text());
  expect(render).toHaveBeenCalledTimes(1);
});

test.each([
  ["a form", "/contact", {}],
  ["the sign-in screen", "/auth", {}],
  ["an address below a page", "/services/managed-it/x", {}],
  ["a trailing slash", "/services/", {}],
  ["somebody signed in", "/", { cookies: { "__Host-sid": "x" } }],
  ["somebody with a message waiting", "/", { cookies: { "__Host-toast": "x" } }],
  ["an estimate in the address", "/pricing?plan=basic", {}],
  ["a request for data alone", "/pricing?_data=routes%2F_site.pricing", {}],
  ["a post", "/pricing", { method: "POST" }],
] as const)("%s is never kept, and its answer is left as it is", async (_, path, asked) => {
  const response = await ask(path, asked);
  await ask(path, asked);
  expect(render).toHaveBeenCalledTimes(2);
  expect(response.headers.get("ETag")).toBeNull();
  expect(response.headers.get("Cache-Control")).toBeNull();
  expect(shared.store.put).not.toHaveBeenCalled();
});

test("another cookie is nobody's sign-in", async () => {
  await ask("/", { cookies: { "__Host-kd": "x" } });
  await ask("/");
  expect(render).toHaveBeenCalledTimes(1);
});

test("marks of a campaign share the page without them", async () => {
  await ask("/pricing?utm_source=letter&utm_medium=post");
  await ask("/pricing");
  expect(render).toHaveBeenCalledTimes(1);
});

test("a page that was not found is not kept", async () => {
  render.mockImplementationOnce(async () => html("no", 404));
  expect((await ask("/services/cloud")).status).toBe(404);
  expect(shared.store.put).not.toHaveBeenCalled();
});

test("a page without a policy of its own would be served with a nonce, and is never kept", async () => {
  render.mockImplementation(async () => new Response("bare"));
  await ask("/");
  expect((await ask("/")).headers.get("ETag")).toBeNull();
  expect(shared.store.put).not.toHaveBeenCalled();
  render.mockReset();
  render.mockImplementation(rendered);
});

test.each([
  ["this isolate", () => isolate],
  ["another isolate", () => createPageCache(shared.open)],
])("a page kept by %s has the policy it was rendered with, and must be asked for each time", async (_, cache) => {
  await ask("/");
  const { headers } = await ask("/", {}, cache());
  expect(headers.get("Content-Security-Policy")).toBe(POLICY);
  expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  expect(headers.get("Speculation-Rules")).toBe('"/speculation-rules.json"');
  expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(headers.get("Set-Cookie")).toBeNull();
});

test("who has the page already is told so, also through a proxy that compressed it", async () => {
  const etag = (await ask("/")).headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const response = await ask("/", { headers: { "If-None-Match": known } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
    expect(response.headers.get("ETag")).toBe(etag);
  }
  expect((await ask("/", { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
});

test("a HEAD request fills the cache and gets no body", async () => {
  const head = await ask("/", { method: "HEAD" });
  expect(await head.text()).toBe("");
  expect(head.headers.get("ETag")).not.toBeNull();
  expect(await (await ask("/")).text()).toContain("/ at");
  expect(render).toHaveBeenCalledTimes(1);
});

test("a new build never meets an old page", async () => {
  await ask("/");
  await ask("/", { build: "b2" });
  expect(render).toHaveBeenCalledTimes(2);
});

test("a saved setting never meets an old page, nor who has kept one", async () => {
  version = 3;
  const before = (await ask("/")).headers.get("ETag") ?? "";
  version = 4;
  time += minutes(1);
  const after = await ask("/", { headers: { "If-None-Match": before } });
  expect(after.status).toBe(200);
  expect(after.headers.get("ETag")).not.toBe(before);
  const keys = [3, 4].map((settings) => `${ORIGIN}/?build=b1&settings=${settings}&theme=system`);
  expect([...shared.stored.keys()]).toEqual(keys);
});

test.each([
  ["this isolate", () => isolate],
  ["another isolate", () => createPageCache(shared.open)],
])("a page kept by %s is shown in the theme it was made for and in no other", async (_, cache) => {
  let made = 0;
  render.mockImplementation(async () => html(`page ${++made}`));
  const inTheme = (theme?: string) => ask("/", { cookies: theme ? { "__Host-theme": theme } : {} }, cache());
  const textsOf = async () => {
    const answers = [await inTheme("dark"), await inTheme(), await inTheme("light")];
    return Promise.all(answers.map((answer) => answer.text()));
  };
  expect(await textsOf()).toEqual(["page 1", "page 2", "page 3"]);
  expect(await textsOf()).toEqual(["page 1", "page 2", "page 3"]);
  const known = (await inTheme()).headers.get("ETag") ?? "";
  const headers = { "If-None-Match": known };
  expect((await ask("/", { headers, cookies: { "__Host-theme": "dark" } }, cache())).status).toBe(200);
  render.mockReset();
  render.mockImplementation(rendered);
});

test.each(["", "system", "sepia", "dark&build=b2", "DARK"])("a theme of %j makes no page of its own", async (theme) => {
  await ask("/");
  await ask("/", { cookies: { "__Host-theme": theme } });
  expect(render).toHaveBeenCalledTimes(1);
  expect(shared.stored.size).toBe(1);
});

test("another isolate finds the page in the shared store", async () => {
  const first = await ask("/");
  const other = createPageCache(shared.open);
  const second = await ask("/", {}, other);
  expect(await second.text()).toBe(await first.text());
  expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
  expect(render).toHaveBeenCalledTimes(1);
});

test("a page is made anew after an hour", async () => {
  await ask("/");
  shared.stored.clear();
  time += hours(1) - minutes(1);
  await ask("/");
  expect(render).toHaveBeenCalledTimes(1);
  time += minutes(1);
  await ask("/");
  expect(render).toHaveBeenCalledTimes(2);
});

test("a store that fails costs a rendering and nothing else", async () => {
  const broken = createPageCache(() => {
    throw new Error("no cache here");
  });
  expect((await ask("/", {}, broken)).status).toBe(200);
  expect((await ask("/", {}, broken)).status).toBe(200);
  expect(render).toHaveBeenCalledTimes(1);
});

test("memory holds a limited number of pages", async () => {
  for (let count = 0; count < 130; count += 1) {
    const name = `${"abcdefghij"[Math.floor(count / 26)]}${String.fromCharCode(97 + (count % 26))}`;
    await ask(`/services/${name}`);
  }
  shared.stored.clear();
  render.mockClear();
  await ask("/services/aa");
  expect(render).toHaveBeenCalledTimes(1);
  await ask("/services/ez");
  expect(render).toHaveBeenCalledTimes(1);
});
