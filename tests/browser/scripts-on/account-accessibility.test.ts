import { expect, test } from "@playwright/test";
import { expectAccessible, loggedErrorsOf } from "../../support/accessible-page";
import { freshEmail, PASSWORD, signInAsClient, signUp } from "../../support/browser-accounts";

const OPEN_PAGES = [
  "/login?mode=reset",
  "/login?mode=update",
  "/client/auth",
  "/client/auth?tab=create",
  "/client/auth?tab=check",
  "/verify-email",
  "/not-me",
];

for (const path of OPEN_PAGES) {
  test(`${path} passes axe, scrolls only downwards at every size and logs no error`, async ({ page }) => {
    const loggedErrors = loggedErrorsOf(page);
    await page.goto(path);
    await expectAccessible(page, path);
    expect(loggedErrors).toEqual([]);
  });
}

test("the pages of an account pass axe, scroll only downwards at every size and log no error", async ({ page }) => {
  test.setTimeout(90_000);
  const email = freshEmail("axe");
  await signUp(page, email);
  await signInAsClient(page, email);
  const loggedErrors = loggedErrorsOf(page);
  for (const path of [
    "/client",
    "/profile",
    "/profile/mfa",
    "/profile/mfa?do=enable",
    "/profile/sessions",
    "/profile/confirm",
  ]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
  await page.goto("/profile/mfa?do=enable");
  await page.getByLabel("Current password").fill("Wrong!Horse7");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page, "a rejected proof of identity");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectAccessible(page, "the set-up, QR code");
  await page.getByRole("link", { name: "Enter key by hand" }).click();
  await expect(page.getByText("Manual entry key")).toBeVisible();
  await expectAccessible(page, "the set-up, key");
  expect(loggedErrors).toEqual([]);
});
