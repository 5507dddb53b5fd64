import { expect, test } from "../../support/browser-test";

for (const path of ["/auth", "/client/auth"]) {
  test(`without scripts the button of ${path} can be pressed, and each empty field says what it needs`, async ({
    page,
  }) => {
    await page.goto(path);
    const button = page.getByRole("button", { name: /^Sign in$/i });
    await expect(button).toBeEnabled();
    await button.click();
    await expect(page).toHaveTitle(/^Error: /);
    await expect(page.getByRole("alert").getByText("Enter your email and password.")).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/Email is required/);
    await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/Password is required/);
  });
}

test("every field that is missing from an empty form is marked, in each mode", async ({ page }) => {
  const marked = () =>
    page.locator("[aria-invalid=true]").evaluateAll((fields) => fields.map((field) => field.getAttribute("name")));
  await page.goto("/client/auth?tab=create");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  expect(await marked()).toEqual(["full_name", "email", "password", "confirm_password"]);
  await page.goto("/login?mode=reset");
  await page.getByRole("main").getByRole("button").click();
  await expect(page).toHaveTitle(/^Error: /);
  expect(await marked()).toEqual(["email"]);
});

test("each mode keeps where a person wants to go, and /login names its other address", async ({ page }) => {
  const wanted = "redirectTo=%2Fprofile%2Fsessions";
  for (const path of [
    "/auth?",
    "/client/auth?",
    "/client/auth?tab=create&",
    "/client/auth?tab=check&",
    "/login?mode=reset&",
  ]) {
    await page.goto(`${path}${wanted}`);
    const links = await page.getByRole("main").getByRole("link").all();
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(await link.getAttribute("href"), path).toContain(wanted);
  }
  for (const path of ["/auth", "/login", "/login?mode=reset"]) {
    await page.goto(path);
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", /:\d+\/auth$/);
  }
});
