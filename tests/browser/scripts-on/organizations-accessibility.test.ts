import { expectAccessible } from "../../support/accessible-page";
import { expect, openAdmin, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("the pages of organizations can be used by everyone", async ({ page }) => {
  await signIn(page, staff.admin, "/admin/organizations");
  await expectAccessible(page, "list");
  await openAdmin(page, "/admin/organizations?q=nobody-is-called-so");
  await expectAccessible(page, "nothing found");
  await openAdmin(page, "/admin/organizations/new");
  await expectAccessible(page, "new organization");
  for (const name of ["Brightsmile Dental", "Marsh Family Law", "Nowiński Studio"]) {
    await openAdmin(page, "/admin/organizations");
    await page.getByRole("rowheader").getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expectAccessible(page, name);
  }
  await page.getByRole("button", { name: "Reviewed" }).click();
  await expect(page.getByText("The organization is reviewed.")).toBeVisible();
  await page.getByRole("link", { name: "Delete…" }).click();
  await expect(page.getByRole("button", { name: "Delete organization" })).toBeVisible();
  await expectAccessible(page, "deletion");
});
