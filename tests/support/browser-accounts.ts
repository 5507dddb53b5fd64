import { TOTP } from "otpauth";
import { expect, openPortal, type Page } from "./browser-test";
import { mailsTo } from "./demo-world";

/*
 * Accounts that a browser test makes for itself, by the forms a person would use.
 */

/** Returns an address nobody has used before, in any run. */
export const freshEmail = (name: string) => `${name}${Date.now() % 10_000_000}@larkspur.example`;

export const PASSWORD = "Correct!Horse7battery";

/** Opens the link of the newest mail whose subject begins like this. */
export async function openLink(page: Page, email: string, subject: string) {
  await expect
    .poll(async () => (await mailsTo(page, email)).some((mail) => mail.subject.startsWith(subject)))
    .toBe(true);
  const mail = (await mailsTo(page, email)).find((candidate) => candidate.subject.startsWith(subject));
  const href = mail?.text.match(/https?:\/\/\S+token=\S+/)?.[0] ?? "";
  const { pathname, search } = new URL(href);
  await page.goto(pathname + search);
  await expect(page).not.toHaveURL(/token=/);
}

/** Signs up, confirms in the same browser and ends in the portal, signed in. */
export async function signUp(page: Page, email: string, organization = "") {
  await page.context().clearCookies();
  await page.goto("/client/auth?tab=create");
  await page.getByLabel("Full Name").fill("Priya Raman");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm Password").fill(PASSWORD);
  await page.getByLabel(/Organization name/).fill(organization);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Check Your Email" })).toBeVisible();
  await openLink(page, email, "Confirm your email address");
  await expect(page.getByRole("definition").filter({ hasText: "Priya Raman" })).toBeVisible();
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

/** Makes an organization the one that somebody with several works in, whichever they used last. */
export async function workIn(page: Page, organization: string) {
  await openPortal(page, "/client");
  const choice = page.getByRole("combobox", { name: "Organization" });
  await expect(choice).toBeVisible();
  const current = (await choice.locator("option:checked").textContent()) ?? "";
  if (current !== organization) {
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
