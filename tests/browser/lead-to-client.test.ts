import { expect, test } from "../support/browser-test";
import { fillInContactForm, sendContactForm } from "../support/contact-form";
import { signIn, staff } from "../support/demo-world";

test("a stranger with an estimate and a file becomes a client with a first ticket, and nothing is typed twice", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const scripts = javaScriptEnabled;
  const mark = `Maple${Date.now() % 100_000}${scripts ? "n" : "f"}`;
  const company = `${mark} Dental`;
  const visitor = { first: "Dana", last: mark, email: `dana@${mark.toLowerCase()}.example` };
  const path = "/contact?plan=core&users=12";
  await fillInContactForm(page, { ...visitor, path });
  await page.getByRole("textbox", { name: "Company" }).fill(company);
  await page.getByLabel("Phone").fill("(555) 555-0142");
  await page.locator('[type="file"]').setInputFiles({
    ...{ name: "network.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") },
  });
  await sendContactForm(page);

  const admin = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
  await signIn(admin, staff.admin, `/admin/submissions?q=${mark}`);
  await admin.getByRole("rowheader", { name: mark }).getByRole("link").click();
  await expect(admin.getByRole("heading", { name: "Estimate" })).toBeVisible();
  const about = admin.getByRole("complementary", { name: "About this submission" });
  await expect(about.getByRole("link", { name: "network.pdf" })).toBeVisible();
  await admin.getByRole("link", { name: "Open ticket" }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText("Make a client");
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue(company);
  await expect(admin.getByRole("combobox", { name: "Plan" })).toHaveValue("core");
  await admin.getByRole("button", { name: "Make a client" }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText(company);
  await expect(admin.getByRole("button", { name: "Undo" })).toBeInViewport({ ratio: 1 });
  const origin = admin.getByRole("region", { name: "How they came" });
  await expect(origin).toContainText("estimate: Core, 12 users");
  await expect(origin.getByRole("link", { name: /network\.pdf/ })).toBeVisible();
  await admin.getByRole("link", { name: "Open the first ticket" }).click();
  await expect(admin.getByLabel("Subject")).toHaveValue(/^Request L-\d+$/);
  await admin.getByRole("button", { name: "Open ticket" }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText(/^Request L-\d+$/);
  await expect(admin.getByRole("link", { name: "(555) 555-0142" }).first()).toHaveAttribute("href", "tel:5555550142");
  await admin.context().close();
});
