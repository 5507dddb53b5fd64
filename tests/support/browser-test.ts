import { createHash } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";

/*
 * What browser tests build on. Nothing here, and nothing in them, may depend on how fast the machine is, on the hour or
 * on which tests ran before.
 */

export type {
  APIRequestContext,
  Browser,
  Locator,
  Page,
  Request,
  Route,
  TestInfo,
  WebSocketRoute,
} from "@playwright/test";
export { expect };

/** Returns the header by which the platform tells the worker where a request came from. */
const cameFrom = (address: string) => ({ "CF-Connecting-IP": address });

/** Is open as long as this worker of the runner, which has the tests of one project. */
let shared: BrowserContext | undefined;

/**
 * Gives each test a network address of its own, also in browsers that it opens besides: limits count by it, and many
 * tests together would use up an hour's. Their first browser is one, without the pages and cookies of the test before:
 * what it keeps are the scripts of the product, dozens of files, which a new one would read and compile for each test.
 * `ownBrowser`: for what cannot be taken back, such as a clock that was stopped.
 */
export const test = base.extend<{ ownBrowser: boolean }>({
  ownBrowser: [false, { option: true }],
  extraHTTPHeaders: ({ extraHTTPHeaders }, use, { testId }) => {
    const [high, low] = createHash("sha256").update(testId).digest();
    return use({ ...extraHTTPHeaders, ...cameFrom(`198.18.${high}.${low}`) });
  },
  context: async ({ browser, ownBrowser, extraHTTPHeaders }, use) => {
    if (ownBrowser) {
      const own = await browser.newContext();
      await use(own);
      return own.close();
    }
    shared ??= await browser.newContext();
    await shared.setExtraHTTPHeaders(extraHTTPHeaders ?? {});
    await use(shared);
    await Promise.all(shared.pages().map((page) => page.close()));
    await shared.clearCookies();
  },
});

/**
 * Waits until the scripts of an admin page have taken over: before that, a link asks for a document and a form is sent
 * by the browser. Where no scripts run there is nothing to wait for.
 */
export async function isHydrated(page: Page) {
  if (test.info().project.use.javaScriptEnabled === false) return;
  await expect(
    page.locator("#live-updates button").filter({ hasText: /^(Pause|Resume) live updates$/ }),
  ).toBeAttached();
}

/** Opens a page of the admin area, ready for whatever is done on it. */
export async function openAdmin(page: Page, path: string) {
  await page.goto(path);
  await isHydrated(page);
}

/**
 * Opens a page of the portal, ready for whatever is done on it: from here on what is pressed is the script's, if any.
 */
export async function openPortal(page: Page, path: string) {
  await page.goto(path);
  if (test.info().project.use.javaScriptEnabled === false) return;
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("#main") ?? {}).some((key) => key.startsWith("__reactFiber$")),
  );
}
