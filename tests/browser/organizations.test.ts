import { expectNoViolation } from "../support/accessible-page";
import { expect, openAdmin, type Page, test } from "../support/browser-test";
import { mailsTo, signIn, staff } from "../support/demo-world";

const LIST = "/admin/organizations";

async function search(page: Page, term: string) {
  await openAdmin(page, LIST);
  await page.getByLabel("Search name, slug or description").fill(term);
  await page.getByRole("button", { name: "Search", exact: true }).click();
}

async function edit(page: Page, path: string) {
  await openAdmin(page, path);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Edit organization" })).toBeVisible();
}

test("a client's organization from its creation to its deletion", async ({ browser, javaScriptEnabled }) => {
  const scripts = javaScriptEnabled;
  const mark = `${scripts ? "Fern" : "Moss"}${Date.now() % 100_000}`;
  const domain = `${mark.toLowerCase()}.example`;
  const page = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
  const colleague = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
  const heading = page.getByRole("heading", { level: 1 });
  let path = "";

  await test.step("a new organization needs a name and a domain of its own, and leads to its page", async () => {
    await signIn(page, scripts ? staff.secondAdmin : staff.admin, LIST);
    await page.getByRole("link", { name: "New Organization" }).click();
    await page.getByLabel("Email domains").fill("gmail.com");
    await page.getByLabel("Owner email").fill(`boss@${domain}`);
    await page.getByRole("button", { name: "Create Organization" }).click();
    await expect(page.getByRole("link", { name: "Name is required" })).toBeVisible();
    await expect(page.getByText(/Anyone can have a mailbox at gmail.com/).first()).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill(`${mark} Clinic`);
    await page.getByLabel("Plan").selectOption("Core");
    await page.getByLabel("Email domains").fill(domain);
    await page.getByRole("button", { name: "Create Organization" }).click();
    await expect(page.getByText("Organization created successfully")).toBeVisible();
    await expect(heading).toHaveText(`${mark} Clinic`);
    path = new URL(page.url()).pathname;
  });

  await test.step("its owner is pending, and is written to again", async () => {
    await expect(page.getByText("Owner pending")).toBeVisible();
    expect(await mailsTo(page, `boss@${domain}`)).toHaveLength(1);
    await page.getByRole("button", { name: "Resend" }).click();
    await expect(page.getByText("The invitation is sent again.")).toBeVisible();
    await mailsTo(page, `boss@${domain}`, 2);
  });

  await test.step("a note stays with the client", async () => {
    await page.getByLabel("Internal note", { exact: true }).fill("Call before nine.");
    await page.getByRole("button", { name: "Add internal note" }).click();
    await expect(page.getByText("Note Added")).toBeVisible();
    await page.getByRole("link", { name: /^Edit note of/ }).click();
    await page.getByLabel("Note", { exact: true }).fill("Call before eight.");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Call before eight.")).toBeVisible();
    await expect(page.getByText("(edited)")).toBeVisible();
  });

  await test.step("two who edit at once both see both texts, and one of them decides", async () => {
    await edit(page, path);
    await page.getByLabel("Description").fill("Typed first, saved last");
    await colleague.context().addCookies(await page.context().cookies());
    await edit(colleague, path);
    await colleague.getByLabel("Description").fill("Saved first");
    await colleague.getByRole("button", { name: "Save" }).click();
    await expect(colleague.getByText("Organization updated successfully")).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("This organization changed while you were working")).toBeVisible();
    const versions = page.getByRole("alert").filter({ hasText: "Your version" });
    await expect(versions.getByText("Saved first")).toBeVisible();
    await expect(versions.getByText("Typed first, saved last")).toBeVisible();
    if (scripts) await expectNoViolation(page, "both versions");
    await page.getByRole("button", { name: "Overwrite" }).click();
    await expect(page.getByText("Organization updated successfully")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Details" })).toBeVisible();
    await edit(page, path);
    await expect(page.getByLabel("Description")).toHaveValue("Typed first, saved last");
  });

  await test.step("the list finds it by name, slug and description", async () => {
    for (const term of [mark, `${mark.toLowerCase()}-clinic`, "saved last"]) {
      await search(page, term);
      await expect(page.getByRole("rowheader").getByRole("link", { name: `${mark} Clinic` })).toBeVisible();
    }
    await search(page, `${mark}xyz`);
    await expect(page.getByRole("heading", { name: "No organizations found" })).toBeVisible();
    await expect(page.getByText("Try adjusting your search terms")).toBeVisible();
  });

  await test.step("it goes only when its name is typed", async () => {
    await search(page, mark);
    await page.getByRole("link", { name: `Delete… ${mark} Clinic` }).click();
    await expect(page.getByText("This will permanently remove the organization, all its members")).toBeVisible();
    await expect(page.getByText("1 member, who lose access at once")).toBeVisible();
    if (scripts) await expectNoViolation(page, "deletion");
    await page.getByLabel(/^Type/).fill("something else");
    await page.getByRole("button", { name: "Delete organization" }).click();
    await expect(page.getByRole("link", { name: "Type the name exactly as it is shown" })).toBeVisible();
    await page.getByLabel(/^Type/).fill(`${mark} Clinic`);
    await page.getByRole("button", { name: "Delete organization" }).click();
    await expect(page.getByText("Organization deleted successfully")).toBeVisible();
    await search(page, mark);
    await expect(page.getByRole("heading", { name: "No organizations found" })).toBeVisible();
    expect((await page.request.get(path)).status()).toBe(404);
  });
});
