import { expect, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("what the owner writes is shown to them first, and to visitors as text once it is published", async ({ page }) => {
  const own = "We come to you by <b>video</b>.";
  const site = await page.context().newPage();
  const industry = () => site.goto("/industries/remote");
  await signIn(page, staff.admin, "/admin/settings/content?part=industry-remote");

  await page.getByLabel("Description").fill(own);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("region", { name: "Preview" })).toContainText(own);
  await expect(page.getByLabel("Description")).toHaveValue(own);
  await industry();
  await expect(site.getByText(own)).toHaveCount(0);

  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Settings Saved")).toBeVisible();
  await industry();
  await expect(site.getByText(own)).toBeVisible();

  await page.getByLabel("Description").fill("");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Settings Saved")).toBeVisible();
  await industry();
  await expect(site.getByText(own)).toHaveCount(0);
});
