import { readFile } from "node:fs/promises";
import { expectNoSidewaysScroll } from "../support/accessible-page";
import { expect, isHydrated, type Page, test } from "../support/browser-test";
import { fillInContactForm } from "../support/contact-form";
import { mailsTo, runSchedule, signIn, signInByForm, staff } from "../support/demo-world";
import { pdf } from "../support/documents";

const MESSAGE = "The lab is slow.\nEvery afternoon.";

const fillIn = (page: Page, person: { first: string; last: string; email: string }) =>
  fillInContactForm(page, { ...person, message: MESSAGE });

test("a stranger's submission with a file reaches an administrator's screen and is answered", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const scripts = javaScriptEnabled;
  const mark = `${scripts ? "Moana" : "Otto"}${Date.now() % 100_000}`;
  const email = `${mark.toLowerCase()}@larkspur.example`;

  const adminPage = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
  await signIn(adminPage, scripts ? staff.admin : staff.secondAdmin);
  await expect(adminPage.getByRole("heading", { level: 1, name: "All Submissions" })).toBeVisible();

  await fillIn(page, { first: mark, last: "Raman", email });
  const plan = pdf(`a plan for ${mark}`);
  await page
    .getByLabel(/Attachment/)
    .setInputFiles({ name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.from(plan) });
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveURL(/\/contact\?sent=1#contact-form$/);
  await expect(async () => {
    const header = await page.getByRole("banner").boundingBox();
    const success = await page.getByText("Message Sent!").boundingBox();
    expect(success?.y, "no header covers what was said").toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
  }).toPass();
  await expect(page.getByText("Thank you for your message. We'll get back to you soon.")).toBeVisible();
  const receipt = page.getByRole("region", { name: "Your receipt" });
  await expect(receipt).toContainText(/Your reference\s*L-\d{4,}/);
  await expect(receipt).toContainText(/We reply by\s*\w+day, \w+ \d+, \d+:\d\d [AP]M/);
  await expect(page.getByLabel("First name")).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 844 });
  await page.locator("html").evaluate((html) => {
    html.style.fontSize = "200%";
  });
  await expectNoSidewaysScroll(page, "the receipt with text of double size");
  await page.reload();
  await expect(receipt).toBeVisible();
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto("/contact?sent=1");
  await expect(stranger.getByLabel("First name")).toBeVisible();
  await expect(stranger.getByText("Message Sent!")).toHaveCount(0);
  await receipt.getByRole("link", { name: "Send another" }).click();
  await expect(page.getByLabel("First name")).toHaveValue("");

  const [acknowledgement] = await mailsTo(page, email);
  expect(acknowledgement?.subject).toMatch(/L-\d{4,}/);
  expect(acknowledgement?.text).toContain("1 business day");

  // Without scripts nothing arrives by itself.
  if (!scripts) await adminPage.reload();
  await expect(adminPage.getByRole("rowheader", { name: mark })).toBeVisible();

  await adminPage.getByRole("rowheader", { name: mark }).getByRole("link").click();
  await expect(adminPage.getByRole("heading", { level: 1, name: `${mark} Raman` })).toBeVisible();
  await expect(adminPage.getByText("Every afternoon.")).toBeVisible();
  await isHydrated(adminPage);
  const [download] = await Promise.all([
    adminPage.waitForEvent("download"),
    adminPage.getByRole("link", { name: "plan.pdf" }).first().click(),
  ]);
  expect(new Uint8Array(await readFile(await download.path()))).toEqual(plan);

  const status = adminPage.locator("form", { has: adminPage.getByLabel("Status", { exact: true }) });
  await status.getByLabel("Status", { exact: true }).selectOption("contacted");
  await status.getByRole("button", { name: "Save" }).click();
  // With scripts it is said beside the button, where the work is.
  const said = scripts ? "Saved" : "Contact submission status has been updated successfully.";
  await expect(adminPage.getByRole("status").getByText(said)).toBeVisible();
  await expect(adminPage.getByText("set the status to Contacted")).toBeVisible();
});

test("a rejected form names every problem, keeps what was typed and can be sent after the correction", async ({
  page,
}) => {
  await fillIn(page, { first: "Priya", last: "  ", email: "priya@larkspur" });
  await page.getByLabel(/I agree/).uncheck();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  const summary = page.getByRole("alert").filter({ hasText: "Validation Error" });
  await expect(summary.getByRole("listitem")).toHaveText([
    "Last name is required",
    "Please enter a valid email address",
    "Please agree to the terms and conditions",
  ]);
  await expect(page.getByLabel("Message")).toHaveValue(MESSAGE);
  await summary.getByRole("link", { name: "Last name is required" }).click();
  await page.getByLabel("Last name").fill("Raman");
  await page.getByLabel("Email").fill(`priya${Date.now()}@larkspur.example`);
  await page.getByLabel(/I agree/).check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("a double click on Send is one submission with one acknowledgement", async ({ page }) => {
  const email = `double${Date.now()}@larkspur.example`;
  await fillIn(page, { first: "Dana", last: "Double", email });
  await page.getByRole("button", { name: "Send Message" }).dblclick();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  // Whatever else is to be sent is sent now.
  await runSchedule(page);
  expect(await mailsTo(page, email)).toHaveLength(1);
});

test("signing out ends the session everywhere it was open", async ({ page, context, javaScriptEnabled }) => {
  await signInByForm(page, javaScriptEnabled ? staff.technician : staff.admin);
  const second = await context.newPage();
  await second.goto("/admin/submissions");
  await expect(second.getByRole("heading", { level: 1 })).toHaveText("All Submissions");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).not.toHaveURL(/\/admin/);
  await second.reload();
  await expect(second).toHaveURL(/\/auth\?redirectTo=/);
});
