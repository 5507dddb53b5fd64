import { setUpAuthenticator } from "../../support/browser-accounts";
import { expect, test } from "../../support/browser-test";
import { DEMO_PASSWORD } from "../../support/demo-world";

// The demo world has one account of this kind, so this runs once, in a fresh world and without scripts.
test("staff without a second factor set one up before anything opens", async ({ page }) => {
  await page.goto("/admin");
  await page.getByLabel("Email").fill("new.admin@wrenfield.example");
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Set up your authenticator" })).toBeVisible();
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByText("Verification Required")).toBeVisible();
  await page.getByLabel("Verification code").fill("000000");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("MFA Setup Failed")).toBeVisible();
  await setUpAuthenticator(page);
  await page.getByRole("button", { name: "Complete Setup" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});
