import { acceptInvitation, enterPortal, startSession } from "../support/browser-accounts";
import { expect, openPortal, type Page, test } from "../support/browser-test";

const OWNER = "owner@brightsmile.example";
const NEWCOMER = { name: "Kim Tran", email: "solo@nowhere.example" };
const BROKEN = "broken@nowhere";
const ORGANIZATION = "Brightsmile Dental";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("an owner invites people, changes what one of them may do, suspends them, and removes them", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const row = page.getByRole("row").filter({ hasText: NEWCOMER.email });
  const theirs = await (await browser.newContext()).newPage();
  await startSession(page, OWNER);

  await test.step("of two addresses the broken one stays to be corrected, and the other is invited", async () => {
    await openPortal(page, "/client/team");
    await page.getByRole("link", { name: "Invite Member" }).click();
    await page.getByLabel("Email", { exact: true }).fill(`${NEWCOMER.email}, ${BROKEN}`);
    await page.getByRole("button", { name: "Invite Member" }).click();
    await expect(page.getByText("1 person invited.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Please enter a valid email address" })).toBeVisible();
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(BROKEN);
    await openPortal(page, "/client/team");
    await expect(row).toContainText("Pending");
    await expect(row.getByRole("button", { name: `Resend ${NEWCOMER.email}` })).toBeVisible();
  });

  await test.step("the invited person sees the organization, and not who else is in it", async () => {
    await enterPortal(theirs, NEWCOMER.email, "/client");
    await expect(heading(theirs)).toHaveText("No organization selected");
    await acceptInvitation(theirs, NEWCOMER.email, ORGANIZATION);
    await expect(heading(theirs)).toHaveText(`Welcome back to ${ORGANIZATION}`);
    await theirs.goto("/client/team");
    await expect(theirs.getByText("Only organization admins can manage team members.")).toBeVisible();
  });

  await test.step("as an admin they may invite others", async () => {
    await openPortal(page, "/client/team");
    const role = row.getByLabel(`Role of ${NEWCOMER.name}`);
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
    await row.getByRole("button", { name: `Suspend ${NEWCOMER.name}` }).click();
    await expect(page.getByText("Member suspended")).toBeVisible();
    await expect(row).toContainText("Suspended");
    await theirs.goto("/client/team");
    await expect(theirs.getByText(`Your access to ${ORGANIZATION} is suspended.`)).toBeVisible();
    await expect(theirs.getByText(OWNER)).toHaveCount(0);
    await theirs.goto("/client");
    await expect(heading(theirs)).toHaveText("No organization selected");
  });

  await test.step("removed they are gone, once that is confirmed", async () => {
    await row.getByRole("link", { name: `Remove ${NEWCOMER.name}…` }).click();
    await expect(heading(page)).toHaveText("Remove Team Member");
    await expect(page.getByText(`Remove ${NEWCOMER.name} from ${ORGANIZATION}?`)).toBeVisible();
    await page.getByRole("button", { name: "Remove member" }).click();
    await expect(page.getByText("Member removed successfully")).toBeVisible();
    await expect(heading(page)).toHaveText("Team");
    await expect(row).toHaveCount(0);
  });
});
