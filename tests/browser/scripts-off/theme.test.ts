import { expectNoSidewaysScroll } from "../../support/accessible-page";
import { expect, type Page, test } from "../../support/browser-test";
import { staff, startStaffSession } from "../../support/demo-world";

const choice = (page: Page, name: string) => page.getByRole("contentinfo").getByRole("button", { name, exact: true });

test("the admin area is dark without scripts too, for whoever chose it", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await choice(page, "Dark").click();
  await expect(choice(page, "Dark")).toHaveAttribute("aria-pressed", "true");
  await startStaffSession(page, staff.secondAdmin);
  for (const path of ["/admin", "/admin/submissions"]) {
    await page.goto(path);
    await expect(page).toHaveURL(path);
    await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  }
});

test("the choice fits every width, and can be touched", async ({ page }) => {
  for (const width of [320, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    await expectNoSidewaysScroll(page, "the footer");
    await expect(async () => {
      const boxes = await Promise.all(["System", "Light", "Dark"].map((name) => choice(page, name).boundingBox()));
      for (const box of boxes) {
        expect(box?.height, `height at ${width} px`).toBeGreaterThanOrEqual(width < 768 ? 44 : 24);
        expect(box?.width, `width at ${width} px`).toBeGreaterThanOrEqual(44);
      }
      // One line: a choice of three should be seen at a glance.
      expect(Math.abs((boxes[0]?.y ?? 0) - (boxes[2]?.y ?? 99)), `one line at ${width} px`).toBeLessThan(10);
    }).toPass();
  }
});
