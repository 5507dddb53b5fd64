import { expectAccessible } from "../../support/accessible-page";
import { expect, openAdmin, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("an administrator acknowledges an alert, finds the failed codes behind another, and everyone can use the pages", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin/security");
  await expectAccessible(page, "an open alert");
  const open = page.getByRole("region", { name: "Security Alerts" });
  const lockout = open.getByRole("listitem").filter({ hasText: "Lee Marsh" });
  await expect(lockout).toContainText("HighAccount lockout");
  await lockout.getByLabel("Note").fill("Called Lee.");
  await lockout.getByRole("button", { name: "Acknowledge Lee Marsh" }).click();
  await expect(page.getByText("The alert was acknowledged.")).toBeVisible();
  await expect(lockout).toHaveCount(0);
  const done = page.getByRole("region", { name: "Acknowledged lately" });
  await expect(done.getByRole("listitem").filter({ hasText: "Lee Marsh" })).toContainText("Avery Quinn");
  await expect(done).toContainText("Called Lee.");
  await expectAccessible(page, "an acknowledged alert");

  await page.getByRole("link", { name: /Failed Attempts/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Two-step sign-in events" })).toBeVisible();
  // The window is still a phone's.
  await page.getByText("Search and filter").click();
  await page.getByLabel("Search person or IP address").fill("ortega");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("rowheader").first()).toContainText("lead@brightsmile.example");
  await expect(page.getByRole("row").filter({ hasText: "Success" })).toHaveCount(0);
  await expectAccessible(page, "Two-step sign-in events");

  for (const path of ["/admin/security/mfa?factor=off", "/admin/security/sessions"]) {
    await openAdmin(page, path);
    await expectAccessible(page, path);
  }
});
