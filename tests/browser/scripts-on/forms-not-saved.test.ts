import { alert, breakNetwork, FAILURES, type Failure, retry } from "../../support/broken-network";
import { expect, isHydrated, type Page, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

/** Opens the first record of the list. */
async function openRecord(page: Page) {
  await signIn(page, staff.admin);
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByRole("region", { name: "Conversation" })).toBeVisible();
  await isHydrated(page);
}

test("a note that does not arrive stays typed, on its page, and Retry sends it once", async ({ page }) => {
  await openRecord(page);
  await page.getByRole("link", { name: "Internal note" }).click();
  await expect(page).toHaveURL(/#note$/);
  const address = page.url();
  const notes = page.getByRole("region", { name: "Conversation" });
  const field = page.getByLabel("Internal note", { exact: true });
  for (const failure of Object.keys(FAILURES) as Failure[]) {
    const text = `Call back ${failure} ${Date.now()}`;
    const repair = await breakNetwork(page, failure);
    await page.getByRole("link", { name: "Reply", exact: true }).click();
    await page.getByLabel(/^Message to /).fill("Half a reply");
    await page.getByRole("link", { name: "Internal note" }).click();
    await field.fill(text);
    const add = page.getByRole("button", { name: "Add internal note" });
    await add.press("Enter");
    await expect(alert(page), failure).toHaveCount(1);
    await expect(add).toBeFocused();
    await expect(field).toHaveValue(text);
    expect(page.url()).toBe(address);
    const sentAgain = page.waitForRequest((request) => request.method() === "POST");
    await retry(page).press("Enter");
    await sentAgain;
    await expect(add).not.toHaveAttribute("aria-disabled", "true");
    await expect(field).toHaveValue(text);
    await repair();
    await retry(page).press("Enter");
    await expect(notes.getByText(text)).toHaveCount(1);
    await expect(alert(page)).toHaveCount(0);
    await expect(field).toHaveValue("");
    // The form beside it was not sent, and keeps what is in it.
    await expect(page.getByLabel(/^Message to /)).toHaveValue("Half a reply");
    await expect(page.locator("article:focus")).toContainText(text);
  }
});

test("a note that was saved while its answer got lost is not saved twice", async ({ page }) => {
  await openRecord(page);
  const text = `Answer lost ${Date.now()}`;
  await page.route(/[?&]_data=/, async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await page.getByRole("link", { name: "Internal note" }).click();
  await page.getByLabel("Internal note", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Add internal note" }).click();
  await expect(alert(page)).toBeVisible();
  await page.unroute(/[?&]_data=/);
  await retry(page).click();
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(text)).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(text)).toHaveCount(1);
});

test("a reply that does not arrive stays typed, and Retry sends it", async ({ page }) => {
  await openRecord(page);
  const field = page.getByLabel(/^Message to /);
  await field.fill("Monday at nine works for us.");
  const repair = await breakNetwork(page, "an outage");
  await page.getByRole("button", { name: "Send Reply" }).click();
  await expect(alert(page)).toBeVisible();
  await expect(field).toHaveValue("Monday at nine works for us.");
  await repair();
  await retry(page).click();
  await expect(page.getByText("Reply on its way")).toBeVisible();
  await expect(field).toHaveValue(/^Hello /);
});

test("a status that is saved says so beside its button until the next change, and keeps the focus", async ({
  page,
}) => {
  await openRecord(page);
  const select = page.getByLabel("Status", { exact: true });
  const save = page.getByRole("button", { name: "Save", exact: true });
  const saved = page.getByRole("status").filter({ hasText: "Saved" });
  const before = await select.inputValue();
  const repair = await breakNetwork(page, "a bad gateway without a body");
  await select.selectOption(before === "resolved" ? "contacted" : "resolved");
  await save.press("Enter");
  await expect(alert(page)).toBeVisible();
  await expect(select).not.toHaveValue(before);
  await repair();
  await save.press("Enter");
  await expect(saved).toBeVisible();
  await expect(save).toBeFocused();
  await expect(alert(page)).toHaveCount(0);
  await select.selectOption(before);
  await expect(saved).toHaveCount(0);
});

test("what becomes of a row low in the list is said in sight, without scrolling", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 600 });
  await signIn(page, staff.admin, "/admin/submissions");
  const row = page.getByRole("row").last();
  const select = row.getByLabel(/^Status of /);
  const save = row.getByRole("button", { name: /^Sav/ });
  const before = await select.inputValue();
  await select.selectOption(before === "resolved" ? "contacted" : "resolved");
  const repair = await breakNetwork(page, "a bad gateway without a body");
  await save.focus();
  await expect(save).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("heading", { level: 1 })).not.toBeInViewport();
  await save.press("Enter");
  await expect(alert(page)).toBeInViewport({ ratio: 1 });
  await expect(save).toBeFocused();
  await expect(save).toBeInViewport({ ratio: 1 });
  await repair();

  // A slow answer: the word comes, and the button stays as wide as it was.
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/[?&]_data=/, async (route) => {
    await answered;
    await route.continue();
  });
  const width = (await save.boundingBox())?.width;
  await save.press("Enter");
  // It is pending at once; the word waits until the answer is late.
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await expect(save).toHaveText("Saving…");
  expect((await save.boundingBox())?.width).toBe(width);
  expect(await save.evaluate((button) => button.scrollWidth <= button.clientWidth)).toBe(true);
  answer();
  await expect(row.getByText("✓ Saved")).toBeInViewport({ ratio: 1 });
  await expect(save).toBeFocused();
  // It stands in the place of the button, of which nothing is seen until there is something to save.
  await expect(save).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await save.press("Enter");
  await expect(row.getByText("No change")).toBeInViewport({ ratio: 1 });
  await expect(row.getByText("✓ Saved")).toHaveCount(0);
  await select.selectOption(before);
  await expect(save).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await select.selectOption(await select.locator("option[selected]").getAttribute("value"));

  const box = row.getByRole("checkbox");
  await box.check();
  await page.getByLabel("Set status").selectOption(before);
  const update = page.getByRole("button", { name: "Update", exact: true });
  await update.focus();
  await update.press("Enter");
  await expect(box).not.toBeChecked();
  await expect(page.getByText("Bulk Update Complete")).toBeInViewport({ ratio: 1 });
  await expect(page.locator("#result")).toBeFocused();
  await expect(row).toBeInViewport();
});

test("rows stay selected when a bulk change does not arrive, and when it is rejected", async ({ page }) => {
  await signIn(page, staff.admin);
  const boxes = page.getByRole("checkbox", { name: /^Select (?!all)/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  const bar = page.getByRole("form", { name: "Selected submissions" });
  const states = page.getByLabel(/^Status of /);
  const present = await Promise.all([0, 1].map((row) => states.nth(row).inputValue()));
  const next = ["contacted", "resolved", "new"].find((status) => !present.includes(status)) ?? "";
  await bar.getByLabel("Set status").selectOption(next);
  const repair = await breakNetwork(page, "no network");
  await bar.getByRole("button", { name: "Update", exact: true }).click();
  await expect(alert(page)).toBeVisible();
  await expect(boxes.nth(0)).toBeChecked();
  await expect(boxes.nth(1)).toBeChecked();
  // The page that confirms a deletion was never open: its script must be there all the same.
  const lost = page.waitForEvent("requestfailed");
  await bar.getByRole("button", { name: "Delete…" }).click();
  await lost;
  // The alert of the change before stands meanwhile, and a form that is under way is not sent again.
  await expect(bar.getByRole("button", { name: "Update", exact: true })).not.toHaveAttribute("aria-disabled", "true");
  await expect(alert(page)).toBeVisible();
  await expect(boxes.nth(0)).toBeChecked();
  await repair();
  await retry(page).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/delete 2 submissions/);
  const repairAgain = await breakNetwork(page, "an outage");
  await page.getByRole("button", { name: "Delete 2 submissions" }).click();
  await expect(alert(page)).toBeVisible();
  await expect(heading).toHaveText(/delete 2 submissions/);
  await repairAgain();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(alert(page)).toHaveCount(0);
  await boxes.nth(0).check();
  await bar.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByText("Choose a status first.")).toBeVisible();
  await bar.getByLabel("Set status").selectOption(next);
  await bar.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByText("Bulk Update Complete")).toBeVisible();
  await expect(boxes.nth(0)).not.toBeChecked();
});

test("a rejected change can be mended and sent while the page still reads its data anew", async ({ page }) => {
  await signIn(page, staff.admin);
  const box = page.getByRole("checkbox", { name: /^Select (?!all)/ }).first();
  await box.check();
  const bar = page.getByRole("form", { name: "Selected submissions" });
  const update = bar.getByRole("button", { name: "Update", exact: true });
  const isRead = (url: URL) =>
    url.pathname === "/admin/submissions" && url.searchParams.get("_data") === "routes/_admin";
  await page.route(isRead, () => undefined);
  await update.click();
  await expect(page.getByText("Choose a status first.")).toBeVisible();
  await bar.getByLabel("Set status").selectOption("contacted");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await update.click();
  expect((await sent).postData()).toContain("contacted");
});

test("whoever goes on before their page was read again finds the message of their form where they go, and once", async ({
  page,
}) => {
  await signIn(page, staff.admin);
  await page
    .getByRole("checkbox", { name: /^Select (?!all)/ })
    .first()
    .check();
  const bar = page.getByRole("form", { name: "Selected submissions" });
  await bar.getByLabel("Set status").selectOption("contacted");
  const message = page.locator("#result");
  // The server answers, and nothing of what this page reads arrives, be it because of the form or of a colleague.
  const isRead = (url: URL) =>
    url.pathname === "/admin/submissions" && url.searchParams.get("_data") === "routes/_admin";
  await page.route(isRead, (route) => route.fetch().then(() => undefined));
  const sent = page.waitForResponse((response) => response.request().method() === "POST");
  await bar.getByRole("button", { name: "Update", exact: true }).click();
  await sent;
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
  // Somebody may have contacted them before.
  await expect(message).toHaveText(/ 1 (submission|was) .*contacted/);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
  await expect(message).toHaveText("");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.describe("without any network", () => {
  test.use({ ownBrowser: true });

  /** Returns the addresses of the scripts of routes that a page has asked for, by the names of the routes. */
  function askedRoutes(page: Page) {
    const routes = new Map<string, string>();
    page.on("request", (request) => {
      const [, name] = /\/build\/routes\/(.+)-[A-Z0-9]{8}\.js$/.exec(decodeURIComponent(request.url())) ?? [];
      if (name) routes.set(name, request.url());
    });
    return routes;
  }

  /** Lasts until a script is there that the page has asked for, with what it imports. */
  const isLoaded = (page: Page, address: string | undefined) =>
    page.evaluate(`import(${JSON.stringify(address)}).then(() => undefined)`);

  test("a form that another route receives stays on its page: of all others that one's script is loaded", async ({
    page,
    context,
  }) => {
    const routes = askedRoutes(page);
    await signIn(page, staff.admin, "/admin");
    const receiver = "_admin.admin.notifications";
    await expect.poll(() => [...routes.keys()].sort()).toEqual(["_admin", "_admin.admin._index", receiver]);
    await isLoaded(page, routes.get(receiver));
    await context.setOffline(true);
    await page
      .getByRole("button", { name: /^Dismiss/ })
      .first()
      .click();
    await expect(alert(page)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  });

  test("such a form on a page that a link has opened stays there too", async ({ page, context }) => {
    const routes = askedRoutes(page);
    await signIn(page, staff.admin, "/admin");
    await page
      .getByRole("navigation", { name: "Admin" })
      .getByRole("link", { name: /^Submissions/ })
      .click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("All Submissions");
    await page.getByLabel("Search").fill("a");
    await page.getByLabel("Search").press("Enter");
    await expect(page).toHaveURL(/[?&]q=a/);
    await page.locator("summary", { hasText: "Saved views" }).click();
    await page.getByLabel("Name of this view").fill("Half a na");
    const receiver = "_admin.admin.views";
    await expect.poll(() => [...routes.keys()]).toContain(receiver);
    await isLoaded(page, routes.get(receiver));
    await context.setOffline(true);
    await page.getByRole("button", { name: "Save view" }).click();
    await expect(alert(page)).toBeVisible();
    await expect(page.getByLabel("Name of this view")).toHaveValue("Half a na");
  });
});
