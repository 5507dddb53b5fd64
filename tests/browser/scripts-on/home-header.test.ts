import { expect, type Page, test } from "@playwright/test";

const isShown = (page: Page) =>
  page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().bottom > 40);
const scrollTo = (page: Page, top: number) =>
  page.evaluate((y) => window.scrollTo({ top: y, behavior: "instant" }), top);

/** Opens Home with its three seconds far away, so that only what the test does shows the header. */
async function openWaiting(page: Page) {
  await page.goto("/");
  await page.addStyleTag({ content: ".waits { animation-delay: 1e6s !important }" });
  await expect.poll(() => isShown(page)).toBe(false);
}

test.use({ bypassCSP: true });

test("the header of Home shows past 200 px and hides under 100 px, not in between", async ({ page }) => {
  await openWaiting(page);
  await scrollTo(page, 190);
  await expect(page.getByRole("banner")).toHaveAttribute("data-navbar", "waits");
  await scrollTo(page, 210);
  await expect.poll(() => isShown(page)).toBe(true);
  await scrollTo(page, 110);
  await expect(page.getByRole("banner")).toHaveAttribute("data-navbar", "shown");
  await scrollTo(page, 90);
  await expect.poll(() => isShown(page)).toBe(false);
});

test("the signal shows the header of Home for good", async ({ page }) => {
  await openWaiting(page);
  await page.evaluate(() => document.dispatchEvent(new Event("show-navbar")));
  await expect.poll(() => isShown(page)).toBe(true);
  await scrollTo(page, 300);
  await scrollTo(page, 0);
  await expect(page.getByRole("banner")).toHaveAttribute("data-navbar", "shown");
});

test("the header of Home shows on keyboard focus and by itself after a while", async ({ page }) => {
  await openWaiting(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect.poll(() => isShown(page)).toBe(true);
  await page.goto("/terms");
  await page.goto("/");
  await expect.poll(() => isShown(page)).toBe(true);
});
