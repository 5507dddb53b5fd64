import {
  acceptInvitation,
  enterWithNewAccount,
  freshEmail,
  inviteToTeam,
  NEW_ACCOUNT_NAME,
  startSession,
} from "../support/browser-accounts";
import { expect, test } from "../support/browser-test";
import { signIn, staff } from "../support/demo-world";

const ORGANIZATION = "Brightsmile Dental";

test("an administrator takes a member out of an organization, but not its owner", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  const member = freshEmail("member");
  const owned = `Larkspur ${javaScriptEnabled ? "Row" : "Lane"}`;
  await enterWithNewAccount(theirs, member, owned);
  await startSession(page, "owner@brightsmile.example");
  await inviteToTeam(page, member);
  await acceptInvitation(theirs, member, ORGANIZATION);

  const admin = await (await browser.newContext()).newPage();
  const rowIn = (organization: string) =>
    admin.getByRole("row").filter({ hasText: member }).filter({ hasText: organization });
  await signIn(admin, javaScriptEnabled ? staff.secondAdmin : staff.admin, "/admin/members");
  await admin.getByLabel("Search email, name or organization").fill(member);
  await admin.getByRole("button", { name: "Search", exact: true }).click();
  await expect(rowIn(ORGANIZATION).getByLabel(`Role of ${NEW_ACCOUNT_NAME}`)).toHaveValue("member");
  await expect(rowIn(owned)).toContainText("Owner");
  await expect(rowIn(owned).getByRole("combobox")).toHaveCount(0);
  await expect(rowIn(owned).getByRole("link", { name: /^Remove/ })).toHaveCount(0);

  await rowIn(ORGANIZATION)
    .getByRole("link", { name: `Remove ${NEW_ACCOUNT_NAME}…` })
    .click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText("Remove Member");
  await expect(admin.getByText(`Remove ${NEW_ACCOUNT_NAME} from ${ORGANIZATION}?`)).toBeVisible();
  await admin.getByRole("button", { name: "Remove member" }).click();
  await expect(admin.getByText("Membership removed successfully")).toBeVisible();
  await expect(rowIn(owned)).toBeVisible();
  await expect(rowIn(ORGANIZATION)).toHaveCount(0);
  await theirs.goto("/client");
  // What they own is left to them.
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText(`Welcome back to ${owned}`);
  await expect(theirs.getByText(ORGANIZATION)).toHaveCount(0);
});
