import {
  enterWithNewAccount,
  freshEmail,
  openLink,
  PASSWORD,
  setUpAuthenticator,
  signInAsClient,
  signUp,
  startSession,
  tryToSignIn,
} from "../support/browser-accounts";
import { expect, type Locator, test } from "../support/browser-test";

test("a client creates an account with an organization, sets up two steps, and uses a backup code", async ({
  page,
  javaScriptEnabled,
}) => {
  const email = freshEmail("priya");
  await signUp(page, email, "Larkspur Row");
  await expect(page.getByRole("heading", { level: 1, name: "Welcome back to Larkspur Row" })).toBeVisible();

  await page.goto("/profile/mfa");
  await page.getByRole("link", { name: "Enable two-step sign-in" }).click();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const { codes } = await setUpAuthenticator(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("wrenfield-backup-codes.txt");
  await expect(page.getByRole("button", { name: "Copy All" })).toHaveCount(javaScriptEnabled ? 1 : 0);
  const beside = await page.context().newPage();
  for (const path of ["/", "/contact", "/nothing-here", "/client", "/client/tickets", "/profile"]) {
    await beside.goto(path);
    await expect(beside.getByText("Save your backup codes"), path).toBeVisible();
  }
  await beside.close();
  await page.getByRole("button", { name: "Complete Setup" }).click();
  await expect(page.getByText("Multi-factor authentication has been successfully enabled.")).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByText("Save your backup codes")).toHaveCount(0);
  const panel = page.getByRole("region", { name: "Two-step sign-in" });
  await expect(panel.getByText("10 backup codes left.")).toBeVisible();
  for (const name of ["Reconfigure", "New backup codes", "Disable two-step sign-in"])
    await expect(panel.getByRole("link", { name })).toBeVisible();

  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText("You're signed out.")).toBeVisible();
  await signInAsClient(page, email);
  await expect(page.getByRole("heading", { level: 1, name: "Multi-Factor Authentication" })).toBeVisible();
  await page.getByRole("link", { name: "Use Backup Code" }).click();
  await expect(page.getByText("Enter one of your backup codes")).toBeVisible();
  await page.getByLabel("Backup code").fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Verify Code" }).click();
  await expect(page.getByText("9 codes left")).toBeVisible();
  await expect(page).toHaveURL(/\/client$/);
});

test("from Create Account to the portal it takes at most seven presses and four fields", async ({ page }) => {
  const email = freshEmail("short");
  let presses = 0;
  let fields = 0;
  const press = async (target: Locator) => {
    presses += 1;
    await target.click();
  };
  const fill = async (label: string, text: string) => {
    fields += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  await page.goto("/client/auth");
  await press(page.getByRole("link", { name: "Create Account" }));
  await fill("Full Name", "Priya Raman");
  await fill("Email", email);
  await fill("Password", PASSWORD);
  await fill("Confirm Password", PASSWORD);
  await press(page.getByRole("button", { name: "Create Account" }));
  await expect(page.getByRole("heading", { level: 1, name: "Check Your Email" })).toBeVisible();
  presses += 1;
  await openLink(page, email, "Confirm your email address");
  await press(page.getByRole("button", { name: "Confirm and sign in" }));
  await expect(page).toHaveURL(/\/client$/);
  await expect(page.getByRole("button", { name: "Account" })).toBeVisible();
  expect([presses <= 7, fields <= 4]).toEqual([true, true]);
});

test("in another browser the link asks for a password, and the one typed there counts", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const email = freshEmail("phone");
  await page.goto("/client/auth?tab=create");
  await page.getByLabel("Full Name").fill("The Stranger");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("Attacker!Horse7");
  await page.getByLabel("Confirm Password").fill("Attacker!Horse7");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Check Your Email" })).toBeVisible();

  const phone = await (await browser.newContext({ javaScriptEnabled: javaScriptEnabled })).newPage();
  await openLink(phone, email, "Confirm your email address");
  await expect(phone.getByLabel("Full Name")).toHaveValue("");
  await expect(phone.getByText("The Stranger")).toHaveCount(0);
  await phone.getByLabel("Full Name").fill("Priya Raman");
  await phone.getByLabel("Password", { exact: true }).fill("short");
  await phone.getByRole("button", { name: "Confirm and sign in" }).click();
  await expect(phone.getByRole("alert").getByText("Password must be at least 8 characters long")).toBeVisible();
  await phone.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await phone.getByRole("button", { name: "Confirm and sign in" }).click();
  await expect(phone).toHaveURL(/\/client$/);

  await tryToSignIn(page, email, "Attacker!Horse7");
  await expect(page.getByRole("alert").getByText("Invalid email or password")).toBeVisible();
  await openLink(phone, email, "Confirm your email address");
  await expect(phone.getByText("This link no longer works")).toBeVisible();
  await phone.getByRole("link", { name: "Open the client portal" }).click();
  await expect(phone).toHaveURL(/\/client$/);
});

test("a lost password is replaced by a link, which works once and signs nobody in", async ({ page }) => {
  const email = freshEmail("lost");
  await enterWithNewAccount(page, email);
  await page.context().clearCookies();
  await page.goto("/client/auth");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send reset email" }).click();
  await expect(page.getByText("Password reset email sent! Check your inbox for instructions.")).toBeVisible();
  await expect(page).toHaveURL(/\/client\/auth\?reset=sent$/);
  await openLink(page, email, "Choose a new password");
  await page.getByLabel("New password", { exact: true }).fill("Another!Horse8");
  await page.getByLabel("Confirm new password").fill("Another!Horse9");
  await page.getByRole("button", { name: "Update password" }).click();
  await expect(page.getByRole("alert").getByText("Passwords do not match")).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill("Another!Horse8");
  await page.getByLabel("Confirm new password").fill("Another!Horse8");
  await page.getByRole("button", { name: "Update password" }).click();
  await expect(page.getByText("Your password has been successfully updated.")).toBeVisible();
  await expect(page).toHaveURL(/\/client\/auth$/);
  await tryToSignIn(page, email, PASSWORD);
  await expect(page.getByRole("alert").getByText("Invalid email or password")).toBeVisible();
  await signInAsClient(page, email, "Another!Horse8");
  await expect(page.getByRole("heading", { level: 1, name: "No organization selected" })).toBeVisible();
});

test("a person changes name and address, and the old address can undo it", async ({ page }) => {
  const email = freshEmail("move");
  const next = freshEmail("moved");
  await enterWithNewAccount(page, email);
  await page.goto("/profile");
  await page.getByLabel("Full name").fill("Priya R. Raman");
  await page.getByLabel("Email").fill(next);
  await page.getByRole("button", { name: "Save details" }).click();
  await expect(page.getByText("Profile updated but email change requires verification.")).toBeVisible();
  await openLink(page, next, "Confirm your new email address");
  await page.getByRole("button", { name: "Confirm new address" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(next);
  await openLink(page, email, "The email address of your account");
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.getByText("Your old address is back")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Choose a new password" })).toBeVisible();
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/auth\?redirectTo=/);
  await expect(page.getByText("Please log in to view settings")).toBeVisible();
});

test("own settings stay in the frame of the portal, through a form, a reload and a second tab", async ({ page }) => {
  await enterWithNewAccount(page, freshEmail("frame"), "Larkspur Row");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("link", { name: "Profile Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Personal Settings" })).toBeVisible();
  const frame = page.getByRole("navigation", { name: "Portal" });
  await expect(frame.getByRole("link", { name: "Dashboard" })).toBeVisible();
  await page.getByLabel("Full name").fill("Priya R. Raman");
  await page.getByRole("button", { name: "Save details" }).click();
  await expect(page.getByText("Profile updated successfully")).toBeVisible();
  await expect(frame).toBeVisible();
  await page.getByRole("link", { name: "See your sessions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sessions" })).toBeVisible();
  await page.reload();
  await expect(frame).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto("/profile/notifications");
  await expect(tab.getByRole("navigation", { name: "Portal" })).toBeVisible();
  await tab.close();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Personal Settings" }).click();
  await frame.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Welcome back to Larkspur Row" })).toBeVisible();
});

test("a password is changed in the settings, and other browsers are signed out", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const email = freshEmail("change");
  await enterWithNewAccount(page, email);
  const other = await (await browser.newContext({ javaScriptEnabled: javaScriptEnabled })).newPage();
  await startSession(other, email, PASSWORD);
  await other.goto("/client");
  await page.goto("/profile/sessions");
  await expect(page.getByRole("button", { name: /^Sign out Chrome/ })).toHaveCount(1);
  await page.goto("/profile");
  const form = page.getByRole("region", { name: "Password" });
  await form.getByLabel("Current password").fill("Wrong!Horse7");
  await form.getByLabel("New password", { exact: true }).fill("Another!Horse8");
  await form.getByLabel("Confirm new password").fill("Another!Horse8");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert").getByText("Current password is incorrect")).toBeVisible();
  await form.getByLabel("Current password").fill(PASSWORD);
  await form.getByLabel("New password", { exact: true }).fill("Another!Horse8");
  await form.getByLabel("Confirm new password").fill("Another!Horse8");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password updated successfully")).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/client\/auth/);
});
