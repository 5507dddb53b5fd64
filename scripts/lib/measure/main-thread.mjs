import { chromium } from "@playwright/test";
import { blockedTime } from "./blocked-time.mjs";
import { CPU_SLOWDOWN, openPage } from "./first-paint.mjs";

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/** Limits how often a page is loaded in one round until its trace has the time of all of its tasks. */
const ATTEMPTS = 3;

/**
 * Loads pages with an empty cache and returns for each how long its main thread was blocked, in milliseconds: what its
 * tasks take beyond 50 each, on a processor a quarter as fast. Counts the time in which the thread itself ran. The
 * clock on the wall, which the browser goes by, also counts what other programs of the machine did meanwhile, and where
 * the browser slows its processor down, it counts that several times. Null: no trace had the time of every task.
 */
export async function mainThread(urls, { executablePath, rounds }) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic"] });
  const blocked = new Map(urls.map((url) => [url, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const url of urls) blocked.get(url).push(await measure(browser, url));
    }
  } finally {
    await browser.close();
  }
  return urls.map((url) => ({ page: new URL(url).pathname, "blocked ms": least(blocked.get(url)) }));
}

function least(times) {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.round(Math.min(...known)) : null;
}

async function measure(browser, url) {
  let blocked = null;
  for (let attempt = 0; attempt < ATTEMPTS && blocked === null; attempt += 1) blocked = await load(browser, url);
  return blocked;
}

async function load(browser, url) {
  const { page, close } = await openPage(browser, { slowdown: 1 });
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.goto(url, { waitUntil: "load", timeout: 60_000 });
  await page.waitForTimeout(300);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await close();
  return blockedTime(traceEvents, { url, slowdown: CPU_SLOWDOWN });
}
