import {
  acceptInvitation,
  enterWithNewAccount,
  freshEmail,
  NEW_ACCOUNT_NAME,
  startSession,
} from "../support/browser-accounts";
import { expect, openPortal, type Page, test } from "../support/browser-test";

const OWNER = "owner@brightsmile.example";
const BROKEN = "broken@nowhere";
const ORGANIZATION = "Brightsmile Dental";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("an owner invites people, changes what one of them may do, suspends them, and removes them", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const newcomer = freshEmail("newcomer");
  const row = page.getByRole("row").filter({ hasText: newcomer });
  const theirs = await (await browser.newContext()).newPage();
  await enterWithNewAccount(theirs, newcomer);
  await startSession(page, OWNER);

  await test.step("of two addresses the broken one stays to be corrected, and the other is invited", async () => {
    await openPortal(page, "/client/team");
    await page.getByRole("link", { name: "Invite Member" }).click();
    await page.getByLabel("Email", { exact: true }).fill(`${newcomer}, ${BROKEN}`);
    await page.getByRole("button", { name: "Invite Member" }).click();
    await expect(page.getByText("1 person invited.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Please enter a valid email address" })).toBeVisible();
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(BROKEN);
    await openPortal(page, "/client/team");
    await expect(row).toContainText("Pending");
    await expect(row.getByRole("button", { name: `Resend ${newcomer}` })).toBeVisible();
  });

  await test.step("the invited person sees the organization, and not who else is in it", async () => {
    await openPortal(theirs, "/client");
    await expect(heading(theirs)).toHaveText("No organization selected");
    await acceptInvitation(theirs, newcomer, ORGANIZATION);
    await expect(heading(theirs)).toHaveText(`Welcome back to ${ORGANIZATION}`);
    await theirs.goto("/client/team");
    await expect(theirs.getByText("Only organization admins can manage team members.")).toBeVisible();
  });

  await test.step("as an admin they may invite others", async () => {
    await openPortal(page, "/client/team");
    const role = row.getByLabel(`Role of ${NEW_ACCOUNT_NAME}`);
    await role.selectOption("Admin");
    await row.getByRole("button", { name: /^Save/ }).click();
    await expect(
      javaScriptEnabled ? row.getByText("✓ Saved") : page.getByText("Member role updated successfully"),
    ).toBeVisible();
    await expect(role).toHaveValue("admin");
    await theirs.goto("/client/team");
    await expect(theirs.getByRole("link", { name: "Invite Member" })).toBeVisible();
  });

  await test.step("suspended they lose the portal with their next request", async () => {
    await row.getByRole("button", { name: `Suspend ${NEW_ACCOUNT_NAME}` }).click();
    await expect(page.getByText("Member suspended")).toBeVisible();
    await expect(row).toContainText("Suspended");
    await theirs.goto("/client/team");
    await expect(theirs.getByText(`Your access to ${ORGANIZATION} is suspended.`)).toBeVisible();
    await expect(theirs.getByText(OWNER)).toHaveCount(0);
    await theirs.goto("/client");
    await expect(heading(theirs)).toHaveText("No organization selected");
  });

  await test.step("removed they are gone, once that is confirmed", async () => {
    await row.getByRole("link", { name: `Remove ${NEW_ACCOUNT_NAME}…` }).click();
    await expect(heading(page)).toHaveText("Remove Team Member");
    await expect(page.getByText(`Remove ${NEW_ACCOUNT_NAME} from ${ORGANIZATION}?`)).toBeVisible();
    await page.getByRole("button", { name: "Remove member" }).click();
    await expect(page.getByText("Member removed successfully")).toBeVisible();
    await expect(heading(page)).toHaveText("Team");
    await expect(row).toHaveCount(0);
  });
});
