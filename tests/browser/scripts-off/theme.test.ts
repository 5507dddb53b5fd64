import { expect, test } from "@playwright/test";
import { signIn, staff } from "../../support/demo-world";

test("the admin area is dark without scripts too, for whoever chose it", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await page.getByRole("contentinfo").getByRole("button", { name: "Dark", exact: true }).click();
  await signIn(page, staff.secondAdmin, "/admin");
  for (const path of ["/admin", "/admin/submissions"]) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  }
});
