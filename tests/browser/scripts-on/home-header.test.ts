import { expect, type Locator, type Page, test } from "../../support/browser-test";

const isShown = (page: Page) =>
  page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().bottom > 40);
const headerTop = async (page: Page) => (await page.getByRole("banner").boundingBox())?.y ?? Number.NaN;
const scrollTo = (page: Page, top: number) =>
  page.evaluate((y) => window.scrollTo({ top: y, behavior: "instant" }), top);

/** Starts the movement of an element again and stops it after so many milliseconds, however fast the machine is. */
const stopAfter = (part: Locator, time: number) =>
  part.evaluate((element: HTMLElement, reached) => {
    element.style.animation = "none";
    element.getAnimations();
    element.style.animation = "";
    const animations = element.getAnimations();
    for (const animation of animations) {
      animation.pause();
      animation.currentTime = reached;
    }
    return animations.length;
  }, time);

/** Opens Home with its three seconds far away, so that only what the test does shows the header. */
async function openWaiting(page: Page) {
  await page.goto("/");
  await page.addStyleTag({ content: ".waits { animation-delay: 1e6s !important }" });
  await expect.poll(() => isShown(page)).toBe(false);
}

test.describe("with a delay of its own", () => {
  test.use({ bypassCSP: true, ownBrowser: true });

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

  test("the header of Home shows on keyboard focus", async ({ page }) => {
    await openWaiting(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("banner").getByRole("link", { name: "Wrenfield" })).toBeFocused();
    await expect.poll(() => isShown(page)).toBe(true);
  });
});

test("on Home the header waits for three seconds and comes by itself", async ({ page }) => {
  await page.goto("/");
  // A transition may be under way too; the movement is what starts again.
  expect(await stopAfter(page.getByRole("banner"), 2_900)).toBe(1);
  expect(await headerTop(page)).toBeLessThan(-50);
  await stopAfter(page.getByRole("banner"), 3_400);
  expect(await headerTop(page)).toBe(0);
  await page.goto("/terms");
  await page.goto("/");
  await expect.poll(() => headerTop(page)).toBe(0);
});

test("the second half of the headline takes the place of the first after three seconds; without movement both stand there", async ({
  page,
}) => {
  await page.goto("/");
  const halves = page.getByRole("heading", { level: 1 }).locator("> span");
  const [first, second] = [halves.first(), halves.last()];
  await expect(halves).toHaveCount(2);
  for (const half of [first, second]) await stopAfter(half, 2_900);
  await expect(first).toHaveCSS("opacity", "1");
  await expect(second).toHaveCSS("opacity", "0");
  for (const half of [first, second]) await stopAfter(half, 3_800);
  await expect(first).toHaveCSS("opacity", "0");
  await expect(second).toHaveCSS("opacity", "1");

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await expect(first).toBeVisible();
  expect(await stopAfter(second, 0)).toBe(0);
  await expect(second).toHaveCSS("opacity", "1");
  await expect.poll(() => headerTop(page)).toBe(0);
});

test("both halves of the headline have two lines at the same place, at every width and size of text", async ({
  page,
}) => {
  await page.goto("/");
  const headline = page.getByRole("heading", { level: 1 });
  for (const half of await headline.locator("> span").all()) await stopAfter(half, 3_800);
  for (const size of ["100%", "200%"]) {
    await page.locator("html").evaluate((html, fontSize) => {
      html.style.fontSize = fontSize;
    }, size);
    for (const width of [320, 390, 768, 800, 960, 1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await headline.locator("> span").evaluateAll((halves) =>
        halves.map((half) => {
          const { top, height } = half.getBoundingClientRect();
          return [Math.round(top), Math.round(height / Number.parseFloat(getComputedStyle(half).lineHeight))];
        }),
      );
      expect(lines[1], `${width} px, text at ${size}`).toEqual(lines[0]);
      expect(lines[0]?.[1]).toBe(2);
    }
  }
});

test("on paper Home shows its whole headline at once, under a header that stays where it is", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await page.goto("/");
  const halves = page.getByRole("heading", { level: 1 }).locator("> span");
  await expect(halves).toHaveCount(2);
  for (const half of await halves.all()) await expect(half).toHaveCSS("opacity", "1");
  await expect(async () => {
    const [first, second] = await Promise.all((await halves.all()).map((half) => half.boundingBox()));
    expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0));
  }).toPass();
  await expect(page.getByRole("banner")).toHaveCSS("position", "static");
  await expect.poll(() => headerTop(page)).toBe(0);
});
