import { expectAccessible, loggedErrorsOf } from "../../support/accessible-page";
import { expect, openAdmin, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("the pages about users have no accessibility violation and log no error", async ({ page }) => {
  const errors = loggedErrorsOf(page);
  await signIn(page, staff.admin, "/admin/users");
  await expectAccessible(page, "the list of users");
  for (const [name, path] of [
    ["the pending invitations", "/admin/users?view=invited"],
    ["a search without matches", "/admin/users?q=nobody-here"],
    ["the form that invites", "/admin/users/new"],
    ["the form that adds by hand", "/admin/users/new?tab=manual"],
  ] as const) {
    await openAdmin(page, path);
    await expectAccessible(page, name);
  }
  await openAdmin(page, "/admin/users?q=jordan");
  await page.getByRole("link", { name: "Jordan Vale", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Jordan Vale" })).toBeVisible();
  await expectAccessible(page, "a person");
  await page.getByRole("link", { name: "Reset MFA" }).click();
  await expect(page.getByRole("button", { name: "Reset MFA" })).toBeVisible();
  await expectAccessible(page, "a form about access");
  expect(errors).toEqual([]);
});
