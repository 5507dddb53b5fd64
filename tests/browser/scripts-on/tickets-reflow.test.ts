import { expectNoViolation } from "../../support/accessible-page";
import { expect, openAdmin, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 320, height: 256 },
];

test("what has the focus is never under the bar for selected rows, however many lines it has", async ({ page }) => {
  await signIn(page, staff.admin, "/admin/tickets");
  await page.emulateMedia({ reducedMotion: "reduce" });
  // The last is a window of 1280 px, enlarged four times.
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await openAdmin(page, "/admin/tickets");
    await page
      .getByRole("checkbox", { name: /^Select T-/ })
      .first()
      .check();
    const bar = page.getByRole("form", { name: "Selected tickets" });
    await expect(bar).toBeVisible();
    for (let step = 0; step < 16; step += 1) {
      await page.keyboard.press("Tab");
      const below = await bar.evaluate((element) => {
        const { bottom } = document.activeElement?.getBoundingClientRect() ?? { bottom: 0 };
        return bottom - element.getBoundingClientRect().top;
      });
      expect(below, `stop ${step} at ${width} x ${height}`).toBeLessThanOrEqual(0);
    }
  }
});

test("on a phone the bar is one row, filters wait behind a button, and the first ticket is in sight", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin/tickets");
  await page.setViewportSize({ width: 390, height: 844 });
  await openAdmin(page, "/admin/tickets");
  const bar = page.getByRole("banner");
  expect((await bar.boundingBox())?.height).toBeLessThan(64);
  for (const name of ["Search", /^Notifications/]) {
    await expect(bar.getByRole("link", { name })).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByRole("searchbox")).toBeHidden();
  const first = page.getByRole("rowheader").first();
  expect((await first.boundingBox())?.y).toBeLessThan(500);
  await page.getByText("Search and filter").click();
  await expect(page.getByRole("searchbox")).toBeVisible();
  await page.setViewportSize({ width: 768, height: 1024 });
  await openAdmin(page, "/admin/tickets");
  await expect(page.getByText("Search and filter")).toBeHidden();
  await expect(page.getByRole("searchbox")).toBeVisible();
});

test("the screens of a ticket pass axe on the narrowest phone, and what can be pressed is large enough there", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin/tickets");
  const ticket = (await page.locator('main a[href*="/tickets/T-"]').first().getAttribute("href")) ?? "";
  await page.setViewportSize({ width: 320, height: 844 });
  const below = (name: string) => ticket.replace("/tickets/", `/tickets/${name}/`);
  for (const path of ["/admin", "/admin/tickets", ticket, below("move"), below("copies"), below("allowances")]) {
    await openAdmin(page, path);
    await expectNoViolation(page, path);
    const small = await page.locator("main :is(button, summary, select)").evaluateAll((controls) =>
      controls.flatMap((control) => {
        const { height, width } = control.getBoundingClientRect();
        const isShown = control.checkVisibility({ visibilityProperty: true }) && width > 1;
        return isShown && height < 44 ? [`${control.textContent?.slice(0, 30)}: ${height}`] : [];
      }),
    );
    expect(small, path).toEqual([]);
  }
});
