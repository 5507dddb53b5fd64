import { expectAccessible, loggedErrorsOf } from "../../support/accessible-page";
import { startSession } from "../../support/browser-accounts";
import { expect, test } from "../../support/browser-test";
import { DEMO_PASSWORD } from "../../support/demo-world";

const OPEN_PAGES = [
  "/login?mode=reset",
  "/login?mode=update",
  "/client/auth",
  "/client/auth?tab=create",
  "/client/auth?tab=check",
  "/verify-email",
  "/not-me",
];

test("the way into an account passes axe, scrolls only downwards at every size and logs no error", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  for (const path of OPEN_PAGES) {
    await page.goto(path);
    await expectAccessible(page, path);
    expect(loggedErrors, path).toEqual([]);
  }
});

test("the pages of an account pass axe, scroll only downwards at every size and log no error", async ({ page }) => {
  await startSession(page, "solo@nowhere.example");
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
  await page.getByLabel("Current password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectAccessible(page, "the set-up, QR code");
  await page.getByRole("link", { name: "Enter key by hand" }).click();
  await expect(page.getByText("Manual entry key")).toBeVisible();
  await expectAccessible(page, "the set-up, key");
  expect(loggedErrors).toEqual([]);
});
