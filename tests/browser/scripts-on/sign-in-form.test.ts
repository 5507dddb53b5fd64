import {
  codeOf,
  enterWithNewAccount,
  freshEmail,
  PASSWORD,
  setUpAuthenticator,
  signInAsClient,
} from "../../support/browser-accounts";
import { expect, type Page, test } from "../../support/browser-test";

/** Collects when a form is posted. */
function postsOf(page: Page): string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  return posts;
}

for (const path of ["/auth", "/client/auth"]) {
  test(`the button of ${path} waits until address and password are filled in`, async ({ page }) => {
    const policyErrors: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) policyErrors.push(message.text());
    });
    await page.goto(path);
    const button = page.getByRole("button", { name: /^Sign in$/i });
    const email = page.getByLabel("Email");
    const password = page.getByLabel("Password", { exact: true });
    await expect(button).toBeDisabled();
    await email.fill("somebody@larkspur.example");
    await expect(button).toBeDisabled();
    await password.fill("x");
    await expect(button).toBeEnabled();
    await email.fill("");
    await expect(button).toBeDisabled();
    await email.fill("somebody@larkspur.example");
    await password.press("Enter");
    await expect(page.getByRole("alert").getByText("Invalid email or password")).toBeVisible();
    // The address was kept, the password was not.
    await expect(email).toHaveValue("somebody@larkspur.example");
    await expect(button).toBeDisabled();
    expect(policyErrors).toEqual([]);
  });
}

test("the sixth digit sends the code, once for each code", async ({ page }) => {
  const email = freshEmail("digits");
  await enterWithNewAccount(page, email);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Enable two-step sign-in" }).click();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const { secret } = await setUpAuthenticator(page);
  await page.getByRole("button", { name: "Complete Setup" }).click();
  await expect(page.getByText("Multi-factor authentication has been successfully enabled.")).toBeVisible();
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText("You're signed out.")).toBeVisible();
  await signInAsClient(page, email);

  const posts = postsOf(page);
  const field = page.getByLabel("Verification code");
  await field.pressSequentially("00000");
  expect(posts).toEqual([]);
  await field.press("0");
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  expect(posts).toEqual(["/client/auth"]);

  // Enter and a press on the button come too late: the code is under way.
  await field.evaluate(
    (input: HTMLInputElement, code) => {
      input.value = code;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.form?.requestSubmit();
      input.form?.querySelector<HTMLButtonElement>("button[type=submit]")?.click();
    },
    codeOf(secret, 1),
  );
  await expect(page).toHaveURL(/\/client$/);
  expect(posts).toEqual(["/client/auth", "/client/auth"]);
});
