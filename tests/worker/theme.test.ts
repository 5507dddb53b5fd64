import { expect, test } from "vitest";
import { builtWorker } from "../support/built-worker";

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

const choose = (headers: Record<string, string>, body = "theme=dark&path=%2Fpricing") =>
  open("/theme", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body,
  });

test.each([
  ["another site", { Origin: "https://evil.example" }],
  ["another site, by its fetch metadata", { Origin: "http://localhost:8787", "Sec-Fetch-Site": "cross-site" }],
  ["an unknown origin", {}],
])("a form from %s does not set a theme", async (_, headers: Record<string, string>) => {
  const response = await choose(headers);
  expect([response.status, response.headers.get("Set-Cookie")]).toEqual([403, null]);
});

test("our own form sets the theme, and an unknown theme gets an error page", async () => {
  const ours = { Origin: "http://localhost:8787" };
  const chosen = await choose(ours);
  expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, "/pricing"]);
  expect(chosen.headers.get("Set-Cookie")).toMatch(/^__Host-theme=dark; /);
  const unknown = await choose(ours, "theme=sepia&path=%2Fpricing");
  expect([unknown.status, unknown.headers.get("Set-Cookie")]).toEqual([400, null]);
  expect(unknown.html).toContain("That could not be read");
});

test.each([
  "/",
  "/pricing",
  "/why-us",
])("%s is cached once per theme, and everybody gets the theme they have chosen", async (path) => {
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
