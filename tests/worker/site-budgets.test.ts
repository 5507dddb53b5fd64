import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { publicPaths } from "~/features/site/seo";
import { builtWorker } from "../support/built-worker";

/* The bytes and requests of public pages, measured on the built product. */
const HTML_AND_CSS = 24_000;
const ESTIMATOR_SCRIPT = 2_000;
const FORM_SCRIPT = 3_000;
const HEADER_SCRIPT = 1_000;
const REQUESTS_ON_HOME = 4;

const server = builtWorker();

const at = async (path: string) => {
  const response = await server.fetch(new URL(path, "http://localhost:8787"));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

const gzip = (bytes: Buffer) => gzipSync(bytes, { level: 6 }).length;

/** Measures what a browser loads for a page. Sizes are compressed, in bytes. */
async function measure(path: string) {
  const page = await at(path);
  const html = page.bytes.toString();
  const tags = [...html.matchAll(/<(?:link|script)\b[^>]*>/g)].map(([tag]) => tag);
  const address = (tag: string) => /(?:href|src)="([^"]+)"/.exec(tag)?.[1] ?? "";
  const links = (rel: string) => tags.filter((tag) => tag.includes(`rel="${rel}"`)).map(address);
  const files = ["stylesheet", "preload", "modulepreload", "icon"]
    .flatMap(links)
    .filter((file) => !/^data:/.test(file));
  const rules = page.headers.has("Speculation-Rules") ? ["/speculation-rules.json"] : [];
  const scripts = tags.filter((tag) => tag.startsWith("<script") && !tag.includes("application/ld+json"));
  const scriptFiles = await Promise.all(scripts.map((tag) => at(address(tag))));
  return {
    status: page.status,
    html,
    policy: page.headers.get("Content-Security-Policy") ?? "",
    scripts,
    document: gzip(page.bytes),
    sheets: links("stylesheet"),
    script: scriptFiles.reduce((sum, { bytes }) => sum + gzip(bytes), 0),
    // The page itself and the speculation rules of its header are requests too.
    requests: [path, ...rules, ...files].length,
    statuses: scriptFiles.map(({ status }) => status),
  };
}

describe.each(publicPaths)("%s", (path) => {
  test("stays within its budget, and everything it loads exists", async () => {
    const page = await measure(path);
    expect(page.status).toBe(200);
    expect(page.statuses.every((status) => status === 200)).toBe(true);
    expect(page.document, "HTML and CSS, compressed").toBeLessThanOrEqual(HTML_AND_CSS);
    expect(page.sheets, "style sheets are inline").toEqual([]);
    expect(page.html).not.toContain("modulepreload");
    expect(page.html).not.toMatch(/ style="| onclick=/);
    if (path === "/pricing") {
      expect(page.scripts).toEqual([
        expect.stringMatching(/^<script src="\/scripts\/estimator-script-\w+\.js" defer="">$/),
      ]);
      expect(page.script).toBeLessThanOrEqual(ESTIMATOR_SCRIPT);
    } else if (path === "/contact") {
      expect(page.scripts).toHaveLength(1);
      expect(page.script).toBeLessThanOrEqual(FORM_SCRIPT);
    } else if (path === "/") {
      expect(page.scripts).toHaveLength(1);
      expect(page.script).toBeLessThanOrEqual(HEADER_SCRIPT);
    } else {
      expect(page.scripts).toEqual([]);
    }
  });
});

test.each([
  "/",
  "/pricing",
  "/contact",
  "/auth",
  "/nothing-here",
])("the policy of %s allows its inline style sheets and no others", async (path) => {
  const { html, policy } = await measure(path);
  const sheets = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css ?? "");
  const sources = sheets.map((css) => `'sha256-${createHash("sha256").update(css).digest("base64")}'`);
  expect(sheets.length).toBeGreaterThan(0);
  expect(html.match(/<style/g)).toHaveLength(sheets.length);
  expect(/style-src ([^;]+);/.exec(policy)?.[1]).toBe(["'self'", ...sources].join(" "));
});

test("a first visit to Home loads the page, one font and the speculation rules", async () => {
  expect((await measure("/")).requests).toBeLessThanOrEqual(REQUESTS_ON_HOME);
});

test("files with a hash in their name are cached for ever, and browsers do not guess their type", async () => {
  const html = (await at("/pricing")).bytes.toString();
  const files = [...html.matchAll(/(?:href|src)="(\/(?:build|scripts)\/[^"]+)"/g)].map(([, file]) => file ?? "");
  // The font and the script.
  expect(files).toHaveLength(2);
  for (const file of files) {
    const { status, headers } = await at(file);
    expect(status).toBe(200);
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  }
});

test.each([
  ["/site.webmanifest", "application/manifest+json"],
  ["/speculation-rules.json", "application/speculationrules+json"],
  ["/images/preview.png", "image/png"],
  ["/images/apple-touch-icon.png", "image/png"],
  ["/brand/icon.svg", "image/svg+xml"],
  ["/favicon.svg", "image/svg+xml"],
])("%s is served as %s", async (path, type) => {
  const { status, headers } = await at(path);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toContain(type);
});

test("the icons of the manifest exist", async () => {
  const manifest = JSON.parse((await at("/site.webmanifest")).bytes.toString()) as { icons: { src: string }[] };
  expect(manifest.icons.length).toBeGreaterThan(0);
  for (const { src } of manifest.icons) expect((await at(src)).status).toBe(200);
});
