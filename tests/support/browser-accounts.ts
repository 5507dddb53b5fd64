import { TOTP } from "otpauth";
import { sendForm } from "./browser-forms";
import { expect, openPortal, type Page } from "./browser-test";
import { DEMO_PASSWORD, mailsTo } from "./demo-world";

/*
 * Accounts that a browser test makes for itself, by the forms a person would use.
 */

/** Returns an address nobody has used before, in any run. */
export const freshEmail = (name: string) => `${name}${Date.now() % 10_000_000}@larkspur.example`;

export const PASSWORD = "Correct!Horse7battery";

/** The name of every account that a test makes, unless the test types another. */
export const NEW_ACCOUNT_NAME = "Priya Raman";

/** Returns the link of the newest mail whose subject begins like this. */
async function linkTo(page: Page, email: string, subject: string): Promise<string> {
  let text: string | undefined;
  await expect
    .poll(async () => {
      text = (await mailsTo(page, email)).find((mail) => mail.subject.startsWith(subject))?.text;
      return text;
    })
    .toBeDefined();
  const { pathname, search } = new URL(text?.match(/https?:\/\/\S+token=\S+/)?.[0] ?? "");
  return pathname + search;
}

/** Opens the link of the newest mail whose subject begins like this. */
export async function openLink(page: Page, email: string, subject: string) {
  await page.goto(await linkTo(page, email, subject));
  await expect(page).not.toHaveURL(/token=/);
}

/** Ends in the portal with a new account, for tests that are about what its owner does with it. */
export async function enterWithNewAccount(page: Page, email: string, organization_name = "") {
  await page.context().clearCookies();
  const typed = { full_name: NEW_ACCOUNT_NAME, email, password: PASSWORD, confirm_password: PASSWORD };
  await sendForm(page, "/client/auth?tab=create", { intent: "sign-up", ...typed, organization_name });
  await sendForm(page, await linkTo(page, email, "Confirm your email address"), { intent: "confirm" });
  await openPortal(page, "/client");
}

/** Signs a client in without opening a page, for tests that are not about signing in. */
export const startSession = (page: Page, email: string, password = DEMO_PASSWORD) =>
  sendForm(page, "/client/auth", { intent: "sign-in", email, password });

/** Ends on a page of the portal, signed in. */
export async function enterPortal(page: Page, email: string, path: string) {
  await startSession(page, email);
  await openPortal(page, path);
}

/** Signs up, confirms in the same browser and ends in the portal, signed in. */
export async function signUp(page: Page, email: string, organization = "") {
  await page.context().clearCookies();
  await page.goto("/client/auth?tab=create");
  await page.getByLabel("Full Name").fill(NEW_ACCOUNT_NAME);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm Password").fill(PASSWORD);
  await page.getByLabel(/Organization name/).fill(organization);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Check Your Email" })).toBeVisible();
  await openLink(page, email, "Confirm your email address");
  await expect(page.getByRole("definition").filter({ hasText: NEW_ACCOUNT_NAME })).toBeVisible();
  await page.getByRole("button", { name: "Confirm and sign in" }).click();
  await expect(page.getByText("Your account is ready.")).toBeVisible();
  await expect(page).toHaveURL(/\/client$/);
}

export async function tryToSignIn(page: Page, email: string, password: string) {
  await page.goto("/client/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Signs in, and ends on the next page with its scripts: the portal, or the second step. */
export async function signInAsClient(page: Page, email: string, password = PASSWORD) {
  await tryToSignIn(page, email, password);
  // The page sends the form itself and opens the next one afterwards.
  await expect(page.getByRole("button", { name: "Sign In" })).toHaveCount(0);
  await page.waitForLoadState();
}

/** Returns the code of an authenticator app now, or of a later step: each step counts once. */
export const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + ahead * 30_000 });

/** Adds the account to an authenticator by its key and returns secret and backup codes. */
export async function setUpAuthenticator(page: Page): Promise<{ secret: string; codes: string[] }> {
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await page.getByRole("link", { name: "Enter key by hand" }).click();
  const key = page.locator("[data-secret]");
  await expect(key).toBeVisible();
  const secret = ((await key.textContent()) ?? "").replace(/\s/g, "");
  await page.getByLabel("Verification code").fill(codeOf(secret));
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByRole("heading", { name: "Save your backup codes" })).toBeVisible();
  const codes = page.locator("#codes-list li");
  await expect(codes).toHaveCount(10);
  return { secret, codes: await codes.allTextContents() };
}

/** Makes an organization the one that somebody works in, whichever they used last. */
export async function workIn(page: Page, organization: string) {
  await openPortal(page, "/client");
  const choice = page.getByRole("combobox", { name: "Organization" });
  // Whoever belongs to one has no choice.
  if ((await choice.count()) > 0 && (await choice.locator("option:checked").textContent()) !== organization) {
    await choice.selectOption(organization);
    await page.getByRole("button", { name: "Switch" }).click();
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Welcome back to ${organization}`);
}

/** Invites addresses on the page of the team, in the organization that somebody works in. */
export async function inviteToTeam(page: Page, ...emails: string[]) {
  await openPortal(page, "/client/team/invite");
  await page.getByLabel("Email").fill(emails.join("\n"));
  await page.getByRole("button", { name: "Invite Member" }).click();
  await expect(page).toHaveURL(/\/client\/team$/);
}

/** Accepts the newest invitation to an organization, as somebody who is signed in. */
export async function acceptInvitation(page: Page, email: string, organization: string) {
  await openLink(page, email, "You're invited to ");
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await expect(page.getByText(`You now belong to ${organization}.`)).toBeVisible();
}
