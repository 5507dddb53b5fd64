import { expect, type Page, test } from "@playwright/test";
import { expectNoViolation, loggedErrorsOf } from "../../support/accessible-page";
import { signIn, staff } from "../../support/demo-world";

const choose = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("button", { name, exact: true }).click();

async function expectAccessibleAtBothSizes(page: Page, path: string) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoViolation(page, `${path} at ${width} px`);
  }
}

for (const [chosen, colorScheme] of [
  ["Dark", "light"],
  ["Light", "dark"],
] as const) {
  test(`${chosen} on a ${colorScheme} system can be used by everyone, hydrated pages included`, async ({ page }) => {
    test.setTimeout(180_000);
    const loggedErrors = loggedErrorsOf(page);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/");
    await choose(page, chosen);
    for (const path of ["/", "/pricing", "/contact", "/nothing-here", "/auth", "/client/auth"]) {
      await page.goto(path);
      await expectAccessibleAtBothSizes(page, path);
    }
    await signIn(page, staff.technician, "/admin");
    await page.goto("/profile");
    await expectAccessibleAtBothSizes(page, "/profile");
    await page.goto("/admin");
    await expectAccessibleAtBothSizes(page, "/admin");
    await page.setViewportSize({ width: 1440, height: 900 });
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
    await expectAccessibleAtBothSizes(page, "/admin/submissions");
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
