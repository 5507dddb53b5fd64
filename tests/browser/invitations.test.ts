import {
  enterWithNewAccount,
  freshEmail,
  inviteToTeam,
  openLink,
  PASSWORD,
  tryToSignIn,
} from "../support/browser-accounts";
import { type Browser, expect, test } from "../support/browser-test";

const ORGANIZATION = "Larkspur Row";

/** Opens a page of somebody else's browser, which runs scripts or not as all of a test's do. */
const otherPage = async (browser: Browser) => (await browser.newContext()).newPage();

test("of two people who are invited, one opens an account with the link and the other accepts with theirs", async ({
  page,
  browser,
}) => {
  const [owner, newcomer, colleague] = [freshEmail("owner"), freshEmail("newcomer"), freshEmail("colleague")];
  await enterWithNewAccount(page, colleague);
  await enterWithNewAccount(page, owner, ORGANIZATION);
  await inviteToTeam(page, newcomer, colleague);

  const second = await otherPage(browser);
  // Nobody has reviewed the organization yet: its name does not head mails to strangers.
  await openLink(second, newcomer, "You're invited to Wrenfield");
  await expect(second.getByRole("heading", { level: 1, name: "You're invited" })).toBeVisible();
  for (const fact of [ORGANIZATION, "Priya Raman", "Member", newcomer]) {
    await expect(second.getByRole("definition").filter({ hasText: fact }).first()).toBeVisible();
  }
  await second.getByLabel("Full Name").fill("Noor Haddad");
  await second.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await second.getByLabel("Confirm Password").fill(PASSWORD);
  await second.getByRole("button", { name: "Accept invitation" }).click();
  await expect(second.getByText("Invitation accepted")).toBeVisible();
  await expect(second.getByRole("heading", { level: 1, name: `Welcome back to ${ORGANIZATION}` })).toBeVisible();

  // The browser of the newcomer holds somebody else's session when the colleague opens their link in it.
  await openLink(second, colleague, "You're invited to Wrenfield");
  await expect(second.getByRole("heading", { level: 1, name: "This invitation is for someone else" })).toBeVisible();
  await second.getByRole("button", { name: "Sign Out" }).click();
  await second.getByRole("link", { name: "Sign In" }).click();
  await expect(second.getByText("Sign in to accept the invitation")).toBeVisible();
  await second.getByLabel("Email").fill(colleague);
  await second.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await second.getByRole("button", { name: "Sign In" }).click();
  await second.getByRole("button", { name: "Accept invitation" }).click();
  await expect(second.getByText(`You now belong to ${ORGANIZATION}.`)).toBeVisible();
});

test("an invitation is declined with Not me, and then its link opens nothing", async ({ page, browser }) => {
  const [owner, stranger] = [freshEmail("owner"), freshEmail("stranger")];
  await enterWithNewAccount(page, owner, ORGANIZATION);
  await inviteToTeam(page, stranger);
  const second = await otherPage(browser);
  await openLink(second, stranger, "You're invited to");
  await second.getByRole("link", { name: "Not me, remove this invitation" }).click();
  await second.getByRole("button", { name: "Not me" }).click();
  await expect(second.getByRole("heading", { level: 1, name: "Invitation removed" })).toBeVisible();
  await openLink(second, stranger, "You're invited to");
  await expect(second.getByRole("heading", { level: 1, name: "There is no such invitation" })).toBeVisible();
  await tryToSignIn(second, stranger, PASSWORD);
  await expect(second.getByText("Invalid email or password")).toBeVisible();
});
