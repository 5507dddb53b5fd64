import { addDays } from "~/lib/time";
import { shortDay } from "~/lib/time-labels";
import { expect, isHydrated, openAdmin, type Page, test } from "../support/browser-test";
import { fillInContactForm, sendContactForm } from "../support/contact-form";
import { mailsTo, signIn, staff } from "../support/demo-world";

/** Sends a submission as a visitor does. */
async function send(page: Page, person: { first: string; last: string; email: string }) {
  await fillInContactForm(page, person);
  await sendContactForm(page);
}

const search = async (adminPage: Page, term: string) => {
  await openAdmin(adminPage, "/admin/submissions");
  await adminPage.getByLabel("Search name, email or company").fill(term);
  await adminPage.getByRole("button", { name: "Search", exact: true }).click();
};

test("a day in the admin area: find, move, note, answer, keep a view, delete", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const scripts = javaScriptEnabled;
  const mark = `${scripts ? "Ona" : "Ulf"}${Date.now() % 100_000}`;
  const email = `${mark.toLowerCase()}@visitor.example`;
  const adminPage = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();

  await test.step("a member of staff signs in and sees the dashboard", async () => {
    await signIn(adminPage, scripts ? staff.secondAdmin : staff.technician, "/admin");
    await expect(adminPage.getByText("All systems operational")).toBeVisible();
    await expect(adminPage.getByRole("link", { name: /Total Submissions \d+ in the last 7 days/ })).toBeVisible();
  });

  await test.step("a visitor sends the contact form twice", async () => {
    await send(page, { first: mark, last: "Visitor", email });
    await send(page, { first: mark, last: "Again", email });
  });

  await test.step("the counter leads to the submissions of the last seven days", async () => {
    await adminPage.getByRole("link", { name: /Total Submissions/ }).click();
    await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText("Recent Submissions (Last 7 Days)");
    await expect(adminPage.getByText("(on)")).toBeVisible();
    await adminPage.getByRole("link", { name: "See All Submissions" }).click();
    await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText("All Submissions");
  });

  await test.step("a search folds letters and finds literally", async () => {
    await search(adminPage, `${mark.toUpperCase()} vís`);
    await expect(adminPage.getByText("Showing 1 of 1 submissions").first()).toBeVisible();
    await expect(adminPage.getByRole("link", { name: "See All Submissions" })).toHaveCount(0);
    await search(adminPage, "%_'");
    await expect(adminPage.getByRole("heading", { name: "No contact submissions found" })).toBeVisible();
    // Above the place of the rows, and below it, as under every list.
    await expect(adminPage.getByText("Showing 0 of 0 submissions")).toHaveCount(2);
    await adminPage.locator("summary", { hasText: "Dates" }).click();
    await expect(adminPage.getByRole("link", { name: "Clear", exact: true })).toBeVisible();
    await search(adminPage, mark);
    await expect(adminPage.getByRole("region", { name: "Showing 2 of 2 submissions" })).toBeVisible();
  });

  await test.step("dates in the wrong order are said, and cleared", async () => {
    await adminPage.locator("summary", { hasText: "Dates" }).click();
    await adminPage.getByLabel("From Date").fill("2026-02-02");
    await adminPage.getByLabel("To Date").fill("2026-02-01");
    await adminPage.getByRole("button", { name: "Apply Filter" }).click();
    await expect(adminPage.getByText("The start date is after the end date").first()).toBeVisible();
    await adminPage.getByRole("link", { name: "Clear", exact: true }).click();
    await expect(adminPage.getByRole("region", { name: "Showing 2 of 2 submissions" })).toBeVisible();
  });

  await test.step("the status is changed in the row", async () => {
    const row = adminPage.getByRole("row").filter({ hasText: `${mark} Visitor` });
    await row.getByLabel(`Status of ${mark} Visitor`).selectOption("contacted");
    await row.getByRole("button", { name: /^Save/ }).click();
    await expect(
      scripts
        ? row.getByText("✓ Saved")
        : adminPage.getByText("Contact submission status has been updated successfully."),
    ).toBeVisible();
    await expect(row.getByLabel(`Status of ${mark} Visitor`)).toHaveValue("contacted");
  });

  await test.step("two rows are resolved at once, and the search stays", async () => {
    await adminPage.getByRole("checkbox", { name: `Select ${mark} Visitor` }).check();
    await adminPage.getByRole("checkbox", { name: `Select ${mark} Again` }).check();
    await adminPage.getByLabel("Set status").selectOption("resolved");
    await adminPage.getByRole("button", { name: "Update", exact: true }).click();
    await expect(adminPage.getByText("Updated 2 submissions to resolved status.")).toBeVisible();
    await expect(adminPage.getByRole("checkbox", { name: `Select ${mark} Visitor` })).not.toBeChecked();
    await expect(adminPage).toHaveURL(new RegExp(`q=${mark}`));
  });

  await test.step("the filters are kept as a view", async () => {
    await adminPage.locator("summary", { hasText: "Saved views" }).click();
    await adminPage.getByLabel("Name of this view").fill(`Only ${mark}`);
    await adminPage.getByRole("button", { name: "Save view" }).click();
    await expect(adminPage.getByText("View Saved")).toBeVisible();
  });

  await test.step("a note is written, changed and deleted", async () => {
    await adminPage
      .getByRole("rowheader", { name: `${mark} Again` })
      .getByRole("link")
      .click();
    await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText(`${mark} Again`);
    await expect(adminPage.getByText("2nd submission")).toBeVisible();
    await isHydrated(adminPage);
    await adminPage.getByRole("link", { name: "Internal note", exact: true }).click();
    await adminPage.getByLabel("Internal note", { exact: true }).fill("Call after three");
    await adminPage.getByRole("button", { name: "Add internal note" }).click();
    await expect(adminPage.getByText("Note Added")).toBeVisible();
    await adminPage.getByRole("link", { name: /^Edit note of/ }).click();
    await adminPage.getByLabel("Note", { exact: true }).fill("Call after four");
    await adminPage.getByRole("button", { name: "Save" }).click();
    await expect(adminPage.getByText("Note Updated")).toBeVisible();
    await expect(adminPage.getByText("(edited)")).toBeVisible();
    await adminPage.getByRole("link", { name: /^Delete… note of/ }).click();
    await expect(adminPage.getByText("Are you sure you want to delete this note?")).toBeVisible();
    await adminPage.getByRole("button", { name: "Delete note" }).click();
    await expect(adminPage.getByText("Note Deleted")).toBeVisible();
  });

  await test.step("the submission gets an owner and a date, and its sender a reply", async () => {
    await adminPage.getByLabel("Owner", { exact: true }).selectOption({ label: "Jordan Vale" });
    const day = addDays(new Date().toISOString().slice(0, 10), 30);
    await adminPage.getByLabel("Follow up on").fill(day);
    await adminPage.getByRole("button", { name: "Save", exact: true }).click();
    await expect(
      adminPage.getByText(
        new RegExp(`(assigned it to Jordan Vale|Jordan Vale took this), to follow up ${shortDay(day)}`),
      ),
    ).toBeVisible();
    await adminPage.getByLabel("Message to the visitor").fill("Monday at nine works for us.");
    await adminPage.getByRole("button", { name: "Send Reply" }).click();
    await expect(adminPage.getByText("Reply on its way")).toBeVisible();
    const mails = await mailsTo(page, email, 3);
    expect(mails.map(({ text }) => text).join()).toContain("Monday at nine works for us.");
    const reply = adminPage.getByRole("article").filter({ hasText: "Monday at nine" });
    await expect(async () => {
      await adminPage.reload();
      await expect(reply).toContainText(/Sent (\w+ \d+, )?\d\d:\d\d/, { timeout: 1_000 });
    }).toPass();
  });

  await test.step("the activity tells it, and can be searched and filtered", async () => {
    await openAdmin(adminPage, "/admin/activity");
    await adminPage.getByLabel("Search action, details or person").fill(mark);
    await adminPage.getByRole("button", { name: "Search", exact: true }).click();
    // The unfiltered list shows other replies too, and the address changes a moment before the rows do.
    await adminPage.waitForURL(new RegExp(`q=${mark}`));
    await expect(adminPage.getByText("replied to a submission")).toHaveCount(1);
    await adminPage.getByLabel("Type").selectOption("note");
    await adminPage.getByRole("button", { name: "Search", exact: true }).click();
    await expect(adminPage.getByText("deleted an internal note").first()).toBeVisible();
    await expect(adminPage.getByText("replied to a submission")).toHaveCount(0);
  });

  // Only admins delete.
  if (!scripts) return;
  await test.step("an admin deletes what matches", async () => {
    await search(adminPage, mark);
    // A selection ends with the list it was made in.
    await expect(adminPage.getByRole("region", { name: "Showing 2 of 2 submissions" })).toBeVisible();
    await adminPage.getByRole("checkbox", { name: `Select ${mark} Visitor` }).check();
    await adminPage.getByLabel("all 2 matching").check();
    await adminPage.getByRole("button", { name: "Delete…" }).click();
    await expect(adminPage.getByRole("heading", { level: 1 })).toHaveText(
      "Are you sure you want to delete 2 submissions? This action cannot be undone.",
    );
    await adminPage.getByRole("button", { name: "Delete 2 submissions" }).click();
    await expect(adminPage.getByText("Deleted 2 submissions.")).toBeVisible();
    await expect(adminPage.getByRole("heading", { name: "No contact submissions found" })).toBeVisible();
  });
});
