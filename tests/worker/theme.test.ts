import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publicPaths } from "~/features/site/seo";
import { type BuiltWorker, builtWorker, startBuiltWorker } from "../support/built-worker";
import { OUR_FORM } from "../support/raw-http";

/* The theme on the built worker: its form, all kinds of pages, and cached pages. */

const server = builtWorker();

async function open(path: string, init: RequestInit = {}) {
  const response = await server.fetch(`http://localhost:8787${path}`, { redirect: "manual", ...init } as never);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const inTheme = (theme: string, more: Record<string, string> = {}) => ({
  headers: { Cookie: `__Host-theme=${theme}`, ...more },
});

const themeOf = (html: string) => ({
  document: /<html lang="en"(?: data-theme="(\w+)")?>/.exec(html)?.[1],
  scheme: /<meta name="color-scheme" content="([^"]+)"/.exec(html)?.[1],
  colors: [...html.matchAll(/<meta name="theme-color" content="([^"]+)"/g)].map(([, color]) => color),
  pressed: [...html.matchAll(/value="(\w+)" aria-pressed="true"/g)].map(([, theme]) => theme),
});

const SYSTEM = { document: undefined, scheme: "light dark", colors: ["#f1f6f7", "#091518"], pressed: ["system"] };

const LIGHT = { document: "light", scheme: "light", colors: ["#f1f6f7"], pressed: ["light"] };

const DARK = { document: "dark", scheme: "dark", colors: ["#091518"], pressed: ["dark"] };

const choose = (theme: string) =>
  open("/theme", { method: "POST", headers: OUR_FORM, body: `theme=${theme}&path=%2Fpricing` });

test("our own form sets the theme, and an unknown theme gets an error page", async () => {
  const chosen = await choose("dark");
  expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, "/pricing"]);
  expect(chosen.headers.get("Set-Cookie")).toMatch(/^__Host-theme=dark; /);
  const unknown = await choose("sepia");
  expect([unknown.status, unknown.headers.get("Set-Cookie")]).toEqual([400, null]);
  expect(unknown.html).toContain("That could not be read");
});

test("a page is cached once per theme, and everybody gets the theme they have chosen", async () => {
  const path = "/pricing";
  // In this order, so that each request follows one with another theme; then again, when all pages are cached.
  for (let round = 0; round < 2; round += 1) {
    expect(themeOf((await open(path, inTheme("dark"))).html)).toEqual(DARK);
    expect(themeOf((await open(path)).html)).toEqual(SYSTEM);
    expect(themeOf((await open(path, inTheme("light"))).html)).toEqual(LIGHT);
    expect(themeOf((await open(path, inTheme("sepia"))).html)).toEqual(SYSTEM);
  }
  const [dark, system] = [await open(path, inTheme("dark")), await open(path)];
  const tag = system.headers.get("ETag") ?? "";
  expect(dark.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  expect(dark.headers.get("Set-Cookie")).toBeNull();
  // A browser that has the page in the old theme gets the new one, and can cache that.
  expect((await open(path, inTheme("dark", { "If-None-Match": tag }))).status).toBe(200);
  expect((await open(path, inTheme("dark", { "If-None-Match": dark.headers.get("ETag") ?? "" }))).status).toBe(304);
});

test.each([
  ["/contact", ["dark"]],
  ["/pricing?plan=basic", ["dark"]],
  ["/nothing-here", ["dark"]],
  ["/auth", []],
  ["/client/auth", []],
  ["/dev/mail", []],
])("%s is dark for visitors who chose the dark theme", async (path, pressed) => {
  expect(themeOf((await open(path, inTheme("dark"))).html)).toEqual({ ...DARK, pressed });
});

test.each([
  ["dark", "dark", ["#091518"]],
  ["light", "light", ["#f1f6f7"]],
  ["sepia", "light dark", ["#f1f6f7", "#091518"]],
])("the page of a rejected request has the theme for the choice %s: %s", async (theme, scheme, pages) => {
  const { status, html } = await open("/contact", { method: "DELETE", ...inTheme(theme) });
  expect(status).toBe(405);
  expect(themeOf(html).scheme).toBe(scheme);
  expect([...html.matchAll(/--page:(#\w+)/g)].map(([, color]) => color)).toEqual(pages);
});

test("the form returns to an estimate, but cached pages contain no campaign parameters", async () => {
  const path = (html: string) => /name="path" value="([^"]+)"/.exec(html)?.[1];
  expect(path((await open("/pricing?plan=core&users=12")).html)).toBe("/pricing?plan=core&amp;users=12#footer-theme");
  expect(path((await open("/terms?utm_source=letter")).html)).toBe("/terms#footer-theme");
  expect(path((await open("/terms")).html)).toBe("/terms#footer-theme");
});

describe("the brand", () => {
  /*
   * The pages of the built worker after a change of the brand. That a save publishes the settings is tested with the
   * command, and how long an isolate caches them with the cache.
   */

  type Stores = { SESSIONS: Pick<KVNamespace, "get" | "put"> };

  const ACME = {
    name: "Acme IT",
    legalName: "Acme Holding",
    email: "hello@acme.example",
    supportEmail: "help@acme.example",
    phone: "(212) 555-0199",
    address: ["7 Mill Road"],
    hours: "Day and night",
    tagline: "Done twice.",
    founder: "",
  };

  const EMPTY = {
    ...ACME,
    name: "<b>Acme</b>",
    legalName: "",
    phone: "",
    address: [],
    hours: "",
    tagline: "",
    founder: "",
  };

  let server: BuiltWorker;

  let version = 0;

  /** What is JSON, and no settings, is tested with the function that reads it. */
  const BROKEN = "{broken";

  /** Holds the brand that the running isolate has read, or will read first. */
  let published: object | string | undefined = BROKEN;

  beforeAll(async () => {
    server = await startBuiltWorker();
    await writeSettings(BROKEN);
  });

  afterAll(async () => server.close());

  async function writeSettings(text: string) {
    const { SESSIONS } = await server.getEnv<Stores>();
    await SESSIONS.put("site:current", text);
  }

  /** Writes the published settings as a save does. A running isolate would notice only after 30 seconds. */
  function writeBrand(brand: object) {
    version += 1;
    published = undefined;
    return writeSettings(JSON.stringify({ version, brand }));
  }

  /** Publishes a brand and starts a new isolate, which reads it, unless the present one has read the same. */
  async function publish(brand: object | typeof BROKEN) {
    if (published === brand) return;
    await (typeof brand === "string" ? writeSettings(brand) : writeBrand(brand));
    await server.restart();
    published = brand;
  }

  async function openBranded(path: string, headers: Record<string, string> = {}) {
    const response = await server.fetch(`http://localhost:8787${path}`, { headers } as never);
    return {
      status: response.status,
      headers: response.headers,
      html: (await response.text()).replace(/<!-- -->/g, ""),
    };
  }

  const etagOf = (page: Awaited<ReturnType<typeof openBranded>>) => page.headers.get("ETag") ?? "";

  test("with settings that are no JSON pages show the defaults, and after a save no cache serves an older page", async () => {
    await publish(BROKEN);
    const before = await openBranded("/");
    expect(before.status).toBe(200);
    expect(before.html).toContain("<title>Wrenfield: ");
    expect((await openBranded("/", { "If-None-Match": etagOf(before) })).status).toBe(304);
    // Another isolate with the same brand.
    expect((await open("/", { headers: { "If-None-Match": etagOf(before) } })).status).toBe(304);

    await publish(ACME);
    const after = await openBranded("/", { "If-None-Match": etagOf(before) });
    expect(after.status).toBe(200);
    expect(etagOf(after)).not.toBe(etagOf(before));
    expect(after.html).toContain("<title>Acme IT: ");
    expect((await openBranded("/", { "If-None-Match": etagOf(after) })).status).toBe(304);
  });

  test("pages show the saved brand and nothing of the default one, without reading the database", async () => {
    await publish(ACME);
    const texts: Record<string, string[]> = {
      "/contact": [
        '<a href="tel:+12125550199">(212) 555-0199</a>',
        'href="mailto:hello@acme.example"',
        "Day and night. 24/7",
      ],
      "/privacy": ["Acme Holding, 7 Mill Road", "hello@acme.example or (212) 555-0199"],
      "/terms": ["Acme Holding, 7 Mill Road"],
      "/why-us": ["Done twice. Then written down."],
      "/auth": ["<title>Sign in | Acme IT</title>"],
      "/nothing/here": ["<title>Page Not Found | Acme IT</title>"],
    };
    for (const path of new Set([...publicPaths, "/client/auth", ...Object.keys(texts)])) {
      const { html, headers } = await openBranded(path);
      for (const text of ["Acme IT", ...(texts[path] ?? [])]) expect(html, path).toContain(text);
      expect(html, path).not.toMatch(/Wrenfield|Robin Ashdown|Example Street|555-0142/);
      expect(headers.get("Server-Timing"), path).toContain("trips=0");
    }
  });

  test("an empty setting leaves no empty link, line or word", async () => {
    await publish(EMPTY);
    for (const path of ["/", "/contact", "/privacy", "/terms", "/why-us"]) {
      const html = (await openBranded(path)).html.replace(/<style>.*?<\/style>/gs, "");
      expect(html, path).toContain("&lt;b&gt;Acme&lt;/b&gt;");
      expect(html, path).not.toMatch(
        /undefined|tel:|<(a|p|span|blockquote|figcaption)( [^>]*)?><\/\1>|, founder|>\. |"null/,
      );
    }
    expect((await openBranded("/privacy")).html).toMatch(
      /<p[^>]*>&lt;b&gt;Acme&lt;\/b&gt;\. For anything on this page/,
    );
    expect((await openBranded("/contact")).html).toContain(">24/7 support");
  });

  test("the page of a rejected request has the name of the company, escaped", async () => {
    await publish(EMPTY);
    const response = await server.fetch("http://localhost:8787/contact", { method: "DELETE" } as never);
    expect(response.status).toBe(405);
    const html = await response.text();
    expect(html).toContain("&lt;b&gt;Acme&lt;/b&gt;");
    expect(html).not.toMatch(/tel:|undefined/);
  });

  test("a scheduled job publishes the settings of the database again", async () => {
    await writeBrand(ACME);
    // The database has no saved brand, as if an older backup had been restored.
    await server.runScheduledJobs();
    const { SESSIONS } = await server.getEnv<Stores>();
    // Nothing is changed, so pages show the defaults.
    expect(await SESSIONS.get("site:current", "json")).toEqual({ version: 0, brand: {}, values: {} });
  });
});
