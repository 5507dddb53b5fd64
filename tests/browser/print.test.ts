import { signInAsClient } from "../support/browser-accounts";
import { expect, type Page, test } from "../support/browser-test";
import { DEMO_PASSWORD } from "../support/demo-world";

/** Returns what is wrong with a page on paper: controls that nobody can use there, and columns beside each other. */
const faultsOnPaper = (page: Page) =>
  page.evaluate(() => {
    const isSeen = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().height > 1;
    const seen = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen);
    const name = (element: Element) => `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`;
    const boxes = seen("main :is(section, h2)").map((element) => ({ element, box: element.getBoundingClientRect() }));
    const isBeside = (a: DOMRect, b: DOMRect) =>
      a.top < b.bottom - 1 && b.top < a.bottom - 1 && (a.left >= b.right - 1 || b.left >= a.right - 1);
    const beside = boxes.filter(({ box }) => boxes.some((other) => isBeside(box, other.box)));
    return {
      controls: seen("button, input, select, textarea, nav, form, a[class*='btn']").map(name),
      beside: beside.map(({ element }) => name(element)),
    };
  });

test.beforeEach(async ({ page }) => {
  // The width of a sheet between its margins.
  await page.setViewportSize({ width: 718, height: 1000 });
});

test("the profile on paper is one column of what is known, without controls", async ({ page }) => {
  await signInAsClient(page, "solo@nowhere.example", DEMO_PASSWORD);
  await page.goto("/profile");
  await page.emulateMedia({ media: "print" });
  await expect(async () => expect(await faultsOnPaper(page)).toEqual({ controls: [], beside: [] })).toPass();
  await expect(page.getByRole("heading", { level: 1, name: "Personal Settings" })).toBeVisible();
  const details = page.getByRole("region", { name: "Your details" });
  await expect(details.getByText("Kim Tran")).toBeVisible();
  await expect(details.getByText("solo@nowhere.example")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
});

test("an estimate on paper is one column with its numbers, without controls", async ({ page }) => {
  await page.goto("/pricing?plan=core&users=12&lab=4&secureStorage=on");
  await page.emulateMedia({ media: "print" });
  await expect(async () => expect(await faultsOnPaper(page)).toEqual({ controls: [], beside: [] })).toPass();
  for (const text of ["Core plan", "12 × $149", "4 × about $52 (35% of $149)", "$1,788.00", "$208.60", "$2,096.60"]) {
    await expect(page.getByText(text).filter({ visible: true })).toHaveCount(1);
  }
  // A sheet on its side is as wide as a screen where the header shows its links.
  await page.setViewportSize({ width: 1040, height: 700 });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
});
