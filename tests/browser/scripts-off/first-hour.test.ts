import { expectAccessible } from "../../support/accessible-page";
import { expect, openAdmin, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("the first hour says what lacks and leads there, and a press on the review of the texts is kept", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin/first-hour");
  const company = page.getByRole("listitem").filter({ hasText: "Company and contact" });
  await expect(company).toContainText("Missing: your name");
  await page.getByRole("button", { name: "I have reviewed both" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Terms and privacy" })).toContainText("Reviewed by");
  await company.getByRole("link", { name: "Company and contact" }).click();
  await expect(page.getByLabel("Phone")).toHaveValue("(555) 555-0142");
});

test("holidays of a country, the times of Monday and a color are put into the form by its buttons", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin/settings?tab=general&part=hours");
  await page.getByLabel("Monday from", { exact: true }).fill("09:30");
  await page.getByRole("button", { name: "Copy Monday to Tuesday–Friday" }).click();
  await expect(page.getByLabel("Friday from", { exact: true })).toHaveValue("09:30");
  await page.getByLabel("Add the holidays of").selectOption({ label: "Germany, all states (9)" });
  await page.getByRole("button", { name: "Add these days" }).click();
  await expect(page.getByRole("checkbox", { name: /German Unity Day/ })).toBeChecked();
  await expect(page.getByLabel("Friday from", { exact: true })).toHaveValue("09:30");
  await expectAccessible(page, "hours");

  await openAdmin(page, "/admin/settings?tab=general&part=look");
  await page.getByRole("button", { name: "Plum" }).click();
  await expect(page.getByLabel(/Brand color/)).toHaveValue("#7a2048");
  await expect(page.getByRole("img", { name: /#7a2048/ })).toBeVisible();
});
