import { freshEmail, openLink, PASSWORD, tryToSignIn } from "../support/browser-accounts";
import { expect, openAdmin, type Page, test } from "../support/browser-test";
import { mailsTo, signIn, staff } from "../support/demo-world";

const signInAsAdmin = (page: Page) => signIn(page, staff.secondAdmin, "/admin/users");

async function addByHand(page: Page, name: string, email: string): Promise<string> {
  await openAdmin(page, "/admin/users/new?tab=manual");
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Generate" }).click();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveValue(/^.{12}$/);
  // What was typed is still there.
  await expect(page.getByLabel("Email")).toHaveValue(email);
  const generated = await password.inputValue();
  await page.getByRole("button", { name: "Create User" }).click();
  await expect(page.getByText(`${email} has been created. Make sure to share the login credentials`)).toBeVisible();
  return generated;
}

test("an administrator invites a person, sends the invitation again, and the newest link works", async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
}, info) => {
  const email = freshEmail("ines");
  await signInAsAdmin(page);
  await page.getByRole("link", { name: "Add New User" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Add New User" })).toBeVisible();
  const invite = page.getByRole("button", { name: "Send Invitation" });
  if (javaScriptEnabled) await expect(invite).toBeDisabled();
  await page.getByLabel("Full Name").fill("Ines Valverde");
  await page.getByLabel("Email").fill(email);
  await invite.click();
  await expect(
    page.getByText(`${email} has been invited and will receive an email to set their password.`),
  ).toBeVisible();
  await mailsTo(page, email);

  await page.getByRole("link", { name: /Pending invitations/ }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row.getByText(/Pending, expires/)).toBeVisible();
  // The list of all people has the same buttons in this row, and in no other.
  await openAdmin(page, "/admin/users?sort=newest");
  await expect(row.getByRole("button", { name: "Revoke Ines Valverde" })).toBeVisible();
  await row.getByRole("button", { name: "Resend Ines Valverde" }).click();
  await expect(page.getByText(`A new invitation for ${email} is queued.`)).toBeVisible();
  await mailsTo(page, email, 2);

  const theirs = await browser.newPage({ ...info.project.use, baseURL });
  await openLink(theirs, email, (await mailsTo(page, email))[0]?.subject ?? "");
  await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await theirs.getByLabel("Confirm Password").fill(PASSWORD);
  await theirs.getByRole("button", { name: "Accept invitation" }).click();
  await expect(theirs.getByLabel("Confirm Password")).toHaveCount(0);
  await theirs.close();
  await openAdmin(page, `/admin/users?q=${email}`);
  await expect(page.getByRole("row").filter({ hasText: email }).getByText("Pending", { exact: true })).toHaveCount(0);
});

test("a person who was added by hand changes the password, gets another role, and is kept out", async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
}, info) => {
  const email = freshEmail("added");
  await signInAsAdmin(page);
  const generated = await addByHand(page, "Nora Neu", email);

  const theirs = await browser.newPage({ ...info.project.use, baseURL });
  await tryToSignIn(theirs, email, generated);
  await expect(theirs.getByText("Someone else set your password. Choose your own to continue.")).toBeVisible();

  await openAdmin(page, `/admin/users?q=${email}`);
  const row = page.getByRole("row").filter({ hasText: email });
  await row.getByLabel("Role of Nora Neu").selectOption("Moderator");
  await row.getByRole("button", { name: "Save Nora Neu, role" }).click();
  const saved = javaScriptEnabled ? "✓ Saved" : "User role updated successfully";
  await expect(page.getByText(saved)).toBeVisible();
  // Whoever had a session has none any more.
  await theirs.goto("/profile");
  await expect(theirs).toHaveURL(/\/auth/);

  await row.getByRole("link", { name: "Nora Neu", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Nora Neu" })).toBeVisible();
  await page.getByRole("link", { name: "Deactivate" }).click();
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("alert").getByText("Say why.")).toBeVisible();
  await page.getByLabel("Reason").fill("Left the company");
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("The account was deactivated.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Left the company" })).toBeVisible();
  await tryToSignIn(theirs, email, generated);
  await expect(theirs.getByText("Invalid email or password")).toBeVisible();
  await theirs.close();
});
