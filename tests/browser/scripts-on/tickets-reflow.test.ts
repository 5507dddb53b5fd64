import { expectNoViolation } from "../../support/accessible-page";
import { expect, openAdmin, type Page, test } from "../../support/browser-test";
import { signIn, staff, startStaffSession } from "../../support/demo-world";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 320, height: 256 },
];

test("what has the focus is never under the bar for selected rows, however many lines it has", async ({ page }) => {
  await startStaffSession(page, staff.admin);
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

/** Returns what is chosen in filters that are too narrow to show it whole. */
const cutChoices = (page: Page) =>
  page.locator(".filter-bar select").evaluateAll((selects) =>
    selects.flatMap((select) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      const canvas = document.createElement("canvas").getContext("2d");
      const chosen = select.querySelector("option:checked")?.textContent ?? "";
      if (canvas) canvas.font = font;
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return (canvas?.measureText(chosen).width ?? Infinity) > room + 1 ? [chosen] : [];
    }),
  );

test("on a phone the bar is one row, filters wait behind a button, and the first ticket is in sight", async ({
  page,
}) => {
  await startStaffSession(page, staff.admin);
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
  for (const width of [320, 390, 480]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await cutChoices(page), `at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 844 });
  await page.locator("html").evaluate(({ style }) => {
    style.fontSize = "200%";
  });
  expect(await cutChoices(page), "with letters of twice their size").toEqual([]);
  await expect(page.getByText("Search text, number or organization")).toBeVisible();
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
