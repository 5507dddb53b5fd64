import { expectAccessible } from "../../support/accessible-page";
import { expect, isHydrated, openAdmin, test } from "../../support/browser-test";
import { signIn, staff, startStaffSession } from "../../support/demo-world";

test("the admin area of submissions can be used by everyone", async ({ page }) => {
  await startStaffSession(page, staff.admin);
  for (const path of [
    "/admin/activity",
    "/admin/activity?type=note&q=vale",
    "/admin/settings?tab=advanced",
    "/admin/submissions?filter=recent",
    "/admin/submissions?view=held",
    "/admin/submissions?q=nobody-is-called-so",
    "/admin/submissions?from=2026-02-02&to=2026-02-01",
  ]) {
    await openAdmin(page, path);
    await expectAccessible(page, path);
  }

  await openAdmin(page, "/admin/submissions?status=resolved");
  // The head of a table, and the box in it, are not shown on a phone.
  await page.setViewportSize({ width: 1440, height: 900 });
  const all = page.getByRole("checkbox", { name: "Select all on this page" });
  await all.check();
  await expect(page.getByRole("radio", { name: /selected/ })).toBeVisible();
  const rows = page.getByRole("rowgroup").getByRole("checkbox", { name: /^Select (?!all)/ });
  await expect(page.locator("tbody :checked[type=checkbox]")).toHaveCount(await rows.count());
  await rows.nth(1).uncheck();
  await expect(all).toHaveJSProperty("indeterminate", true);
  await all.check();
  await all.uncheck();
  await rows.nth(0).check();
  await rows.nth(3).click({ modifiers: ["Shift"] });
  await expect(page.locator("tbody :checked[type=checkbox]")).toHaveCount(4);
  await page.getByRole("link", { name: "Submitted" }).click();
  await expect(page.locator("tbody :checked[type=checkbox]")).toHaveCount(0);
  await openAdmin(page, "/admin/submissions?status=resolved");
  await page
    .getByRole("checkbox", { name: /^Select (?!all)/ })
    .first()
    .check();
  await expect(page.getByRole("radio", { name: /selected/ })).toBeVisible();
  await expectAccessible(page, "selected rows");
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Are you sure you want to delete 1 submission?");
  await expectAccessible(page, "delete confirmation");

  await page.goto("/admin/submissions?view=held");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByRole("button", { name: "Not spam", exact: true })).toBeVisible();
  await isHydrated(page);
  await page.getByRole("link", { name: "Internal note" }).click();
  await page.getByLabel("Internal note", { exact: true }).fill("Looks real.");
  await expectAccessible(page, "note being written");
  await page.getByRole("button", { name: "Add internal note" }).click();
  await expect(page.getByText("Looks real.")).toBeVisible();
  await expectAccessible(page, "held submission");
  await page.getByRole("link", { name: /^Edit note of/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit note");
  await expectAccessible(page, "edit note");
  await page.goBack();
  await page.getByRole("link", { name: /^Delete… note of/ }).click();
  await expect(page.getByRole("button", { name: "Delete note" })).toBeVisible();
  await expectAccessible(page, "delete note");
});

test("on a phone the checkbox of a row stands beside its name", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, staff.admin, "/admin/submissions");
  const row = page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader") })
    .first();
  await expect(async () => {
    const checkbox = await row.getByRole("checkbox").boundingBox();
    const name = await row.getByRole("rowheader").getByRole("link").boundingBox();
    if (!checkbox || !name) throw new Error("The row shows no checkbox or no name");
    expect(checkbox.x + checkbox.width).toBeLessThan(name.x);
    expect(Math.abs(checkbox.y - name.y)).toBeLessThan(name.height);
  }).toPass();
});
