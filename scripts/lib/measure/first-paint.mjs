import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";

/** A mid-range phone on a slow line, as the developer tools of Chromium define "Slow 4G", a quarter as fast. */
const SCREEN = { width: 412, height: 823 };
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const CPU_SLOWDOWN = 4;

/**
 * Loads pages of a site with an empty cache on a slow line and a slow processor, alternating, beside the words of Home
 * as a static page. Reports when the largest piece was painted and how far the layout moved. Of times it takes the
 * least: whatever else the machine does can only add to what a page costs. Of shifts it takes the worst.
 */
export async function firstPaint(site, paths, { browser: { executablePath, env }, rounds }) {
  const home = await (await fetch(site)).text();
  const servers = [await serve(async () => staticPage(home)), await serve((path) => answerOf(site + path))];
  const [plain, product] = servers;
  const targets = [
    { name: "the words of Home as a static page", url: plain.origin },
    ...paths.map((path) => ({ name: path, url: product.origin + path })),
  ];
  const options = { executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox", "--disable-quic"] };
  const browser = await chromium.launch(options);
  const results = Object.fromEntries(targets.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, url } of targets) {
        const result = await load(browser, url);
        // The first round warms up.
        if (round > 0) results[name].push(result);
      }
    }
  } finally {
    await browser.close();
    for (const { close } of servers) close();
  }
  const paint = ({ name }) => Math.min(...results[name].map(({ lcp }) => lcp));
  return targets.map((target) => ({
    page: target.name,
    "LCP ms": Math.round(paint(target)),
    "of the static page": Number((paint(target) / paint(targets[0])).toFixed(2)),
    CLS: Number(Math.max(...results[target.name].map(({ cls }) => cls)).toFixed(4)),
  }));
}

async function load(browser, url) {
  const context = await browser.newContext({ viewport: SCREEN, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.addInitScript(watchPaints);
  const response = await page.goto(url, { waitUntil: "load", timeout: 60_000 });
  if (!response?.ok()) throw new Error(`${url} answered ${response?.status()}`);
  // Fonts may still move things, and a later, larger piece would count.
  await page.waitForTimeout(800);
  const result = await page.evaluate(() => globalThis.paints);
  await context.close();
  return result;
}

/** Runs in the page before anything of it. */
function watchPaints() {
  globalThis.paints = { lcp: 0, cls: 0 };
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => {
    globalThis.paints.lcp = entry.startTime;
  });
  watch("layout-shift", (entry) => {
    if (!entry.hadRecentInput) globalThis.paints.cls += entry.value;
  });
}

/** Serves answers with their text compressed, as the platform's edge does; the local runtime does not. */
async function serve(answer) {
  const server = createServer(async ({ url }, response) => {
    const { status, headers, body } = await answer(url);
    const isText = /text\/|javascript|json|svg/.test(headers["content-type"] ?? "");
    const sent = isText ? gzipSync(body) : body;
    const encoding = isText ? { "content-encoding": "gzip" } : {};
    response.writeHead(status, { ...headers, ...encoding, "content-length": sent.length }).end(sent);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://localhost:${server.address().port}`, close: () => server.close() };
}

async function answerOf(url) {
  const response = await fetch(url, { redirect: "manual" });
  const body = Buffer.from(await response.arrayBuffer());
  const { "transfer-encoding": _, "content-encoding": __, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body };
}

const STYLE =
  "body{font:17px/1.55 system-ui,sans-serif;margin:0;color:#041a21;background:#f1f6f7}" +
  "main{max-width:70rem;margin:auto;padding:1.5rem}h1{font-size:2.4rem;line-height:1.1}h2{font-size:1.6rem}";

/**
 * Returns what a static site builder makes of the same words: the headings and paragraphs of a page of ours in one
 * document with a dozen rules inside, no font and no script. Nothing that says as much can be painted sooner.
 */
function staticPage(html) {
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  const parts = [...main.matchAll(/<(h[1-3]|p)\b[^>]*>(.*?)<\/\1>/gs)].map(
    ([, tag, inner]) => `<${tag}>${inner.replace(/<[^>]+>/g, "")}</${tag}>`,
  );
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">` +
    `<style>${STYLE}</style></head><body><main>${parts.join("\n")}</main></body></html>`;
  return { status: 200, headers: { "content-type": "text/html" }, body };
}
