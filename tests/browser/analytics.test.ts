import { expectAccessible, loggedErrorsOf } from "../support/accessible-page";
import { expect, openAdmin, test } from "../support/browser-test";
import { signIn, staff } from "../support/demo-world";

test("a technician chooses a range and a part, and follows a number to exactly its rows", async ({
  page,
  javaScriptEnabled,
}) => {
  const hasScripts = javaScriptEnabled;
  const errors = loggedErrorsOf(page);
  await signIn(page, staff.technician, "/admin/analytics");
  // The job that counts has its first run when the server starts.
  await expect(async () => {
    await openAdmin(page, "/admin/analytics");
    await expect(page.getByRole("region", { name: "Key numbers" }).getByText(/% ?$/)).toBeVisible();
  }).toPass();
  await page.getByRole("link", { name: "Last 90 days" }).click();
  await expect(page).toHaveURL(/\?range=90$/);
  await expect(page.getByRole("link", { name: "Last 90 days" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("table", { name: /First reply and promise, by priority/ })).toBeVisible();

  await page.getByRole("link", { name: "Trends" }).click();
  const trend = page.getByRole("table", { name: "The same as a table" });
  await expect(trend.getByRole("row")).toHaveCount(7);
  await expect(page.locator(".recharts-surface")).toHaveCount(hasScripts ? 1 : 0);
  if (hasScripts) await expectAccessible(page, "Trends");

  await page.getByRole("link", { name: "Organizations" }).last().click();
  await expect(page.getByRole("figure", { name: /Top 10 organizations/ })).toBeVisible();
  const [first] = await page.getByRole("figure").getByRole("link").all();
  const count = Number(await first?.textContent());
  await first?.click();
  await expect(page.getByRole("heading", { level: 1, name: "Tickets created" })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(count + 1);

  await page.getByRole("link", { name: "Analytics" }).last().click();
  await page.getByRole("link", { name: /^\d+ missed$/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Promises missed" })).toBeVisible();
  if (hasScripts) await expectAccessible(page, "Promises missed");
  expect(errors).toEqual([]);
});
