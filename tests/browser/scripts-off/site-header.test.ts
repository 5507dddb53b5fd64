import { expect, type Page, test } from "../../support/browser-test";
import { staff, startStaffSession } from "../../support/demo-world";

/** Lists widths from the narrowest phone to a wide screen, on both sides of each change of the bar. */
const WIDTHS = [320, 360, 390, 480, 767, 768, 959, 960, 1024, 1280, 1440];

/** Returns what is wrong with the header as it is drawn now. */
const faultsOfHeader = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const header = document.querySelector("header");
    const headline = document.querySelector("h1");
    if (!header || !headline) return ["no header or headline"];
    const faults: string[] = [];
    const isSeen = (element: Element) => element.checkVisibility() && boxOf(element).width > 1;
    const parts = [...header.querySelectorAll("a, button")].filter(isSeen);
    const middle = (element: Element) => Math.round(boxOf(element).top + boxOf(element).height / 2);
    const inList = (element: Element) => element.closest("nav") !== null;
    const rows = (elements: Element[]) => new Set(elements.map(middle)).size;
    if (rows(parts.filter((part) => !inList(part))) > 1) faults.push("logo and buttons do not share a line");
    if (rows(parts.filter(inList)) > 1) faults.push("the links do not share a line");
    for (const part of parts) {
      const { left, right, height } = boxOf(part);
      if (left < 0 || right > innerWidth) faults.push(`${part.textContent} sticks out`);
      if (height > 3.5 * Number.parseFloat(getComputedStyle(part).fontSize)) faults.push(`${part.textContent} breaks`);
    }
    const name = header.querySelector("a span");
    if (name && isSeen(name) && name.scrollWidth > name.clientWidth) faults.push("the logo is cut");
    if (boxOf(headline).top < boxOf(header).bottom) faults.push("the header covers the headline");
    return faults;
  });

/** Expects no faults, and tries again, as fonts may arrive last. */
const expectNoFaults = (page: Page, where: string) =>
  expect(async () => expect(await faultsOfHeader(page), where).toEqual([])).toPass();

test("the header is one line of buttons at every width and size of text, and covers no headline", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of ["/", "/pricing"]) {
    await page.goto(path);
    for (const size of ["100%", "200%"]) {
      await page.locator("html").evaluate((html, fontSize) => {
        html.style.fontSize = fontSize;
      }, size);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoFaults(page, `${path} at ${width} px, text at ${size}`);
      }
    }
  }
});

test("up to 959 px the links are in the menu, and a name of twelve letters is not cut on a phone", async ({ page }) => {
  await page.goto("/services");
  const header = page.getByRole("banner");
  for (const width of [390, 768, 959]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(header.getByRole("button", { name: "Menu" })).toBeVisible();
    await expect(header.getByRole("link", { name: "Free Assessment" }).first()).toBeVisible();
    await expect(header.getByRole("link", { name: "Industries" })).toBeHidden();
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await header.locator("[data-logo] span").evaluate((name) => {
    name.textContent = "Hammerworked";
  });
  await expectNoFaults(page, "a name of twelve letters at 390 px");
  await page.setViewportSize({ width: 960, height: 900 });
  await expect(header.getByRole("button", { name: "Menu" })).toBeHidden();
  await expect(header.getByRole("link", { name: "Industries" })).toBeVisible();
});

test("the header of staff who are signed in is one line at every width, and leads to the admin area", async ({
  page,
}) => {
  await startStaffSession(page, staff.technician);
  await page.goto("/pricing");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoFaults(page, `at ${width} px`);
  }
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Admin", exact: true })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await header.getByRole("button", { name: "Account" }).click();
  await expect(header.getByRole("link", { name: "Admin Dashboard" }).filter({ visible: true })).toHaveCount(1);
  await page.setViewportSize({ width: 320, height: 844 });
  await page.reload();
  await header.getByRole("button", { name: "Menu" }).click();
  await expect(header.getByRole("link", { name: "Admin Dashboard" }).filter({ visible: true })).toHaveCount(1);
});
