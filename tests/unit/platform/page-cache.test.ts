import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from "@remix-run/cloudflare";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { hours, minutes, seconds } from "~/lib/time";
import { SESSION_COOKIE } from "~/platform/cookies.server";
import { FLASH_COOKIE } from "~/platform/flash.server";
import { createPageCache } from "~/platform/page-cache.server";
import { createStyleInliner } from "~/platform/page-styles.server";
import { createSettingsCache } from "~/platform/published-settings.server";
import { createGroupedHandler } from "~/platform/route-groups.server";

describe("the cache of pages", () => {
  const ORIGIN = "https://it.example";

  /** Returns a store with the used part of the Cache API, kept in a map. */
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

  const POLICY = "script-src 'self'; style-src 'sha256-of-its-style-sheet'";

  const html = (body: string, status = 200) =>
    new Response(body, { status, headers: { "Content-Type": "text/html", "Content-Security-Policy": POLICY } });

  beforeEach(() => {
    time = Date.parse("2026-11-18T15:00:00Z");
    version = 0;
    shared = mapStore();
    isolate = createPageCache(shared.open);
    vi.clearAllMocks();
    render.mockImplementation(rendered);
  });

  type Options = {
    method?: string;
    cookies?: Record<string, string>;
    build?: string;
    headers?: Record<string, string>;
  };

  async function open(path: string, options: Options = {}, cache = isolate): Promise<Response> {
    const { method = "GET", cookies = {}, build = "b1", headers = {} } = options;
    const work: Promise<unknown>[] = [];
    const context = {
      build,
      publishedSettings: async () => ({ version, brand: {}, values: {} }),
      now: () => time,
      after: (promise: Promise<unknown>) => work.push(promise),
      request: { url: new URL(ORIGIN + path), cookies: new Map(Object.entries(cookies)) },
    };
    const response = await cache(
      context as unknown as Parameters<typeof cache>[0],
      new Request(ORIGIN + path, { method, headers }),
      render,
    );
    await Promise.allSettled(work);
    return response;
  }

  test("a page is rendered once for everyone, whatever campaign or other cookie they come with", async () => {
    const first = await open("/pricing?utm_source=letter&utm_medium=post", { cookies: { "__Host-kd": "x" } });
    expect(await (await open("/pricing")).text()).toBe(await first.text());
    expect(render).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["a form", "/contact", {}],
    ["the sign-in page", "/auth", {}],
    ["an address below a page", "/services/managed-it/x", {}],
    ["a trailing slash", "/services/", {}],
    ["somebody signed in", "/", { cookies: { [SESSION_COOKIE]: "x" } }],
    ["somebody with a message to show", "/", { cookies: { [FLASH_COOKIE]: "x" } }],
    ["an estimate in the address", "/pricing?plan=basic", {}],
    ["a data request of the framework", "/pricing?_data=routes%2F_site.pricing", {}],
    ["a post", "/pricing", { method: "POST" }],
  ] as const)("%s is never cached, and the response is not changed", async (_, path, options) => {
    const response = await open(path, options);
    await open(path, options);
    expect(render).toHaveBeenCalledTimes(2);
    expect(response.headers.get("ETag")).toBeNull();
    expect(response.headers.get("Cache-Control")).toBeNull();
    expect(shared.store.put).not.toHaveBeenCalled();
  });

  test("a 404 response is not cached", async () => {
    render.mockImplementationOnce(async () => html("no", 404));
    expect((await open("/services/cloud")).status).toBe(404);
    expect(shared.store.put).not.toHaveBeenCalled();
  });

  test("a page without a policy of its own gets one with a nonce, so it is never cached", async () => {
    render.mockImplementation(async () => new Response("bare"));
    await open("/");
    expect((await open("/")).headers.get("ETag")).toBeNull();
    expect(shared.store.put).not.toHaveBeenCalled();
  });

  test.each([
    ["this isolate", () => isolate],
    ["another isolate", () => createPageCache(shared.open)],
  ])("a page cached by %s is rendered once, keeps its policy, and must be revalidated each time", async (_, cache) => {
    const first = await open("/");
    const second = await open("/", {}, cache());
    expect(await second.text()).toBe(await first.text());
    expect(render).toHaveBeenCalledTimes(1);
    const { headers } = second;
    expect(headers.get("ETag")).toBe(first.headers.get("ETag"));
    expect(headers.get("Content-Security-Policy")).toBe(POLICY);
    expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    expect(headers.get("Speculation-Rules")).toBe('"/speculation-rules.json"');
    expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(headers.get("Set-Cookie")).toBeNull();
  });

  test("a browser that has the page gets 304, also through a proxy that compresses it", async () => {
    const etag = (await open("/")).headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await open("/", { headers: { "If-None-Match": ifNoneMatch } });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("ETag")).toBe(etag);
    }
    expect((await open("/", { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
  });

  test("a HEAD request fills the cache and gets no body", async () => {
    const head = await open("/", { method: "HEAD" });
    expect(await head.text()).toBe("");
    expect(head.headers.get("ETag")).not.toBeNull();
    expect(await (await open("/")).text()).toContain("/ at");
    expect(render).toHaveBeenCalledTimes(1);
  });

  test("a new build never serves a page of the old one", async () => {
    await open("/");
    await open("/", { build: "b2" });
    expect(render).toHaveBeenCalledTimes(2);
  });

  test("after a change of settings no old page is served, and no browser keeps one", async () => {
    version = 3;
    const before = (await open("/")).headers.get("ETag") ?? "";
    version = 4;
    time += minutes(1);
    const after = await open("/", { headers: { "If-None-Match": before } });
    expect(after.status).toBe(200);
    expect(after.headers.get("ETag")).not.toBe(before);
    const keys = [3, 4].map((settings) => `${ORIGIN}/?build=b1&settings=${settings}&theme=system`);
    expect([...shared.stored.keys()]).toEqual(keys);
  });

  test.each([
    ["this isolate", () => isolate],
    ["another isolate", () => createPageCache(shared.open)],
  ])("a page cached by %s is served only in its own theme", async (_, cache) => {
    let count = 0;
    render.mockImplementation(async () => html(`page ${++count}`));
    const inTheme = (theme?: string) => open("/", { cookies: theme ? { "__Host-theme": theme } : {} }, cache());
    const textsOf = async () => {
      const responses = [await inTheme("dark"), await inTheme(), await inTheme("light")];
      return Promise.all(responses.map((response) => response.text()));
    };
    expect(await textsOf()).toEqual(["page 1", "page 2", "page 3"]);
    expect(await textsOf()).toEqual(["page 1", "page 2", "page 3"]);
    const etag = (await inTheme()).headers.get("ETag") ?? "";
    const headers = { "If-None-Match": etag };
    expect((await open("/", { headers, cookies: { "__Host-theme": "dark" } }, cache())).status).toBe(200);
  });

  test.each([
    "",
    "system",
    "sepia",
    "dark&build=b2",
    "DARK",
  ])("the unknown theme %j counts as the default", async (theme) => {
    await open("/");
    await open("/", { cookies: { "__Host-theme": theme } });
    expect(render).toHaveBeenCalledTimes(1);
    expect(shared.stored.size).toBe(1);
  });

  test("a page is rendered again after an hour", async () => {
    await open("/");
    shared.stored.clear();
    time += hours(1) - minutes(1);
    await open("/");
    expect(render).toHaveBeenCalledTimes(1);
    time += minutes(1);
    await open("/");
    expect(render).toHaveBeenCalledTimes(2);
  });

  test("when the store fails, the page is rendered", async () => {
    const broken = createPageCache(() => {
      throw new Error("no cache");
    });
    expect((await open("/", {}, broken)).status).toBe(200);
    expect((await open("/", {}, broken)).status).toBe(200);
    expect(render).toHaveBeenCalledTimes(1);
  });

  test("the memory has a limited number of pages", async () => {
    for (let count = 0; count < 130; count += 1) {
      const name = `${"abcdefghij"[Math.floor(count / 26)]}${String.fromCharCode(97 + (count % 26))}`;
      await open(`/services/${name}`);
    }
    shared.stored.clear();
    render.mockClear();
    await open("/services/aa");
    expect(render).toHaveBeenCalledTimes(1);
    await open("/services/ez");
    expect(render).toHaveBeenCalledTimes(1);
  });
});

const link = (path: string) => `<link rel="stylesheet" href="${path}"/>`;

const styleSheets: Record<string, string> = {
  "/build/_assets/site-A.css": "p{color:red}",
  "/build/_assets/home-B.css": "h1{color:$&}",
  "/build/_assets/odd-C.css": "p{content:'</style>'}",
};

function inliner() {
  const readAsset = vi.fn(async (path: string) => styleSheets[path] ?? null);
  const withInlineStyles = createStyleInliner();
  return { readAsset, inline: (html: string) => withInlineStyles(html, readAsset) };
}

test("a page gets its style sheets inline, in their order, each with the hash of its text", async () => {
  const { inline } = inliner();
  const { html, styleHashes } = await inline(
    `<head>${link("/build/_assets/site-A.css")}${link("/build/_assets/home-B.css")}</head>`,
  );
  expect(html).toBe("<head><style>p{color:red}</style><style>h1{color:$&}</style></head>");
  expect(styleHashes).toEqual([
    // Computed with: printf %s 'p{color:red}' | openssl dgst -sha256 -binary | base64
    "'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='",
    "'sha256-WfK70d01OmmbgsSB1ROOJO3zLFoFtlRDfh6uc64+Pr4='",
  ]);
});

test("a style that the page has already, the colors of the brand, stays, and its hash is in the policy too", async () => {
  const { inline } = inliner();
  const { html, styleHashes } = await inline("<head><style>p{color:red}</style></head>");
  expect(html).toBe("<head><style>p{color:red}</style></head>");
  expect(styleHashes).toEqual(["'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='"]);
});

test("a style sheet is read once per isolate", async () => {
  const { inline, readAsset } = inliner();
  await inline(link("/build/_assets/site-A.css"));
  await inline(link("/build/_assets/site-A.css"));
  expect(readAsset).toHaveBeenCalledTimes(1);
});

test.each([
  ["is missing", async () => null],
  ["cannot be read", async () => Promise.reject(new Error("no files"))],
])("a style sheet that %s stays a link, and is read again for the next page", async (_, readResult) => {
  const { inline, readAsset } = inliner();
  const page = link("/build/_assets/site-A.css");
  readAsset.mockImplementationOnce(readResult);
  expect(await inline(page)).toEqual({ html: page, styleHashes: [] });
  expect((await inline(page)).html).toBe("<style>p{color:red}</style>");
});

test.each([
  "/build/_assets/odd-C.css",
  "https://elsewhere.example/x.css",
  "/other/x.css",
])("%s is never put into a page", async (path) => {
  const { inline } = inliner();
  expect(await inline(link(path))).toEqual({ html: link(path), styleHashes: [] });
});

describe("published settings", () => {
  const DEFAULTS = { version: 0, brand: {}, values: {} };

  let stored: unknown;

  const get = vi.fn(async (): Promise<unknown> => stored);

  const kv = { get } as unknown as KVNamespace;

  let read: ReturnType<typeof createSettingsCache>;

  beforeEach(() => {
    stored = { version: 3, brand: { name: "Acme IT" }, values: { hourlyRate: 95 } };
    read = createSettingsCache();
    vi.clearAllMocks();
  });

  test.each([
    ["absent", async (): Promise<unknown> => null],
    ["unreadable", async (): Promise<unknown> => ({ version: "new", brand: {} })],
    ["a text", async (): Promise<unknown> => "a text"],
    ["of an older shape", async (): Promise<unknown> => ({ version: -1 })],
    ["unreachable", async (): Promise<unknown> => Promise.reject(new Error("KV is down"))],
  ])("without readable settings (%s) the defaults are used", async (_, readResult) => {
    get.mockImplementationOnce(readResult);
    expect(await read(kv, 0)).toEqual(DEFAULTS);
  });

  test("without the KV binding the defaults are used", async () => {
    expect(await read(undefined as never, 0)).toEqual(DEFAULTS);
  });

  test("a read of KV times out after a second", async () => {
    vi.useFakeTimers();
    get.mockImplementationOnce(() => new Promise(() => undefined));
    const settings = read(kv, 0);
    await vi.advanceTimersByTimeAsync(seconds(1));
    expect(await settings).toEqual(DEFAULTS);
    vi.useRealTimers();
  });

  test("the last settings are used while KV is unreachable", async () => {
    await read(kv, 0);
    get.mockRejectedValueOnce(new Error("KV is down"));
    expect(await read(kv, seconds(30))).toEqual(stored);
  });

  test("a change is visible after half a minute, and KV is not read before", async () => {
    const before = await read(kv, 0);
    stored = { version: 4, brand: {}, values: {} };
    expect(await read(kv, seconds(29))).toBe(before);
    expect(get).toHaveBeenCalledTimes(1);
    expect(await read(kv, seconds(30))).toEqual(stored);
  });
});

const answering = (text: string) => ({ default: () => null, loader: () => new Response(text) });

/** Builds an application whose routes answer with their id: root, a site, an admin area, and a page for the rest. */
function application(): ServerBuild {
  const route = (id: string, parentId?: string, path?: string, index?: boolean) => ({ id, parentId, path, index });
  const routes = [
    route("root", undefined, ""),
    route("site", "root"),
    route("home", "site", undefined, true),
    route("pricing", "site", "pricing"),
    route("missing", "site", "*"),
    route("admin-frame", "root"),
    route("admin", "admin-frame", "admin"),
    route("submissions", "admin", "submissions"),
    route("submission", "admin", "submissions/:id"),
    route("client", "root", "client/:organization?"),
  ];
  const resource = { ...answering(""), default: undefined };
  return {
    mode: "production",
    basename: "/",
    publicPath: "/build/",
    assetsBuildDirectory: "public/build",
    isSpaMode: false,
    future: {},
    entry: { module: { default: () => new Response("page") } },
    assets: {
      entry: { module: "", imports: [] },
      routes: Object.fromEntries(routes.map((each) => [each.id, { id: each.id, module: "", hasLoader: true }])),
      url: "",
      version: "1",
    },
    routes: Object.fromEntries(
      routes.map((each) => [each.id, { ...each, module: { ...resource, loader: () => new Response(each.id) } }]),
    ),
  } as unknown as ServerBuild;
}

/** Returns the routes that the framework has when it renders the page of a path: of the server, and of the manifest. */
async function groupOf(path: string) {
  const build = application();
  const pages = Object.values(build.routes).map((route) => {
    const loader = () => null;
    return [route.id, { ...route, module: { ...route.module, loader, default: () => null } }];
  });
  let group: { server: string[]; manifest: string[] } | undefined;
  const render: ServerBuild["entry"]["module"]["default"] = (_request, _status, _headers, framework) => {
    const { routeModules, manifest } = framework;
    group = { server: Object.keys(routeModules).sort(), manifest: Object.keys(manifest.routes).sort() };
    return new Response("page");
  };
  const entry = { module: { default: render } };
  const handler = createGroupedHandler({ ...build, entry, routes: Object.fromEntries(pages) }, "production");
  await handler(new Request(`https://site.example${path}`), {} as AppLoadContext);
  return group;
}

test.each([
  ["a list, with the layouts around it", "/admin/submissions", ["admin", "admin-frame", "submissions"]],
  ["a record, whose id stands for any segment", "/admin/submissions/sub_1", ["admin", "admin-frame", "submission"]],
  ["a page with a parameter", "/client/clinic", ["client"]],
  ["the same page without it", "/client", ["client"]],
  ["an unknown address", "/wp-login.php", []],
  ["a page", "/pricing", ["pricing"]],
])("%s sees its own routes and the page for missing ones, in server and manifest", async (_, path, own) => {
  const ids = [...own, "missing", "root", "site"].sort();
  expect(await groupOf(path)).toEqual({ server: ids, manifest: ids });
});

describe("the grouped handler", () => {
  const answered = async (handler: RequestHandler, path: string) =>
    (await handler(new Request(`https://site.example${path}`), {} as AppLoadContext)).text();

  test.each([
    ["/", "home"],
    ["/pricing", "pricing"],
    ["/PRICING", "pricing"],
    ["/%70ricing", "pricing"],
    ["/pricing/", "pricing"],
    ["//pricing", "missing"],
    ["/admin//submissions", "missing"],
    ["/admin/submissions/", "submissions"],
    ["/ADMIN/Submissions/sub_1", "submission"],
    ["/admin/submissions/a%2Fb", "submission"],
    ["/admin/submissions/%zz", "submission"],
    ["/pricing/more", "missing"],
    ["/admin", "admin"],
    ["/admin/submissions", "submissions"],
    ["/admin/submissions/sub_1", "submission"],
    ["/admin/none", "missing"],
    ["/client", "client"],
    ["/client/clinic", "client"],
    ["/submissions", "missing"],
    ["/%zz", "missing"],
  ])("%s is answered by the route that all routes together would choose", async (path, id) => {
    expect(await answered(createGroupedHandler(application(), "production"), path)).toBe(id);
    expect(await answered(createRequestHandler(application(), "production"), path)).toBe(id);
  });
});
