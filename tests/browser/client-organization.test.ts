import {
  acceptInvitation,
  enterWithNewAccount,
  freshEmail,
  inviteToTeam,
  NEW_ACCOUNT_NAME,
  startSession,
  workIn,
} from "../support/browser-accounts";
import { expect, openPortal, type Page, test } from "../support/browser-test";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("an organization is created, renamed, protected and transferred, and its creator leaves it", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const firstName = `${javaScriptEnabled ? "Iris" : "Reed"}${Date.now() % 100_000}`;
  const name = `${firstName} Studio`;
  await enterWithNewAccount(page, freshEmail("creator"));

  await test.step("whoever belongs to none creates one", async () => {
    await expect(heading(page)).toHaveText("No organization selected");
    await page.getByLabel("Name", { exact: true }).fill(firstName);
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByText("Organization created successfully")).toBeVisible();
    await expect(heading(page)).toHaveText(`Welcome back to ${firstName}`);
  });

  await test.step("its new name is everywhere at once", async () => {
    await openPortal(page, "/client/organization");
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(
      javaScriptEnabled
        ? page.getByRole("status").filter({ hasText: "Saved" })
        : page.getByText("Organization updated successfully"),
    ).toBeVisible();
    await expect(page.getByRole("banner")).toContainText(name);
  });

  await test.step("two-step sign-in is required, and then a choice of each member again", async () => {
    await page.getByRole("button", { name: "Require two-step sign-in" }).click();
    await expect(page.getByText("Two-step sign-in is required from now on.")).toBeVisible();
    await expect(page.getByText(/Required since/)).toBeVisible();
    await page.getByRole("button", { name: "Stop requiring it" }).click();
    await expect(page.getByText("Two-step sign-in is up to each member again.")).toBeVisible();
  });

  await test.step("its ownership is transferred to a member, once its name is typed", async () => {
    const successor = freshEmail("successor");
    const successorPage = await (await browser.newContext()).newPage();
    await enterWithNewAccount(successorPage, successor);
    await inviteToTeam(page, successor);
    await acceptInvitation(successorPage, successor, name);

    await openPortal(page, "/client/organization/leave");
    await expect(page.getByText("Transfer ownership first, then you can leave.")).toBeVisible();
    await page.getByRole("link", { name: "Transfer ownership" }).click();
    await page.getByLabel("New owner").selectOption(`${NEW_ACCOUNT_NAME} (${successor})`);
    await page.getByLabel("Name of the organization").fill(firstName);
    await page.getByRole("button", { name: "Transfer ownership" }).click();
    await expect(page.getByRole("link", { name: `Type the name of the organization: ${name}` })).toBeVisible();
    await page.getByLabel("Name of the organization").fill(name);
    await page.getByRole("button", { name: "Transfer ownership" }).click();
    await expect(page.getByText(`${NEW_ACCOUNT_NAME} owns the organization now. You are an admin.`)).toBeVisible();
  });

  await test.step("somebody who no longer owns it can leave", async () => {
    await page.getByRole("link", { name: "Leave organization" }).click();
    await page.getByRole("button", { name: "Leave organization" }).click();
    await expect(page.getByText(`You have left ${name}.`)).toBeVisible();
    await expect(heading(page)).toHaveText("No organization selected");
  });
});

test("whoever belongs to two organizations leaves neither by the form of the one they have switched from", async ({
  page,
  context,
  javaScriptEnabled,
}) => {
  const [left, current] = ["Little Oaks Learning", "Harbor House Counseling"];
  await startSession(page, "owner@harborhouse.example");
  await workIn(page, left);
  await openPortal(page, "/client/organization/leave");
  await expect(page.getByText(`Leave ${left}?`)).toBeVisible();

  const second = await context.newPage();
  await workIn(second, current);
  const posted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Leave organization" }).click();
  expect((await posted).status()).toBe(409);
  await expect(page.getByText(`you now work in ${current}. Nothing was changed.`)).toBeVisible();
  // With scripts the page stays as it was.
  if (javaScriptEnabled) await expect(page.getByText(`Leave ${left}?`)).toBeVisible();
  await workIn(second, left);
});

test("whoever switches to an organization that they may not edit keeps what they typed in the settings of the other", async ({
  page,
  context,
  javaScriptEnabled,
}) => {
  const [edited, current] = ["Harbor House Counseling", "Little Oaks Learning"];
  await startSession(page, "owner@harborhouse.example");
  await workIn(page, edited);
  await openPortal(page, "/client/organization");
  await page.getByLabel("Description").fill("Sessions for families");

  const second = await context.newPage();
  await workIn(second, current);
  const posted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  expect((await posted).status()).toBe(409);
  await expect(page.getByText(`you now work in ${current}. Nothing was changed.`)).toBeVisible();
  if (javaScriptEnabled) await expect(page.getByLabel("Description")).toHaveValue("Sessions for families");
  await workIn(second, edited);
});
