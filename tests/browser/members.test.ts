import { acceptInvitation, inviteToTeam, startSession } from "../support/browser-accounts";
import { expect, test } from "../support/browser-test";
import { signIn, staff } from "../support/demo-world";

const ORGANIZATION = "Brightsmile Dental";
const MEMBER = { name: "Chris Adeyemi", email: "owner@harborhouse.example", owns: "Harbor House Counseling" };

test("an administrator takes a member out of an organization, but not its owner", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  await startSession(page, "owner@brightsmile.example");
  await inviteToTeam(page, MEMBER.email);
  await startSession(theirs, MEMBER.email);
  await acceptInvitation(theirs, MEMBER.email, ORGANIZATION);

  const admin = await (await browser.newContext()).newPage();
  const rowIn = (organization: string) =>
    admin.getByRole("row").filter({ hasText: MEMBER.email }).filter({ hasText: organization });
  await signIn(admin, javaScriptEnabled ? staff.secondAdmin : staff.admin, "/admin/members");
  await admin.getByLabel("Search email, name or organization").fill(MEMBER.email);
  await admin.getByRole("button", { name: "Search", exact: true }).click();
  await expect(rowIn(ORGANIZATION).getByLabel(`Role of ${MEMBER.name}`)).toHaveValue("member");
  await expect(rowIn(MEMBER.owns)).toContainText("Owner");
  await expect(rowIn(MEMBER.owns).getByRole("combobox")).toHaveCount(0);
  await expect(rowIn(MEMBER.owns).getByRole("link", { name: /^Remove/ })).toHaveCount(0);

  await rowIn(ORGANIZATION)
    .getByRole("link", { name: `Remove ${MEMBER.name}…` })
    .click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText("Remove Member");
  await expect(admin.getByText(`Remove ${MEMBER.name} from ${ORGANIZATION}?`)).toBeVisible();
  await admin.getByRole("button", { name: "Remove member" }).click();
  await expect(admin.getByText("Membership removed successfully")).toBeVisible();
  await expect(rowIn(MEMBER.owns)).toBeVisible();
  await expect(rowIn(ORGANIZATION)).toHaveCount(0);
  await theirs.goto("/client");
  // They have others left.
  await expect(theirs.getByRole("combobox", { name: "Organization" })).toBeVisible();
  await expect(theirs.getByRole("option", { name: ORGANIZATION })).toHaveCount(0);
});
