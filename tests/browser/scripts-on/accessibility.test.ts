import { expectAccessible, loggedErrorsOf } from "../../support/accessible-page";
import { expect, isHydrated, openAdmin, test } from "../../support/browser-test";
import { ageContactForm } from "../../support/contact-form";
import { DEMO_PASSWORD, staff, startStaffSession } from "../../support/demo-world";

test("pages that need nobody pass axe, scroll only downwards at every size and log no error", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  for (const path of ["/contact", "/contact?sent=1", "/auth", "/no-such-page", "/dev/mail"]) {
    await page.goto(path);
    await expectAccessible(page, path);
    expect(loggedErrors, path).toEqual([]);
  }
});

test("a rejected contact form can be used by everyone", async ({ page }) => {
  await page.goto("/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expectAccessible(page, "rejected contact form");
});

test("the second step of signing in can be used by everyone", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(staff.secondAdmin.email);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Multi-Factor Authentication" })).toBeVisible();
  await expectAccessible(page, "challenge card");
});

test("an error page can be used by everyone", async ({ page }) => {
  await page.goto("/logout");
  await expect(page.getByRole("heading", { name: "That does not work here" })).toBeVisible();
  await expectAccessible(page, "error page");
});

test("the admin area passes axe, scrolls only downwards at every size and logs no error", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  await startStaffSession(page, staff.technician);
  for (const path of ["/admin", "/admin/submissions", "/admin/notifications"]) {
    await openAdmin(page, path);
    await expectAccessible(page, path);
  }
  await page.goto("/admin/submissions");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Conversation" })).toBeVisible();
  await isHydrated(page);
  await expectAccessible(page, "one submission");
  expect(loggedErrors).toEqual([]);
});

test("the contact form can be filled in and sent with the keyboard alone", async ({ page }) => {
  await page.goto("/contact");
  await ageContactForm(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to main content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#main$/);
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("First name")).toBeFocused();
  for (const text of ["Kim", "Keys", `keys${Date.now()}@larkspur.example`, "", "", "No mouse here."]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Tab");
  await expect(page.getByLabel(/I agree/)).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Message Sent!")).toBeVisible();
});
