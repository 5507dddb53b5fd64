import { expect, test } from "@playwright/test";
import { expectAccessible } from "../../support/accessible-page";
import { signIn, staff } from "../../support/demo-world";

test("the pages of organizations can be used by everyone", async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page, staff.admin, "/admin/organizations");
  await expectAccessible(page, "list");
  await page.goto("/admin/organizations?q=nobody-is-called-so");
  await expectAccessible(page, "nothing found");
  await page.goto("/admin/organizations/new");
  await expectAccessible(page, "new organization");
  for (const name of ["Brightsmile Dental", "Marsh Family Law", "Nowiński Studio"]) {
    await page.goto("/admin/organizations");
    await page.getByRole("rowheader").getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expectAccessible(page, name);
  }
  await page.getByRole("button", { name: "Reviewed" }).click();
  await expect(page.getByText("The organization is reviewed.")).toBeVisible();
  await page.getByRole("link", { name: "Delete…" }).click();
  await expectAccessible(page, "deletion");
});
