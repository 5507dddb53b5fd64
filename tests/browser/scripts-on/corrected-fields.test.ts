import { expect, isHydrated, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("a field of the contact form that is corrected stops complaining, once the browser has nothing against it", async ({
  page,
}) => {
  await page.goto("/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  const summary = page.locator("[data-error-summary]");
  await expect(summary.getByRole("alert")).toBeVisible();
  const email = page.getByLabel("Email");
  await email.fill("rita at larkspur");
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await email.fill("rita@larkspur.example");
  await expect(email).not.toHaveAttribute("aria-invalid");
  await expect(page.locator("#email-error")).toHaveCount(0);
  await expect(summary.locator("a[href='#email']")).toHaveCount(0);
  // What is left is not read out again while somebody types.
  await expect(summary).toBeVisible();
  await expect(summary.getByRole("alert")).toHaveCount(0);
  await page.getByLabel("First name").fill("Rita");
  await page.getByLabel("Last name").fill("Wells");
  await page.getByLabel(/I agree/).check();
  await expect(summary).toHaveCount(0);
  await expect(page.locator("[aria-invalid]")).toHaveCount(0);
});

test("so does a field of a hydrated form, until the server rejects it again", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/tickets/new");
  await page.getByRole("button", { name: "Choose" }).click();
  await expect(page).toHaveURL(/organization=/);
  await isHydrated(page);
  const subject = page.getByLabel("Subject");
  await page.getByRole("button", { name: "Open ticket" }).click();
  const summary = page.locator("[data-error-summary]");
  await expect(subject).toHaveAttribute("aria-invalid", "true");
  const errors = await summary.getByRole("listitem").count();
  await subject.fill("Printer");
  await expect(subject).not.toHaveAttribute("aria-invalid");
  await expect(page.locator("#title-error")).toHaveCount(0);
  await expect(summary.getByRole("listitem")).toHaveCount(errors - 1);
  await subject.fill("");
  await page.getByRole("button", { name: "Open ticket" }).click();
  await expect(subject).toHaveAttribute("aria-invalid", "true");
  await expect(summary.getByRole("alert").getByRole("listitem")).toHaveCount(errors);
});

test("a field that is corrected while the page still reads its data anew does not complain again", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/tickets/new");
  await page.getByRole("button", { name: "Choose" }).click();
  await expect(page).toHaveURL(/organization=/);
  await isHydrated(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/[?&]_data=/, async (route) => {
    if (route.request().method() === "GET") await released;
    await route.continue();
  });
  const subject = page.getByLabel("Subject");
  await page.getByRole("button", { name: "Open ticket" }).click();
  await expect(subject).toHaveAttribute("aria-invalid", "true");
  await subject.fill("Printer");
  await expect(subject).not.toHaveAttribute("aria-invalid");
  const read = page.waitForResponse((response) => response.url().includes("_data="));
  release();
  await read;
  await expect(page.getByRole("button", { name: "Open ticket" })).not.toHaveAttribute("aria-disabled");
  await expect(subject).not.toHaveAttribute("aria-invalid");
  await expect(page.locator("#title-error")).toHaveCount(0);
});
