import { chromium } from "@playwright/test";

/**
 * Describes a mid-range phone on a slow line, as the developer tools of Chromium define "Slow 4G" with a processor a
 * quarter as fast.
 */
const SCREEN = { width: 412, height: 823 };
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const CPU_SLOWDOWN = 4;

/**
 * Loads pages with an empty cache on a slow line and a slow processor, alternating, and reports when the largest piece
 * was painted and how far the layout moved. Of times it takes the least: whatever else
 * the machine does can only add to what a page costs. Of shifts it takes the worst. `targets`: `{name, url}`; the first
 * is what the others are compared with.
 */
export async function firstPaint(targets, { executablePath, rounds }) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic"] });
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
  }
  const [reference] = targets;
  const paint = (name) => Math.min(...results[name].map(({ lcp }) => lcp));
  return targets.map(({ name }) => ({
    page: name,
    "LCP ms": Math.round(paint(name)),
    "of the static page": Number((paint(name) / paint(reference.name)).toFixed(2)),
    CLS: Number(Math.max(...results[name].map(({ cls }) => cls)).toFixed(4)),
  }));
}

/** Fonts that are measured alike; a device without them draws with whatever it has (docs/decisions/0002). */
const FALLBACKS = ["Schibsted Arial", "Schibsted Roboto"];

/**
 * Loads pages once with each fallback alone, under the same conditions, and reports for each fallback how far the
 * layout of the worst page moved.
 */
export async function layoutShifts(urls, { executablePath }) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic"] });
  const rows = [];
  try {
    for (const fallback of FALLBACKS) {
      let worst = { page: "", CLS: 0 };
      for (const url of urls) {
        const { cls } = await load(browser, url, fallback);
        if (cls >= worst.CLS) worst = { page: new URL(url).pathname, CLS: Number(cls.toFixed(4)) };
      }
      rows.push({ fallback, ...worst });
    }
  } finally {
    await browser.close();
  }
  return rows;
}

/** Answers documents with their list of fonts cut to ours and one fallback. */
async function allowOneFallback(page, fallback) {
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.continue();
    const response = await route.fetch();
    const { "content-security-policy": _, ...headers } = response.headers();
    const body = (await response.text()).replace(/("Schibsted Grotesk Variable"),[^;}]+/g, `$1,"${fallback}"`);
    return route.fulfill({ response, headers, body });
  });
}

async function openPage(browser) {
  const context = await browser.newContext({ viewport: SCREEN, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  return { page, close: () => context.close() };
}

async function load(browser, url, fallback) {
  const { page, close } = await openPage(browser);
  if (fallback) await allowOneFallback(page, fallback);
  await page.addInitScript(watchPaints);
  const response = await page.goto(url, { waitUntil: "load", timeout: 60_000 });
  if (!response?.ok()) throw new Error(`${url} answered ${response?.status()}`);
  // Fonts may still move things, and a later, larger piece would count.
  await page.waitForTimeout(800);
  const result = await page.evaluate(() => globalThis.paints);
  await close();
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
