import { expect, type Page, test } from "../../support/browser-test";

declare global {
  /** Sums up how far parts of the page have moved by themselves, as browsers report it. */
  var shifted: number;
}

/** Adds up the shifts of every page that is opened from here on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        globalThis.shifted += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

for (const [device, width] of [
  ["a phone", 390],
  ["a wide screen", 1440],
] as const) {
  test(`nothing moves on a public page when our font comes after its text, on ${device}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await watchShifts(page);
    let release = () => {};
    let released = Promise.resolve();
    await page.route(/\.woff2/, async (route) => {
      await released;
      await route.continue();
    });
    for (const path of ["/", "/services", "/industries/healthcare", "/why-us", "/pricing", "/contact", "/privacy"]) {
      released = new Promise((resolve) => {
        release = resolve;
      });
      const font = page.waitForRequest(/\.woff2/);
      await page.goto(path, { waitUntil: "domcontentloaded" });
      await font;
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const loaded = page.waitForEvent("requestfinished", (request) => request.url().includes(".woff2"));
      release();
      await loaded;
      // Whatever the font changes is laid out before the second frame.
      await page.evaluate(async () => {
        await document.fonts.ready;
        for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
      expect(await page.evaluate(() => globalThis.shifted), path).toBeLessThanOrEqual(0.01);
    }
  });
}
