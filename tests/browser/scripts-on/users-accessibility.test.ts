import { expect, test } from "@playwright/test";
import { expectAccessible, loggedErrorsOf } from "../../support/accessible-page";
import { signIn, staff } from "../../support/demo-world";

for (const [name, path] of [
  ["the list of users", "/admin/users"],
  ["the pending invitations", "/admin/users?view=invited"],
  ["a search without matches", "/admin/users?q=nobody-here"],
  ["the form that invites", "/admin/users/new"],
  ["the form that adds by hand", "/admin/users/new?tab=manual"],
] as const) {
  test(`${name} has no accessibility violation and logs no error`, async ({ page }) => {
    const errors = loggedErrorsOf(page);
    await signIn(page, staff.admin, "/admin");
    await page.goto(path);
    await expectAccessible(page, name);
    expect(errors).toEqual([]);
  });
}

test("the page of a person, with a form open, has no accessibility violation", async ({ page }) => {
  await signIn(page, staff.admin, "/admin");
  await page.goto("/admin/users?q=jordan");
  await page.getByRole("link", { name: "Jordan Vale", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Jordan Vale" })).toBeVisible();
  await expectAccessible(page, "a person");
  await page.getByRole("link", { name: "Reset MFA" }).click();
  await expect(page.getByRole("button", { name: "Reset MFA" })).toBeVisible();
  await expectAccessible(page, "a form about access");
});
