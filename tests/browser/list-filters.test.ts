import { expect, test } from "../support/browser-test";
import { signIn, staff } from "../support/demo-world";

test("a search that finds nothing names its filters, each can be dropped, and the address has no empty ones", async ({
  page,
}) => {
  await signIn(page, staff.technician);
  await page.getByLabel("Search name, email or company").fill("nobody-is-called-so");
  await page.getByLabel("Status", { exact: true }).selectOption("new");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.waitForURL(/[?]q=nobody-is-called-so&status=new$/);
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  // Above the list, and where its rows would be.
  const dropText = page.getByRole("link", { name: "Remove filter: “nobody-is-called-so”" });
  await expect(dropText).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Remove filter: New" })).toHaveCount(2);
  await dropText.last().click();
  await page.waitForURL(/submissions[?]status=new$/);
  await expect(dropText).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New Submissions");
  await expect(page.getByRole("rowheader").first()).toBeVisible();
});

test("a record opened from a filtered list leads back to it, and on to the next of it", async ({ page }) => {
  const list = "/admin/submissions?status=resolved&q=example";
  await signIn(page, staff.technician, list);
  const second = await page.getByRole("rowheader").nth(1).getByRole("link").getAttribute("href");
  expect(second).toContain("?status=resolved&q=example");
  await page.getByRole("rowheader").first().getByRole("link").click();
  const records = page.getByRole("navigation", { name: "Records of the list" });
  await expect(records.getByRole("link", { name: "Next" })).toHaveAttribute("href", second ?? "");
  await expect(records.getByRole("link", { name: "Previous" })).toHaveCount(0);
  await records.getByRole("link", { name: "Next" }).click();
  await page.waitForURL(`**${second}`);
  await expect(records.getByRole("link", { name: "Previous" })).toBeVisible();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Submissions" }).click();
  await page.waitForURL(`**${list}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Resolved Submissions");
});

test("the dates of a list close by their button, and where scripts run with Escape and a press elsewhere too", async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, staff.technician);
  const button = page.locator("summary", { hasText: "Dates" });
  const from = page.getByLabel("From Date");
  await button.click();
  await expect(from).toBeVisible();
  await button.click();
  await expect(from).toBeHidden();
  if (!javaScriptEnabled) return;
  await button.click();
  await from.focus();
  await page.keyboard.press("Escape");
  await expect(from).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await expect(from).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(from).toBeHidden();
});
