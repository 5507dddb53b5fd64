import { expect, type Page, test } from "@playwright/test";
import { fillInContactForm, sendContactForm } from "../support/contact-form";
import { mailsTo, signIn, staff } from "../support/demo-world";

/** A visitor's request, sent as visitors do. */
async function send(page: Page, person: { first: string; last: string; email: string }) {
  await fillInContactForm(page, person);
  await sendContactForm(page);
}

const search = async (office: Page, term: string) => {
  await office.goto("/admin/submissions");
  await office.getByLabel("Search name, email, company").fill(term);
  await office.getByRole("button", { name: "Search", exact: true }).click();
};

test("a day at the desk: find, move, note, answer, keep a view, delete", async ({ page, browser }, info) => {
  test.setTimeout(120_000);
  const scripts = info.project.name === "scripts-on";
  const mark = `${scripts ? "Ona" : "Ulf"}${Date.now() % 100_000}`;
  const email = `${mark.toLowerCase()}@desk.example`;
  const office = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
  await signIn(office, scripts ? staff.secondAdmin : staff.technician, "/admin");
  await expect(office.getByText("All systems operational")).toBeVisible();
  await expect(office.getByRole("link", { name: /Total Submissions \d+ in the last 7 days/ })).toBeVisible();
  await send(page, { first: mark, last: "Desk", email });
  await send(page, { first: mark, last: "Again", email });

  await office.getByRole("link", { name: /Total Submissions/ }).click();
  await expect(office.getByRole("heading", { level: 1 })).toHaveText("Recent Submissions (Last 7 Days)");
  await expect(office.getByText("(on)")).toBeVisible();
  await office.getByRole("link", { name: "See All Submissions" }).click();
  await expect(office.getByRole("heading", { level: 1 })).toHaveText("All Submissions");

  await search(office, `${mark.toUpperCase()} dés`);
  await expect(office.locator("caption", { hasText: "Showing 1 of 1 submissions" })).toBeVisible();
  await search(office, "%_'");
  await expect(office.getByRole("heading", { name: "No contact submissions found" })).toBeVisible();
  await search(office, mark);
  await expect(office.getByRole("region", { name: "Showing 2 of 2 submissions" })).toBeVisible();

  await office.locator("summary", { hasText: "Dates" }).click();
  await office.getByLabel("From Date").fill("2026-02-02");
  await office.getByLabel("To Date").fill("2026-02-01");
  await office.getByRole("button", { name: "Apply Filter" }).click();
  await expect(office.getByText("The start date is after the end date").first()).toBeVisible();
  await office.getByRole("link", { name: "Clear", exact: true }).click();
  await expect(office.getByRole("region", { name: "Showing 2 of 2 submissions" })).toBeVisible();

  const row = office.getByRole("row").filter({ hasText: `${mark} Desk` });
  await row.getByLabel(`Status of ${mark} Desk`).selectOption("contacted");
  await row.getByRole("button", { name: /^Save/ }).click();
  await expect(office.getByText("Contact submission status has been updated successfully.")).toBeVisible();
  await expect(row.getByLabel(`Status of ${mark} Desk`)).toHaveValue("contacted");

  await office.getByRole("checkbox", { name: `Select ${mark} Desk` }).check();
  await office.getByRole("checkbox", { name: `Select ${mark} Again` }).check();
  await office.getByLabel("Set status").selectOption("resolved");
  await office.getByRole("button", { name: "Update", exact: true }).click();
  await expect(office.getByText("Updated 2 submissions to resolved status.")).toBeVisible();
  await expect(office.getByRole("checkbox", { name: `Select ${mark} Desk` })).not.toBeChecked();
  await expect(office).toHaveURL(new RegExp(`q=${mark}`));

  await office.locator("summary", { hasText: "Saved views" }).click();
  await office.getByLabel("Name of this view").fill(`Only ${mark}`);
  await office.getByRole("button", { name: "Save view" }).click();
  await expect(office.getByText("View Saved")).toBeVisible();

  await office
    .getByRole("rowheader", { name: `${mark} Again` })
    .getByRole("link")
    .click();
  await expect(office.getByRole("heading", { level: 1 })).toHaveText(`${mark} Again`);
  await expect(office.getByText("2nd request")).toBeVisible();
  await office.getByLabel("New note", { exact: true }).fill("Call after three");
  await office.getByRole("button", { name: "Add" }).click();
  await expect(office.getByText("Note Added")).toBeVisible();
  await office.getByRole("link", { name: /^Edit note of/ }).click();
  await office.getByLabel("Note", { exact: true }).fill("Call after four");
  await office.getByRole("button", { name: "Save" }).click();
  await expect(office.getByText("Note Updated")).toBeVisible();
  await expect(office.getByText("(edited)")).toBeVisible();
  await office.getByRole("link", { name: /^Delete note of/ }).click();
  await expect(office.getByText("Are you sure you want to delete this note?")).toBeVisible();
  await office.getByRole("button", { name: "Delete note" }).click();
  await expect(office.getByText("Note Deleted")).toBeVisible();

  await office.getByLabel("Owner", { exact: true }).selectOption({ label: "Jordan Vale" });
  await office.getByLabel("Follow up on").fill("2026-12-24");
  await office.getByRole("button", { name: "Save owner and date" }).click();
  await expect(office.getByText("assigned it to Jordan Vale, to follow up on 2026-12-24")).toBeVisible();
  await office.getByLabel(`Message to ${email}`).fill("Monday at nine works for us.");
  await office.getByRole("button", { name: "Send reply" }).click();
  await expect(office.getByText("Reply Queued")).toBeVisible();
  await expect(office.getByText("queued a reply")).toBeVisible();
  const mails = await mailsTo(page, email, 3);
  expect(mails.map(({ text }) => text).join()).toContain("Monday at nine works for us.");

  await office.goto("/admin/activity");
  await office.getByLabel("Search action, details, person").fill(mark);
  await office.getByRole("button", { name: "Apply Filter" }).click();
  // The unfiltered list shows the reply too: only the address tells that the filter is on.
  await office.waitForURL(new RegExp(`q=${mark}`));
  await expect(office.getByText("replied to a contact request")).toBeVisible();
  await office.getByLabel("Type").selectOption("note");
  await office.getByRole("button", { name: "Apply Filter" }).click();
  await expect(office.getByText("deleted a note").first()).toBeVisible();
  await expect(office.getByText("replied to a contact request")).toHaveCount(0);

  if (!scripts) return;
  // Only admins delete.
  await search(office, mark);
  await office.getByRole("checkbox", { name: `Select ${mark} Desk` }).check();
  await office.getByLabel("all 2 matching").check();
  await office.getByRole("button", { name: "Delete…" }).click();
  await expect(office.getByRole("heading", { level: 1 })).toHaveText(
    "Are you sure you want to delete 2 submissions? This action cannot be undone.",
  );
  await office.getByRole("button", { name: "Delete 2 submissions" }).click();
  await expect(office.getByText("Deleted 2 submissions.")).toBeVisible();
  await expect(office.getByRole("heading", { name: "No contact submissions found" })).toBeVisible();
});
