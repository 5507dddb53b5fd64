import { expect, openAdmin, type Page, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

/** Returns `hold`, which keeps every response to the router back, and `release`, which lets them through again. */
async function controlResponses(page: Page) {
  let release = () => {};
  let released = Promise.resolve();
  await page.route(/[?&]_data=/, async (route) => {
    await released;
    await route.continue();
  });
  const hold = () => {
    released = new Promise((resolve) => {
      release = resolve;
    });
  };
  return { hold, release: () => release() };
}

const focused = (page: Page) => page.locator(":focus");

test("the focus stays with what was pressed, or goes to the new content, and results are announced", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin");
  await page
    .getByRole("navigation", { name: "Admin" })
    .getByRole("link", { name: /^Submissions/ })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Submissions/);
  await expect(page.locator("main")).toBeFocused();
  const spoken = page.getByRole("status").filter({ hasText: /Submissions? \||Showing|No contact/ });
  await expect(spoken).toHaveText(/Submissions.* \| /);

  await openAdmin(page, "/admin/submissions");
  const search = page.getByLabel("Search name, email or company");
  await search.fill("e");
  await search.press("Enter");
  await page.waitForURL(/q=e/);
  await expect(search).toBeFocused();
  await expect(spoken).toHaveText(/^Showing \d+ of .*submissions$/);
  await search.fill("nobody-is-called-so");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("No contact submissions found").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Search", exact: true })).toBeFocused();
  await expect(spoken).toHaveText("No contact submissions found");
  await page.getByRole("link", { name: "Clear filters" }).last().click();
  await expect(page.getByText(/^Showing/).first()).toBeVisible();
  await expect(search).toHaveValue("");
  await expect(focused(page)).toHaveCount(1);

  const name = page.getByRole("columnheader", { name: "Name" }).getByRole("link");
  await name.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/sort=name/);
  await expect(name).toBeFocused();
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");

  await page.locator("summary", { hasText: "Dates" }).click();
  await page.getByLabel("From Date").fill("2020-01-01");
  await page.getByRole("button", { name: "Apply Filter" }).click();
  await page.waitForURL(/from=2020/);
  // The panel has closed with the button in it.
  await expect(page.getByRole("region", { name: /^Showing/ })).toBeFocused();

  const select = page.getByLabel(/^Status of /).first();
  const row = page.getByRole("row").filter({ has: select });
  const status = await select.inputValue();
  await select.selectOption(status === "resolved" ? "contacted" : "resolved");
  await row.getByRole("button", { name: /^Save/ }).press("Enter");
  await expect(row.getByText("✓ Saved")).toBeVisible();
  await expect(row.locator(":focus")).toHaveCount(1);
});

test("what is chosen while the page before is still loading is kept", async ({ page }) => {
  await signIn(page, staff.secondAdmin, "/admin/activity");
  const responses = await controlResponses(page);
  responses.hold();
  await page.getByLabel("Search action, details or person").fill("request");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByLabel("Type").selectOption("note");
  responses.release();
  await page.waitForURL(/q=request/);
  await expect(page.getByRole("link", { name: "Clear filters" }).first()).toBeVisible();
  await expect(page.getByLabel("Type")).toHaveValue("note");
  await page.goBack();
  await page.waitForURL(/activity$/);
  await expect(page.getByLabel("Search action, details or person")).toHaveValue("");
  await expect(page.getByLabel("Type")).toHaveValue("");

  await openAdmin(page, "/admin/submissions");
  responses.hold();
  await page.getByLabel("Status", { exact: true }).selectOption("resolved");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByLabel("Search name, email or company").fill("dental");
  responses.release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Resolved Submissions");
  await expect(page.getByLabel("Search name, email or company")).toHaveValue("dental");
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("resolved");
});

test("a page that takes longer than a moment says that it is on its way", async ({ page }) => {
  await signIn(page, staff.secondAdmin, "/admin");
  const responses = await controlResponses(page);
  responses.hold();
  const bar = page.locator("[data-route-progress]");
  await page.getByRole("link", { name: "Activity", exact: true }).click();
  await expect(page.locator("main")).toHaveAttribute("aria-busy", "true");
  // A page that is there at once flashes no bar.
  await expect(bar).toHaveCSS("animation-delay", "0.3s, 0.3s");
  await expect(bar).toHaveCSS("opacity", "1");
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(1);
  responses.release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Activity");
  await expect(bar).toHaveCount(0);
  await expect(page.locator("main")).not.toHaveAttribute("aria-busy", "true");

  await page.emulateMedia({ reducedMotion: "reduce" });
  responses.hold();
  await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  await expect(bar).toHaveCSS("opacity", "1");
  await expect(bar).toHaveCSS("animation-name", "route-progress-shows");
  responses.release();
});

test("what is typed to one visitor does not go on to the next", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/submissions");
  const names = page.getByRole("rowheader").getByRole("link");
  const second = (await names.nth(1).textContent()) ?? "";
  await names.first().click();
  const reply = page.getByLabel(/^Message to /);
  await reply.fill("Only for the first of them");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(second);
  await expect(reply).toHaveValue(/^Hello /);
});
