import { chromium } from "@playwright/test";
import { CPU_SLOWDOWN, openPage } from "./first-paint.mjs";

/** Names the tasks of a thread in a trace, and the one event that names the page which the thread is of. */
const TASK = "RunTask";
const PARSE = "ParseHTML";
const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/** Holds what a task may take before it counts as blocking, in milliseconds. */
const SHORT_TASK = 50;

/**
 * Loads pages with an empty cache and returns for each how long its main thread was blocked, in milliseconds: what its
 * tasks take beyond 50 each, on a processor a quarter as fast. Counts the time in which the thread itself ran. The clock
 * on the wall, which the browser goes by, also counts what other programs of the machine did meanwhile, and where the
 * browser slows its processor down, it counts that several times.
 */
export async function mainThread(urls, { executablePath, rounds }) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic"] });
  const blocked = new Map(urls.map((url) => [url, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const url of urls) blocked.get(url).push(await load(browser, url));
    }
  } finally {
    await browser.close();
  }
  return urls.map((url) => ({ page: new URL(url).pathname, "blocked ms": Math.round(Math.min(...blocked.get(url))) }));
}

async function load(browser, url) {
  const { page, close } = await openPage(browser, { slowdown: 1 });
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.goto(url, { waitUntil: "load", timeout: 60_000 });
  await page.waitForTimeout(300);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await close();
  return blockedIn(traceEvents, url);
}

/** Returns how long the thread of a page was blocked. The trace has those of the browser's own pages as well. */
function blockedIn(events, url) {
  const page = events.find(({ name, args }) => name === PARSE && args?.beginData?.url === url);
  const tasks = events.filter(({ name, pid, tid }) => name === TASK && pid === page?.pid && tid === page.tid);
  if (tasks.length === 0) throw new Error(`The trace has no tasks of ${url}`);
  const blocked = tasks.map(({ tdur }) => Math.max(0, (tdur / 1000) * CPU_SLOWDOWN - SHORT_TASK));
  return blocked.reduce((sum, milliseconds) => sum + milliseconds, 0);
}
