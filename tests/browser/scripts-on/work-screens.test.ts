import { expectNoSidewaysScroll } from "../../support/accessible-page";
import { expect, openAdmin, type Page, test } from "../../support/browser-test";
import { fillInContactForm, sendContactForm } from "../../support/contact-form";
import { signIn, staff } from "../../support/demo-world";

const WIDTHS = [320, 390, 768, 1024, 1280, 1440];

/** Counts the rows of a list that are seen whole without scrolling. */
const rowsInSight = (page: Page) =>
  page.getByRole("rowheader").evaluateAll((names) => {
    const rows = names.map((name) => name.closest("tr")?.getBoundingClientRect());
    return rows.filter((row) => row && row.bottom <= window.innerHeight).length;
  });

test("dashboard and record keep to the page at every width, and the list shows eight rows of 800 pixels", async ({
  page,
}) => {
  await signIn(page, staff.technician);
  const record = await page.getByRole("rowheader").first().getByRole("link").getAttribute("href");
  for (const path of ["/admin", record ?? ""]) {
    await openAdmin(page, path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page, path);
    }
  }
  // The names of other tests are longer than those of people.
  await openAdmin(page, "/admin/submissions?sort=oldest");
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => rowsInSight(page)).toBeGreaterThanOrEqual(8);
});

test("a row is a line of a table where its list is wide, and a card below", async ({ page }) => {
  await signIn(page, staff.technician);
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  const lines = () =>
    row.first().evaluate((element) => {
      const tops = [...element.children].map((cell) => cell.getBoundingClientRect()).filter((box) => box.width > 1);
      return new Set(tops.map((box) => Math.round(box.top))).size;
    });
  await page.setViewportSize({ width: 1440, height: 800 });
  await expect.poll(lines).toBe(1);
  for (const width of [1024, 768, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(lines, `lines at ${width} px`).toBeGreaterThan(1);
  }
});

test("no column moves when the status of a row is chosen", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, staff.technician);
  const columns = () =>
    page.getByRole("columnheader").evaluateAll((heads) =>
      heads.map((head) => {
        const { x, width } = head.getBoundingClientRect();
        return [Math.round(x), Math.round(width)];
      }),
    );
  await page.evaluate(() => document.fonts.ready);
  const before = await columns();
  const row = page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader") })
    .first();
  const height = (await row.boundingBox())?.height;
  const select = row.getByLabel(/^Status of /);
  const status = await select.inputValue();
  await select.selectOption(status === "resolved" ? "contacted" : "resolved");
  await expect(row.getByRole("button", { name: /^Save/ })).toBeVisible();
  expect(await columns()).toEqual(before);
  expect((await row.boundingBox())?.height).toBe(height);
});

test("a visitor whose name and company have no spaces makes no page wider than the screen", async ({
  page,
  browser,
}) => {
  await fillInContactForm(page, { first: "W".repeat(100), last: "M".repeat(100), email: "w@larkspur.example" });
  await page.getByRole("textbox", { name: "Company" }).fill("Q".repeat(200));
  await sendContactForm(page);
  const adminPage = await browser.newPage();
  await signIn(adminPage, staff.admin);
  const keepsToThePage = async (name: string) => {
    for (const width of [320, 1440]) {
      await adminPage.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(adminPage, name);
    }
  };
  await openAdmin(adminPage, "/admin/submissions");
  const row = adminPage.getByRole("row").filter({ hasText: "WWWW" }).first();
  await row.getByRole("rowheader").getByRole("link").click();
  await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText(/^W+ M+$/);
  await keepsToThePage("the record");
  await openAdmin(adminPage, "/admin/submissions");
  await row.getByRole("checkbox").check();
  await adminPage.getByRole("button", { name: "Delete" }).click();
  await expect(adminPage.getByRole("listitem").filter({ hasText: "WWWW" }).first()).toBeVisible();
  await keepsToThePage("the page that asks before deleting");
});
