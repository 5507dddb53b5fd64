import { expectNoViolation } from "../../support/accessible-page";
import { expect, openAdmin, type Page, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

/** Presses a key until the script that listens has loaded. */
const pressUntil = (page: Page, key: string, isDone: () => Promise<void>) =>
  expect(async () => {
    await page.keyboard.press(key);
    await isDone();
  }).toPass();

const rowLinks = (page: Page) => page.locator(".list-rows th > a");

test("rows are walked and opened by keys, a note and a reply begun, and what is typed presses nothing", async ({
  page,
}) => {
  await signIn(page, staff.technician, "/admin/tickets");
  const links = rowLinks(page);
  await pressUntil(page, "k", () => expect(links.first()).toBeFocused({ timeout: 500 }));
  await page.keyboard.press("j");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("x");
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await page.keyboard.press("x");
  const title = await links.nth(1).textContent();
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1, name: title ?? "" })).toBeVisible();
  const note = page.getByRole("textbox", { name: "Internal note" });
  await pressUntil(page, "n", () => expect(note).toBeFocused({ timeout: 500 }));
  await page.keyboard.type("jkoa?r/ @");
  await expect(note).toHaveValue("jkoa?r/ @");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await note.fill("");
  await page.getByRole("link", { name: "Next" }).focus();
  await page.keyboard.press("r");
  await expect(page.getByRole("textbox", { name: "Reply to the client" })).toBeFocused();
});

test("going on to the next ticket leaves nothing of the one before, which may be another client's", async ({
  page,
}) => {
  await signIn(page, staff.technician, "/admin/tickets");
  const second = (await rowLinks(page).nth(1).textContent()) ?? "";
  await rowLinks(page).first().click();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 1, name: second })).toBeVisible();
  await expect(page.getByRole("region", { name: "Conversation" })).toHaveCount(1);
  await expect(page.getByRole("textbox", { name: "Reply to the client" })).toHaveCount(1);
});

test("after a row is taken the keys go on from there", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/tickets?status=closed");
  const links = rowLinks(page);
  await pressUntil(page, "j", () => expect(links.nth(2)).toBeFocused({ timeout: 500 }));
  await page.keyboard.press("a");
  await expect(page.locator("#result")).toBeFocused();
  await page.keyboard.press("j");
  await expect(links.nth(3)).toBeFocused();
});

test("with Tab the page comes after the navigation, and live updates after the page", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/tickets");
  const live = page.getByRole("region", { name: "Live updates" });
  await expect(live.getByRole("button", { name: "Pause live updates" })).toBeVisible();
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link").last().focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("navigation", { name: "Account" }).getByRole("link").first()).toBeFocused();
  await live.getByRole("button", { name: "Pause live updates" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("the list of shortcuts holds the keys back, says whether they are on, and closes to where one was", async ({
  page,
}) => {
  await signIn(page, staff.technician, "/admin/tickets");
  const first = rowLinks(page).first();
  await pressUntil(page, "k", () => expect(first).toBeFocused({ timeout: 500 }));
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog).toBeVisible();
  await expectNoViolation(page, "the list of shortcuts");
  await page.keyboard.press("j");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(first).toBeFocused();

  const choose = async (state: "On" | "Off") => {
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await dialog.getByRole("link", { name: "Switch them in Notification settings" }).click();
    await page
      .getByRole("group", { name: "Keyboard shortcuts" })
      .getByRole("radio", { name: state, exact: true })
      .check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings Saved")).toBeVisible();
    await openAdmin(page, "/admin/tickets");
  };
  await choose("Off");
  await first.focus();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await expect(dialog).toContainText("Shortcuts are off.");
  await page.getByRole("button", { name: "Close" }).click();
  await first.focus();
  await page.keyboard.press("j");
  await expect(first).toBeFocused();
  await choose("On");
  await pressUntil(page, "k", () => expect(first).toBeFocused({ timeout: 500 }));
});

test("one field finds tickets by number and by words, people and pages, and Escape gives the focus back", async ({
  page,
}) => {
  await signIn(page, staff.admin, "/admin/tickets");
  const first = rowLinks(page).first();
  await pressUntil(page, "k", () => expect(first).toBeFocused({ timeout: 500 }));
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /^Find/ });
  await field.fill("activity");
  await expect(page.getByRole("option", { name: /^Activity/ })).toBeVisible();
  // More is found than there is room for.
  await field.fill("let");
  await expect(page.getByRole("option", { name: /^Letters/ })).toBeVisible();
  await field.fill("scanner");
  await expect(page.getByRole("option", { name: /Scanner sends blank pages/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expectNoViolation(page, "the finder");
  await page.keyboard.press("Escape");
  await expect(first).toBeFocused();
  await page.keyboard.press("Control+k");
  await field.fill("t-1060");
  await expect(page.getByRole("option", { name: /^T-1060/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /Scanner sends blank pages/ })).toBeVisible();
});
