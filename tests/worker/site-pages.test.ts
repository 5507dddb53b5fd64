import { expect, test } from "vitest";
import { publicPaths } from "~/features/site/seo";
import { FLASH_COOKIE } from "~/platform/flash.server";
import { builtWorker } from "../support/built-worker";

const server = builtWorker();

async function open(path: string, init: RequestInit = {}) {
  const response = await server.fetch(new URL(path, "http://localhost:8787"), init as never);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const cachedPaths = publicPaths.filter((path) => path !== "/contact");

test.each(cachedPaths)("%s is the same for everyone: no cookie, no nonce, an ETag", async (path) => {
  const page = await open(path);
  expect(page.status).toBe(200);
  expect(page.headers.get("Set-Cookie")).toBeNull();
  expect(page.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self';");
  expect(page.html).not.toContain("form_token");
  const etag = page.headers.get("ETag") ?? "";
  expect((await open(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
});

test.each([
  ["somebody signed in", "/", { Cookie: "__Host-sid=0123456789012345678901234567890123456789012" }],
  ["somebody with a message to show", "/", { Cookie: `${FLASH_COOKIE}=abc.def` }],
  ["an estimate", "/pricing?plan=basic", {}],
])("the page for %s is not cached", async (_, path, headers) => {
  const page = await open(path, { headers });
  expect(page.headers.get("Cache-Control")).toBe("private, no-store");
  expect(page.headers.get("ETag")).toBeNull();
  expect(page.headers.get("Content-Security-Policy")).not.toMatch(/nonce-|unsafe/);
});

test.each(publicPaths)("%s has a title, one heading, a canonical link and a description", async (path) => {
  const { html } = await open(`${path}?utm_source=letter`);
  expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
  expect(html.match(/<h1\b/g)).toHaveLength(1);
  expect(html).toContain(`<link rel="canonical" href="http://localhost:8787${path}"/>`);
  expect(html).toMatch(/<meta name="description" content="[^"]{30,}"/);
  expect(html).toContain('<meta property="og:image" content="http://localhost:8787/images/preview.png"/>');
  for (const [, json] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)) {
    expect(JSON.parse(json ?? "")).toMatchObject({ "@context": "https://schema.org" });
  }
});

test("until its owner writes a story, an installation tells nobody's", async () => {
  const { html } = await open("/why-us");
  expect(html).not.toMatch(/Our story|, founder|<blockquote/);
  expect(html).toMatch(/>Mission</);
});

test("titles and descriptions are all different", async () => {
  const pages = await Promise.all(publicPaths.map((path) => open(path)));
  const found = (pattern: RegExp) => new Set(pages.map(({ html }) => pattern.exec(html)?.[1]));
  expect(found(/<title>([^<]+)</).size).toBe(publicPaths.length);
  expect(found(/name="description" content="([^"]+)"/).size).toBe(publicPaths.length);
});

test.each([
  ["/services/cloud", "Service Not Found", "Did you mean Cloud &amp; Remote Work?", "/services/cloud-solutions"],
  ["/services/backup", "Service Not Found", "Did you mean Data Backup?", "/services/data-backup"],
  ["/services/unheard-of", "Service Not Found", "Sorry, we couldn&#x27;t find the service", "/services"],
  ["/industries/farming", "Industry Not Found", "Sorry, we couldn&#x27;t find information", "/industries"],
  ["/nothing/here", "Page Not Found", "Return to Home", "/"],
  ["/services/__proto__", "Service Not Found", "Sorry", "/services"],
])("%s gets a 404 page with a useful link, which is not cached", async (path, title, text, link) => {
  const page = await open(path);
  expect(page.status).toBe(404);
  expect(page.html).toContain(`<h1>${title}</h1>`);
  expect(page.html.replace(/<!-- -->/g, "")).toContain(text);
  expect(page.html).toContain(`href="${link}"`);
  expect(page.html).toContain('<meta name="robots" content="noindex"/>');
  expect(page.headers.get("Cache-Control")).toBe("private, no-store");
});

/** Returns the total on the page, as a visitor without scripts sees it. */
const totalIn = (html: string) => /<output[^>]*>([^<]+)<\/output>/.exec(html)?.[1];

test.each([
  ["", "$745.00", false],
  ["?plan=core&users=12&lab=4&secureStorage=on", "$2,096.60", false],
  ["?plan=premium&users=1&webServices=on", "$229.00", false],
  ["?users=9999", "$7,450.00", true],
  ["?lab=-1", "$745.00", true],
  ["?plan=nonsense", "$745.00", true],
  ["?users=3&users=9&plan=basic&plan=core", "$237.00", false],
  ["?users=%00&lab=%F0%9F%92%A9&webServices=%3Cscript%3E", "$745.00", false],
  [`?users=${"9".repeat(2_000)}`, "$7,450.00", true],
])("the total of /pricing%s is %s", async (query, total, isAdjusted) => {
  const { status, html } = await open(`/pricing${query}`);
  expect(status).toBe(200);
  expect(totalIn(html)).toBe(total);
  expect(html.includes("We adjusted a value to the allowed range.")).toBe(isAdjusted);
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
});

test("links of the pricing page contain the estimate, and those of a plan that plan", async () => {
  const { html } = await open("/pricing?plan=core&users=12&webServices=on");
  expect(html).toContain('href="/contact?plan=core&amp;users=12&amp;lab=0&amp;webServices=on"');
  expect(html).toContain('href="/contact?plan=basic&amp;users=12&amp;lab=0&amp;webServices=on"');
  // Premium includes web services, so the link must not add them.
  expect(html).toContain('href="/contact?plan=premium&amp;users=12&amp;lab=0"');
});

test("with Premium the page marks included add-ons, and at 50 users it says what to do", async () => {
  const { html } = await open("/pricing?plan=premium&users=50");
  const included = [...html.matchAll(/<span [^>]*data-add-on="(\w+)">Included</g)].map(([, flag]) => flag);
  expect(included).toEqual(["webServices", "extraOnsiteVisits", "extraAfterHoursSupport"]);
  for (const flag of included) expect(html).toMatch(new RegExp(`<input[^>]*name="${flag}" disabled=""`));
  expect(html).toMatch(/<p [^>]*data-more="true">/);
  expect((await open("/pricing?users=49")).html).toMatch(/<p [^>]*data-more="true" hidden="">/);
});

test("the contact page shows the estimate and sends the choices, never a price", async () => {
  const { html } = await open("/contact?plan=core&users=12&lab=4&secureStorage=on");
  expect(html).toContain("$2,096.60");
  for (const [name, value] of [
    ["plan", "core"],
    ["users", "12"],
    ["lab", "4"],
    ["secureStorage", "on"],
  ]) {
    expect(html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  }
  expect((await open("/contact")).html).not.toContain("Your estimate");
});
