import { expectNoViolation, loggedErrorsOf } from "../../support/accessible-page";
import { expect, openAdmin, type Page, test } from "../../support/browser-test";
import { staff, startStaffSession } from "../../support/demo-world";

/** What a chosen theme may break: all else of these pages is tested in the theme of the system. */
const ONLY_COLORS = ["color-contrast"];

async function choose(page: Page, name: string) {
  await page.getByRole("contentinfo").getByRole("button", { name, exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", name.toLowerCase());
}

for (const [chosen, colorScheme] of [
  ["Dark", "light"],
  ["Light", "dark"],
] as const) {
  test(`${chosen} on a ${colorScheme} system can be read by everyone, hydrated pages included`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const loggedErrors = loggedErrorsOf(page);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/");
    await choose(page, chosen);
    for (const path of ["/", "/pricing", "/contact", "/nothing-here", "/auth", "/client/auth"]) {
      await page.goto(path);
      await expectNoViolation(page, path, ONLY_COLORS);
    }
    await startStaffSession(page, staff.technician);
    await page.goto("/profile");
    await expect(page).toHaveURL("/profile");
    await expectNoViolation(page, "/profile", ONLY_COLORS);
    await openAdmin(page, "/admin");
    await expectNoViolation(page, "/admin", ONLY_COLORS);
    const wholePages: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) wholePages.push(request.url());
    });
    // The router moves on without a new document, and the theme stays.
    await page
      .getByRole("link", { name: /^Submissions/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "All Submissions" })).toBeVisible();
    expect(wholePages).toEqual([]);
    await expect(page.locator("html")).toHaveAttribute("data-theme", chosen.toLowerCase());
    await expectNoViolation(page, "/admin/submissions", ONLY_COLORS);
    expect(loggedErrors).toEqual([]);
  });
}

test("an estimate that was changed on the page is not lost by choosing a theme", async ({ page }) => {
  await page.goto("/pricing");
  await page.getByLabel("Full-time users", { exact: true }).fill("12");
  await expect(page).toHaveURL(/users=12/);
  await choose(page, "Dark");
  await expect(page).toHaveURL(/\/pricing\?plan=core&users=12&lab=0#footer-theme$/);
  await expect(page.locator("output")).toHaveText("$1,788.00");
});
