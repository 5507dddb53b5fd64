import { enterPortal, startSession } from "../../support/browser-accounts";
import { expect, type Page, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

/**
 * Returns what is wrong with a page on paper: controls that nobody can use there, parts beside each other, columns of a
 * list that are too narrow to read, and words broken in them.
 * The way to the list is one line with the number of the record, counts by status are facts, and what a row's
 * select says stands there without its frame.
 */
const faultsOnPaper = (page: Page) =>
  page.evaluate(() => {
    const isSeen = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().height > 1;
    const seen = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen);
    const name = (element: Element) => `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`;
    const boxes = seen("main :is(section, h2)").map((element) => ({ element, box: element.getBoundingClientRect() }));
    const isBeside = (a: DOMRect, b: DOMRect) =>
      a.top < b.bottom - 1 && b.top < a.bottom - 1 && (a.left >= b.right - 1 || b.left >= a.right - 1);
    const beside = boxes.filter(({ box }) => boxes.some((other) => isBeside(box, other.box)));
    const isFramed = (element: Element) => {
      const { borderTopWidth, backgroundImage } = getComputedStyle(element);
      return borderTopWidth !== "0px" || backgroundImage !== "none";
    };
    const unusable = seen(
      "button, input, textarea, summary, form > *, nav:not([aria-label='Breadcrumb'], [aria-label$='by status']), a[class*='btn']",
    );
    // An address has no place where it could end a line.
    const brokenWords = (cell: Element) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.textContent?.matchAll(/[^\s@-]+/g) ?? []) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1 && !texts.currentNode.parentElement?.matches("a")) broken.push(word);
        }
      }
      return broken;
    };
    return {
      broken: seen("tbody :is(td, th)").flatMap(brokenWords),
      controls: [...unusable, ...seen("select").filter(isFramed)].map(name),
      beside: beside.map(({ element }) => name(element)),
      narrow: seen("tbody :is(td, th)")
        .filter((cell) => getComputedStyle(cell).display === "table-cell" && cell.getBoundingClientRect().width < 60)
        .map(name),
    };
  });

test.beforeEach(async ({ page }) => {
  // The width of a sheet between its margins.
  await page.setViewportSize({ width: 718, height: 1000 });
});

/** Prints a page to the screen, and waits until nothing is wrong with it. */
async function isFitForPaper(page: Page) {
  await page.emulateMedia({ media: "print" });
  await expect(async () =>
    expect(await faultsOnPaper(page)).toEqual({ broken: [], controls: [], beside: [], narrow: [] }),
  ).toPass();
}

test("submissions and tickets on paper are one column of what is known, without controls", async ({ page }) => {
  await signIn(page, staff.secondAdmin, "/admin/submissions");
  // What the demo world holds: other tests send names of 200 letters, which no sheet has room for.
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  for (const list of [`/admin/submissions?to=${before}`, `/admin/tickets?to=${before}`]) {
    await page.emulateMedia({ media: "screen" });
    await page.goto(list);
    const record = page.locator('main a:is([href*="/submissions/sub_"], [href*="/tickets/T-"])').first();
    const path = (await record.getAttribute("href")) ?? "";
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText(/^Showing \d+ of/).filter({ visible: true })).toHaveCount(1);
    await isFitForPaper(page);
    // A sheet on its side.
    await page.setViewportSize({ width: 1040, height: 700 });
    await isFitForPaper(page);
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.goto(path);
    await expect(page.getByText(/^(Owner|Assigned to): /)).toBeVisible();
    await isFitForPaper(page);
  }
});

test("a ticket on paper shows its client what was written, without controls", async ({ page }) => {
  await enterPortal(page, "owner@brightsmile.example", "/client/tickets");
  await page.getByRole("link", { name: "Scanner sends blank pages to patient charts" }).click();
  await expect(page.getByLabel("Your reply")).toBeVisible();
  await isFitForPaper(page);
  await expect(page.getByText("We are typing everything by hand.")).toBeVisible();
});

test("the profile on paper is one column of what is known, without controls", async ({ page }) => {
  await startSession(page, "solo@nowhere.example");
  await page.goto("/profile");
  await isFitForPaper(page);
  await expect(page.getByRole("heading", { level: 1, name: "Personal Settings" })).toBeVisible();
  const details = page.getByRole("region", { name: "Your details" });
  await expect(details.getByText("Kim Tran")).toBeVisible();
  await expect(details.getByText("solo@nowhere.example")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
});

test("an estimate on paper is one column with its numbers, without controls", async ({ page }) => {
  await page.goto("/pricing?plan=core&users=12&lab=4&secureStorage=on");
  await isFitForPaper(page);
  for (const text of ["Core plan", "12 × $149", "4 × about $52 (35% of $149)", "$1,788.00", "$208.60", "$2,096.60"]) {
    await expect(page.getByText(text).filter({ visible: true })).toHaveCount(1);
  }
  // A sheet on its side is as wide as a screen where the header shows its links.
  await page.setViewportSize({ width: 1040, height: 700 });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
});
