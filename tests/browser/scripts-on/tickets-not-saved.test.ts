import { alert, breakNetwork, FAILURES, type Failure, retry } from "../../support/broken-network";
import { enterPortal } from "../../support/browser-accounts";
import { expect, type Locator, openAdmin, openPortal, type Page, type Request, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

/**
 * Presses the button of a form whose answer fails in each way, and says what must be so each time: the page is the
 * same, and its alert offers to send again. Then the network is whole, and Retry sends the form.
 */
async function failsInEachWay(
  page: Page,
  { button, field, value }: { button: Locator; field: Locator; value: string },
) {
  const address = page.url();
  for (const failure of Object.keys(FAILURES) as Failure[]) {
    const repair = await breakNetwork(page, failure);
    const isOver = (request: Request) => request.method() === "POST" && !request.postData()?.includes("autosave");
    const over = FAILURES[failure]
      ? page.waitForEvent("requestfinished", isOver)
      : page.waitForEvent("requestfailed", isOver);
    await button.click();
    // The alert of the failure before is still there.
    await over;
    await expect(alert(page), failure).toHaveCount(1);
    await expect(retry(page)).toBeVisible();
    await expect(field).toHaveValue(value);
    expect(page.url()).toBe(address);
    await repair();
  }
  await retry(page).click();
}

test("a reply, a note and a change of a ticket that do not arrive stay as they were, and Retry sends them once", async ({
  page,
}) => {
  await signIn(page, staff.technician, "/admin/tickets");
  await page.getByRole("searchbox").fill("Strange mail about a parcel");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("link", { name: "Strange mail about a parcel", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Strange mail about a parcel");
  await openAdmin(page, new URL(page.url()).pathname);

  const reply = page.getByLabel("Reply to the client");
  await reply.fill("It was not only you.");
  await failsInEachWay(page, {
    button: page.getByRole("button", { name: "Send", exact: true }),
    field: reply,
    value: "It was not only you.",
  });
  const messages = (text: string) => page.getByRole("article").filter({ hasText: text });
  await expect(messages("It was not only you.")).toHaveCount(1);
  await expect(reply).toHaveValue("");

  await page.getByRole("link", { name: "Internal note" }).click();
  const note = page.getByLabel("Internal note", { exact: true });
  await note.fill("Same sender as last week.");
  await failsInEachWay(page, {
    button: page.getByRole("button", { name: "Add internal note" }),
    field: note,
    value: "Same sender as last week.",
  });
  await expect(messages("Same sender as last week.")).toHaveCount(1);
  await expect(note).toHaveValue("");

  const category = page.getByLabel("Category", { exact: true });
  await category.selectOption("Training");
  await failsInEachWay(page, {
    button: page.getByRole("button", { name: "Save", exact: true }),
    field: category,
    value: "Training",
  });
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
});

test("a new ticket and an answer of a client that do not arrive stay typed, and Retry sends them once", async ({
  page,
}) => {
  const subject = "The label printer prints only blanks";
  await enterPortal(page, "owner@littleoaks.example", "/client/tickets/new");
  const description = page.getByLabel("Description");
  await page.getByLabel("Subject").fill(subject);
  await description.fill("Since this morning.");
  await failsInEachWay(page, {
    button: page.getByRole("button", { name: "Send ticket" }),
    field: description,
    value: "Since this morning.",
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(subject);

  const answer = page.getByLabel("Your reply");
  await answer.fill("New labels do not help.");
  await failsInEachWay(page, {
    button: page.getByRole("button", { name: "Send Reply" }),
    field: answer,
    value: "New labels do not help.",
  });
  await expect(page.getByRole("article").filter({ hasText: "New labels do not help." })).toHaveCount(1);
  await expect(answer).toHaveValue("");
  const sent = page.getByText("Sent", { exact: true });
  await expect(sent).toBeVisible();
  const repair = await breakNetwork(page, "no network");
  await answer.fill("Nor does a new ribbon.");
  await page.getByRole("button", { name: "Send Reply" }).click();
  await expect(retry(page)).toBeVisible();
  await expect(sent).toHaveCount(0);
  await repair();
  await openPortal(page, "/client/tickets");
  await expect(page.getByRole("link", { name: subject })).toHaveCount(1);
});

test("settings that do not arrive stay typed, and Retry saves them", async ({ page }) => {
  await signIn(page, staff.admin, "/admin/settings?tab=general");
  const cap = page.getByLabel("Hold for review above … a day");
  await cap.fill("120");
  await failsInEachWay(page, {
    button: page.getByRole("button", { name: "Save", exact: true }),
    field: cap,
    value: "120",
  });
  await expect(page.getByRole("status").filter({ hasText: "Saved: They count from now on." })).toBeVisible();
  await expect(cap).toHaveValue("120");
});
