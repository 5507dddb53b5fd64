import { expect, test } from "@playwright/test";

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
