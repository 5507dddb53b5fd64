import { expect, type Page, test } from "@playwright/test";
import { signIn, staff } from "../support/demo-world";

/** Lists widths from the narrowest phone to a wide screen, on both sides of each change of the bar. */
const WIDTHS = [320, 360, 390, 480, 767, 768, 1023, 1024, 1280, 1440];

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
        expect(await faultsOfHeader(page), `${path} at ${width} px, text at ${size}`).toEqual([]);
      }
    }
  }
});

test("the header of staff who are signed in is one line at every width, and leads to the admin area", async ({
  page,
}) => {
  await signIn(page, staff.technician);
  await page.goto("/pricing");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await faultsOfHeader(page), `at ${width} px`).toEqual([]);
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

test("both halves of Home's headline are one heading, and the address asks for the header", async ({ page }) => {
  await page.goto("/#show-navbar");
  const headline = page.getByRole("heading", { level: 1 });
  await expect(headline).toHaveAccessibleName("Your people look after people. We look after the computers.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Pricing" })).toBeInViewport();
});

test("the number of people on Home leads to their price", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("How many people?").fill("20");
  await page.getByRole("button", { name: "Estimate Your Monthly Cost" }).click();
  await expect(page).toHaveURL(/\/pricing\?plan=core&users=20$/);
  await expect(page.locator("output")).toHaveText("$2,980.00");
});

test("each difference ends in a link to a paper that is there", async ({ page }) => {
  await page.goto("/why-us");
  const proofs = await page
    .getByRole("region", { name: "What is different" })
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(proofs).toHaveLength(6);
  for (const proof of proofs) {
    await page.goto(new URL(proof, new URL("/why-us", page.url())).href);
    const id = proof.split("#")[1];
    if (id) await expect(page.locator(`#${id}`), proof).toBeVisible();
  }
});

test("the footer's lists are closed on a phone and open on a wide screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/terms");
  const footer = page.getByRole("contentinfo");
  await expect(footer.getByRole("link", { name: "Managed IT" })).toBeHidden();
  await footer.getByText("Services", { exact: true }).click();
  await expect(footer.getByRole("link", { name: "Managed IT" })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect(footer.getByRole("link", { name: "Healthcare" })).toBeVisible();
});
