import { expect, test } from "../support/browser-test";

test("both halves of Home's headline are one heading, and the address asks for the header", async ({ page }) => {
  await page.goto("/#show-navbar");
  const headline = page.getByRole("heading", { level: 1 });
  await expect(headline).toHaveAccessibleName("Your people look after people. We look after the computers.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Pricing" })).toBeInViewport();
});

test("the number of people on Home leads to their price", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("How many people?").fill("20");
  await page.getByRole("button", { name: "Estimate Your Monthly Cost" }).click();
  await expect(page).toHaveURL(/\/pricing\?plan=core&users=20#estimate$/);
  await expect(page.locator("output")).toHaveText("$2,980.00");
  await expect(page.locator("output")).toBeInViewport();
});

test("on a phone the estimate from Home is in view at once", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "Estimate Your Monthly Cost" }).click();
  await expect(page.getByRole("heading", { name: "Estimate your monthly cost" })).toBeInViewport();
  await expect(page.getByText("$1,788.00").first()).toBeInViewport();
});
