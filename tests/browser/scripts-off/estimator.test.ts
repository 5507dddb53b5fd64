import { expect, test } from "@playwright/test";

test("the estimator is a form: choose, update, and the address keeps it", async ({ page }) => {
  await page.goto("/pricing");
  await expect(page.locator("output")).toHaveText("$745.00");
  await expect(page.locator('input[type="range"]').first()).toBeHidden();
  await page.getByRole("radio", { name: /Premium/ }).check();
  await page.getByLabel("Full-time users", { exact: true }).fill("9999");
  await page.getByRole("checkbox", { name: /Secure storage/ }).check();
  await page.getByRole("button", { name: "Update estimate" }).click();
  await expect(page).toHaveURL(/\/pricing\?plan=premium&users=9999&lab=0&secureStorage=on#estimate$/);
  await expect(page.getByText("We adjusted a value to the allowed range.")).toBeVisible();
  await expect(page.getByText("We set it to 50.")).toBeVisible();
  await expect(page.getByText("More than 50 people?")).toBeVisible();
  await expect(page.getByLabel("Full-time users", { exact: true })).toHaveValue("50");
  await expect(page.getByText("Already included in Premium")).toHaveCount(3);
  await expect(page.locator("output")).toHaveText("$11,550.00");
});

test("on Home the header is there from the start", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Free Assessment" })).toBeInViewport();
});
