import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { publicPaths } from "~/features/site/seo";
import { startBuiltWorker } from "../support/built-worker";

/*
 * What a saved brand does to the answers of the deployed worker. That a save puts its copy here is tested with the
 * command, and how long an isolate goes by what it has read, with the reader of the copy.
 */

type Stores = { SESSIONS: { put: (key: string, value: string) => Promise<void> } };

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

let server: TestHarness;
let version = 0;

beforeAll(async () => {
  server = await startBuiltWorker();
});
afterAll(async () => server.close());

/** What a save leaves for the pages. */
function publish(brand: object) {
  version += 1;
  return publishText(JSON.stringify({ version, brand }));
}

/** Puts the copy and goes on with a fresh isolate, which knows what one that has been running knows half a minute later. */
async function publishText(copy: string) {
  const { SESSIONS } = await server.getWorker<Stores>().getEnv();
  await SESSIONS.put("site:current", copy);
  await freshIsolate();
}

const freshIsolate = () => server.update((options) => ({ ...options }));

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await server.fetch(`http://localhost:8787${path}`, { headers } as never);
  return { status: response.status, headers: response.headers, html: (await response.text()).replace(/<!-- -->/g, "") };
}

const etagOf = (page: Awaited<ReturnType<typeof open>>) => page.headers.get("ETag") ?? "";

test("a kept page does not outlive a save, in no cache", async () => {
  const before = await open("/");
  expect(before.html).toContain("<title>Wrenfield: ");
  expect((await open("/", { "If-None-Match": etagOf(before) })).status).toBe(304);

  await publish(ACME);
  const after = await open("/", { "If-None-Match": etagOf(before) });
  expect(after.status).toBe(200);
  expect(etagOf(after)).not.toBe(etagOf(before));
  expect(after.html).toContain("<title>Acme IT: ");
  expect((await open("/", { "If-None-Match": etagOf(after) })).status).toBe(304);
  await freshIsolate();
  expect((await open("/", { "If-None-Match": etagOf(after) })).status).toBe(304);
});

test("pages say what was saved and nothing of the brand before, and no read of the database is needed", async () => {
  await publish(ACME);
  const said: Record<string, string[]> = {
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
  for (const path of new Set([...publicPaths, "/client/auth", ...Object.keys(said)])) {
    const { html, headers } = await open(path);
    for (const text of ["Acme IT", ...(said[path] ?? [])]) expect(html, path).toContain(text);
    expect(html, path).not.toMatch(/Wrenfield|Robin Ashdown|Example Street|555-0142/);
    expect(headers.get("Server-Timing"), path).toContain("trips=0");
  }
});

test("what was emptied leaves no empty link, line or word behind", async () => {
  await publish({ ...ACME, legalName: "", phone: "", address: [], hours: "", tagline: "", founder: "" });
  for (const path of ["/", "/contact", "/privacy", "/terms", "/why-us"]) {
    const html = (await open(path)).html.replace(/<style>.*?<\/style>/gs, "");
    expect(html, path).toContain("Acme IT");
    expect(html, path).not.toMatch(
      /undefined|tel:|<(a|p|span|blockquote|figcaption)( [^>]*)?><\/\1>|, founder|>\. |"null/,
    );
  }
  expect((await open("/privacy")).html).toContain("<p>Acme IT. For anything on this page");
  expect((await open("/contact")).html).toContain(">24/7 support");
});

test.each([
  "{broken",
  '"a text"',
  '{"version":-1,"brand":{"name":"Acme IT"}}',
])("a copy that cannot be read, %s, leaves the defaults", async (copy) => {
  await publishText(copy);
  const { status, html } = await open("/");
  expect(status).toBe(200);
  expect(html).toContain("<title>Wrenfield: ");
});

test("an error before any route names the company, and what it is called is only text", async () => {
  await publish({ ...ACME, name: "<b>Acme</b>", phone: "" });
  const response = await server.fetch("http://localhost:8787/contact", { method: "DELETE" } as never);
  expect(response.status).toBe(405);
  const html = await response.text();
  expect(html).toContain("&lt;b&gt;Acme&lt;/b&gt;");
  expect(html).not.toMatch(/tel:|undefined/);
});

test("the timetable brings the copy back to what the database holds", async () => {
  await publish(ACME);
  // Nothing was ever saved in it: as if it had been restored to the day before.
  await server.getWorker().scheduled({ cron: "* * * * *" });
  await freshIsolate();
  expect((await open("/")).html).toContain("<title>Wrenfield: ");
});
