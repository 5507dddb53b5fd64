import { expect, openAdmin, type Page, test } from "../support/browser-test";
import { fillInContactForm, sendContactForm } from "../support/contact-form";
import { signIn, staff } from "../support/demo-world";

/** Sends the contact form, and opens what was sent in the admin area. */
async function recordOf(page: Page, adminPage: Page, person: { first: string; last: string; email: string }) {
  await fillInContactForm(page, person);
  await sendContactForm(page);
  await openAdmin(adminPage, `/admin/submissions?q=${person.last}`);
  const row = adminPage.getByRole("rowheader", { name: `${person.first} ${person.last}` });
  await row.getByRole("link").click();
  await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText(`${person.first} ${person.last}`);
}

test("a ticket is opened from a submission, with its words and for whoever sent it", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const scripts = javaScriptEnabled;
  const mark = `Lead${Date.now() % 100_000}${scripts ? "n" : "f"}`;
  const adminPage = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
  await signIn(adminPage, staff.technician);

  await test.step("a client of an organization is chosen already", async () => {
    await recordOf(page, adminPage, { first: "Sam", last: mark, email: "member@brightsmile.example" });
    const number = await adminPage
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByText(/^L-\d+$/)
      .textContent();
    await adminPage.getByRole("link", { name: "Open ticket" }).click();
    await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText("New Ticket");
    await expect(adminPage.getByRole("link", { name: `${number}` })).toBeVisible();
    const person = adminPage.getByLabel("Person at Brightsmile Dental");
    await expect(person.locator("option:checked")).toHaveText(/, member@brightsmile\.example$/);
    await expect(adminPage.getByLabel("Subject")).toHaveValue(`Request ${number}`);
    await expect(adminPage.getByLabel("Description")).not.toHaveValue("");
    await adminPage.getByLabel("Subject").fill(`Follow-up of ${mark}`);
    await adminPage.getByRole("button", { name: "Open ticket" }).click();
    await expect(adminPage.getByRole("heading", { level: 1 })).toContainText(`Follow-up of ${mark}`);
  });

  await test.step("of a stranger the words are kept while the organization is chosen", async () => {
    await recordOf(page, adminPage, { first: "Eve", last: mark, email: `${mark.toLowerCase()}@visitor.example` });
    await adminPage.getByRole("link", { name: "Open ticket" }).click();
    await expect(adminPage.getByText(`of Eve ${mark}. The sender typed the address`)).toContainText("not confirmed");
    await adminPage.getByLabel("Organization", { exact: true }).selectOption({ label: "Brightsmile Dental" });
    await adminPage.getByRole("button", { name: "Choose" }).click();
    await adminPage.goto(`${adminPage.url()}&find=nobody-is-called-so`);
    await adminPage.getByRole("link", { name: "Show all organizations" }).click();
    await adminPage.getByLabel("Organization", { exact: true }).selectOption({ label: "Harbor House Counseling" });
    await adminPage.getByRole("button", { name: "Choose" }).click();
    const person = adminPage.getByLabel("Person at Harbor House Counseling");
    await expect(person.locator("option:checked")).toHaveText("Choose a person");
    await expect(person).toHaveValue("");
    await expect(adminPage.getByLabel("Subject")).toHaveValue(/^Request L-\d+$/);
    await adminPage.getByRole("button", { name: "Open ticket" }).click();
    await expect(adminPage.getByRole("link", { name: "Choose a person of the organization" })).toBeVisible();
    await expect(person).toHaveValue("");
  });
});
