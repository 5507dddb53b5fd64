import { expectNoSidewaysScroll } from "../../support/accessible-page";
import { startSession } from "../../support/browser-accounts";
import { expect, type Page, test } from "../../support/browser-test";
import { signIn, staff, startStaffSession } from "../../support/demo-world";

/** Returns the words of headings that are broken in two. A hyphen may end a line. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    for (const heading of document.querySelectorAll("h1, h2, h3")) {
      // What only screen readers are told is a point on the page.
      if (heading.closest(".sr-only")) continue;
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[^\s-]+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });

test("text of double size on a phone stays on the page, and no heading breaks inside a word", async ({
  browser,
  baseURL,
}) => {
  // The content policy would rightly block the style that stands in for the reader's setting.
  const context = await browser.newContext({ baseURL, bypassCSP: true });
  const page = await context.newPage();
  for (const path of [
    "/",
    "/services",
    "/services/cybersecurity",
    "/industries",
    "/pricing?plan=premium&users=50&lab=30",
    "/contact",
    "/privacy",
  ]) {
    await page.goto(path);
    await page.addStyleTag({ content: "html { font-size: 200% }" });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScroll(page, path);
      await expect(async () => expect(await brokenWords(page), `${path} at ${width} px`).toEqual([])).toPass();
    }
  }
  await context.close();
});

test("text of double size on a phone stays on the pages of staff, with every button of the bar in reach", async ({
  page,
}) => {
  await signIn(page, staff.secondAdmin, "/admin/tickets");
  const ticket = (await page.locator('main a[href*="/tickets/T-"]').first().getAttribute("href")) ?? "";
  await page.goto("/admin/submissions");
  const record = (await page.locator('main a[href*="/sub_"]').first().getAttribute("href")) ?? "";
  const hours = "/admin/settings?tab=general&part=hours";
  for (const path of ["/admin", "/admin/submissions", record, "/admin/tickets", ticket, "/admin/tickets/new", hours]) {
    await page.goto(path);
    await page.locator("html").evaluate((html) => {
      html.style.fontSize = "200%";
    });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScroll(page, path);
      for (const name of ["Menu", /^Live updates/]) {
        await expect(page.getByRole("button", { name }).first()).toBeInViewport({ ratio: 1 });
      }
      await expect(async () => expect(await brokenWords(page), `${path} at ${width} px`).toEqual([])).toPass();
    }
  }
});

const SIZES = ["100%", "200%"];

/** Opens pages and expects each to keep to the screen at every width, with text of the usual and of double size. */
async function expectPagesKeepToTheScreen(page: Page, paths: readonly string[]) {
  for (const path of paths) {
    await page.goto(path);
    await expect(page).toHaveURL(path);
    for (const size of SIZES) {
      await page.locator("html").evaluate((html, value) => {
        html.style.fontSize = value;
      }, size);
      for (const width of [320, 390, 768, 1024, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page, `${path}, text of ${size}`);
      }
    }
  }
}

test("figures, settings and security of staff keep to the screen at every width, with text of double size too", async ({
  page,
}) => {
  await startStaffSession(page, staff.secondAdmin);
  await expectPagesKeepToTheScreen(page, [
    "/admin/analytics",
    "/admin/analytics?tab=organizations",
    "/admin/analytics?tab=trends",
    "/admin/security",
    "/admin/settings?tab=account",
    "/admin/settings?tab=notifications",
    "/profile",
    "/profile/mfa?do=reconfigure",
    "/profile/notifications",
  ]);
});

test("the pages of the portal keep to the screen at every width, with text of double size too", async ({ page }) => {
  await startSession(page, "owner@brightsmile.example");
  await expectPagesKeepToTheScreen(page, [
    "/client",
    "/client/tickets",
    "/client/tickets/new",
    "/client/team",
    "/client/organization",
    "/profile",
    "/profile/sessions",
    "/profile/notifications",
  ]);
});

/**
 * Returns the words of a list that are cut off, and the cells that lie over each other. Of a longer text the list shows
 * the beginning only.
 */
const faultsOfList = (page: Page) =>
  page.evaluate(() => {
    const name = (element: Element) => element.textContent?.trim().slice(0, 40);
    const cut = [...document.querySelectorAll("tbody :is(td, th, th *):not([data-excerpt])")].filter(
      (element) =>
        element.checkVisibility() && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1,
    );
    const over = [...document.querySelectorAll("tbody tr")].flatMap((row) => {
      const cells = [...row.children].map((cell) => ({ cell, box: cell.getBoundingClientRect() }));
      const boxes = cells.filter(({ box }) => box.width > 1);
      return boxes.filter(({ box: a }) =>
        boxes.some(
          ({ box: b }) =>
            a !== b && a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2,
        ),
      );
    });
    return { cut: cut.map(name), over: over.map(({ cell }) => name(cell)) };
  });

test("a list is whole at every width, with text of double size too: nothing is cut, no cells lie over each other", async ({
  page,
}) => {
  await startStaffSession(page, staff.secondAdmin);
  for (const path of [
    "/admin/tickets",
    "/admin/submissions",
    "/admin/members",
    "/admin/users",
    "/admin/organizations",
    "/admin/security/mfa",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    for (const size of SIZES) {
      await page.locator("html").evaluate((html, value) => {
        html.style.fontSize = value;
      }, size);
      for (const width of [320, 390, 720, 768, 1024, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page, `${path}, text of ${size}`);
        await expect(async () =>
          expect(await faultsOfList(page), `${path} at ${width} px, text of ${size}`).toEqual({ cut: [], over: [] }),
        ).toPass();
      }
    }
  }
});
