import { expect, test } from "../../support/browser-test";

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
  await expect(page.getByText("50 is the most: we count 50.")).toBeVisible();
  await expect(page.getByText("More than 50 people?")).toBeVisible();
  await expect(page.getByLabel("Full-time users", { exact: true })).toHaveValue("50");
  await expect(page.getByText("Included", { exact: true })).toHaveCount(3);
  await expect(page.getByRole("checkbox", { name: /Web services/ })).toBeDisabled();
  await expect(page.locator("output")).toHaveText("$11,550.00");
});

test("an emptied number is asked for, and an add-on that Premium contains costs nothing", async ({ page }) => {
  await page.goto("/pricing?plan=premium&users=&webServices=on");
  const users = page.getByLabel("Full-time users", { exact: true });
  await expect(users).toHaveValue("");
  await expect(users).toHaveAccessibleDescription(/Enter a number from 1 to 50\. Until then we count 5\./);
  await expect(page.getByText("We adjusted a value")).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: /Web services/ })).not.toBeChecked();
  await expect(page.locator("output")).toHaveText("$1,145.00");
});

test("on Home the header is there from the start", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Free Assessment" })).toBeInViewport();
});
