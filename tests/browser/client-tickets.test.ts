import { expectAccessible, expectNoViolation } from "../support/accessible-page";
import { enterPortal, startSession, workIn } from "../support/browser-accounts";
import { expect, openPortal, test } from "../support/browser-test";
import { pdf } from "../support/documents";

const OWNER = "owner@littleoaks.example";

test("a client raises a ticket with a file, answers, and says that it is solved", async ({
  page,
  javaScriptEnabled,
}) => {
  const subject = `Fax line is dead, scripts ${javaScriptEnabled ? "on" : "off"}`;
  await startSession(page, OWNER);

  await test.step("an urgent ticket says what has stopped working, and what was typed stays", async () => {
    await openPortal(page, "/client/tickets/new");
    await page.getByLabel("Subject").fill(subject);
    await page.getByLabel(/^. Urgent/u).check();
    // Too long for one screen, where what is sent and what asks about it would both be seen anyway.
    await page.getByLabel("Description").fill("No dial tone.\n".repeat(40));
    await expect(page.getByText(/^Send now and you'll hear by/).locator("visible=true")).toHaveCount(1);
    await page.getByRole("button", { name: "Send ticket" }).click();
    await expect(page.getByRole("link", { name: /^Tell us what has stopped working/ })).toBeVisible();
    await expect(page.getByLabel("Subject")).toHaveValue(subject);
  });

  await test.step("with that and a file it is opened, and promised an answer", async () => {
    await page.getByLabel(/^What has stopped working/).fill("Phones, for all of us");
    await page.getByLabel(/^Files/).setInputFiles({
      name: "box.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(pdf()),
    });
    await page.getByRole("button", { name: "Send ticket" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(subject);
    await expect(page.getByText("Ticket created successfully")).toBeVisible();
    await expect(page.getByText(/^Next reply promised by/)).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "box.pdf" }).click();
    expect((await download).suggestedFilename()).toBe("box.pdf");
  });

  if (javaScriptEnabled)
    await test.step("an answer that is left in the middle of a word is kept", async () => {
      const { pathname } = new URL(page.url());
      const kept = page.waitForResponse((response) => response.request().postData()?.includes("autosave") === true);
      await page.getByLabel("Your reply").fill("One pho");
      await page.getByRole("link", { name: "Tickets", exact: true }).first().click();
      await kept;
      await openPortal(page, pathname);
      await expect(page.getByLabel("Your reply")).toHaveValue("One pho");
    });

  await test.step("an answer is added, and the field is empty again", async () => {
    await page.getByLabel("Your reply").fill("One phone works again. The maker says https://example.com/fax?id=1.");
    await page.getByRole("button", { name: "Send Reply" }).click();
    const sent = page.getByRole("article").filter({ hasText: "One phone works again." });
    await expect(sent.getByRole("link")).toHaveAttribute("href", "https://example.com/fax?id=1");
    for (const seen of [sent, page.getByText("Sent", { exact: true })]) await expect(seen).toBeInViewport();
    if (javaScriptEnabled) await expect(sent).toBeFocused();
    await expectNoViolation(page, "an answer that was sent");
    await expect(page.getByLabel("Your reply")).toHaveValue("");
  });

  await test.step("asked whether it is solved, what is still wrong is typed in place, and seen", async () => {
    const wrong = page.getByLabel("What is still wrong?");
    await expect(wrong).toBeHidden();
    await page.getByRole("link", { name: "No, still broken" }).click();
    await expect(wrong).toBeFocused();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("link", { name: "Say what is still wrong." })).toBeVisible();
    await wrong.fill("The second phone is dead.");
    await expectNoViolation(page, "what is still wrong");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const sent = page.getByRole("article").filter({ hasText: "The second phone is dead." });
    for (const seen of [sent, page.getByText("Sent", { exact: true })]) await expect(seen).toBeInViewport();
    await expect(wrong).toBeHidden();
  });

  await test.step("solved by its button, it says so, can be reopened, and the list says so", async () => {
    await page.getByRole("button", { name: "Yes, solved" }).click();
    const band = page.getByRole("region", { name: "Solved" });
    await expect(band).toContainText("It reopens when you write within 14 days.");
    // Only then the page has moved to what it has to say.
    if (javaScriptEnabled) await expect(band).toBeFocused();
    await expect(band).toBeInViewport();
    await expect(page.getByRole("button", { name: "Yes, solved" })).toHaveCount(0);
    await expectAccessible(page, "a solved ticket");
    // Reopened and solved at once, while "Sent" is still said below.
    await page.getByRole("link", { name: "No, still broken" }).click();
    await page.getByLabel("What is still wrong?").fill("The first one, too.");
    await page.getByRole("button", { name: "Send and reopen" }).click();
    await expect(page.getByRole("article").filter({ hasText: "The first one, too." })).toBeInViewport();
    await page.getByRole("button", { name: "Yes, solved" }).click();
    if (javaScriptEnabled) await expect(band).toBeFocused();
    await expect(band).toBeInViewport();
    await openPortal(page, "/client/tickets?tab=resolved");
    const card = page.getByRole("listitem").filter({ hasText: subject });
    await card.getByRole("button", { name: /^Reopen/ }).click();
    await expect(page.getByText("Ticket status updated successfully")).toBeVisible();
    await expect(card).toHaveCount(0);
  });
});

test("what is typed on a ticket that goes on in another one stays there, and is sent from nowhere else", async ({
  page,
  javaScriptEnabled,
}) => {
  const reply = page.getByLabel("Your reply");
  const send = page.getByRole("button", { name: "Send Reply" });
  const token = page.locator("form").filter({ has: reply }).locator("[name=form_token]");
  await enterPortal(page, OWNER, "/client/tickets?tab=closed&sort=oldest");
  const [former = ""] = await page
    .getByRole("link", { name: /^View Details/ })
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));

  await openPortal(page, former);
  await reply.fill("It is back.");
  await send.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Follow-up of");
  await expect(page.getByRole("article").filter({ hasText: "It is back." })).toBeVisible();
  await expect(reply).toHaveValue("");

  await openPortal(page, former);
  const kept = javaScriptEnabled
    ? page.waitForResponse((response) => response.request().postData()?.includes("autosave") === true)
    : null;
  await reply.fill("Not finis");
  const ofFormer = await token.inputValue();
  await page
    .getByText(/^Goes on in/)
    .getByRole("link")
    .last()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Follow-up of");
  await kept;
  await expect(reply).toHaveValue("");
  await expect(page.getByRole("region", { name: "Conversation" })).toHaveCount(1);
  await expect(token).not.toHaveValue(ofFormer);
  await reply.fill("And again.");
  await send.click();
  await expect(page.getByRole("article").filter({ hasText: "And again." })).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: "Not finis" })).toHaveCount(0);

  await openPortal(page, former);
  await expect(page.getByRole("article").filter({ hasText: "And again." })).toHaveCount(0);
  await expect(reply).toHaveValue(javaScriptEnabled ? "Not finis" : "");
});

test("the promise of one organization's plan is not shown for a ticket of another one", async ({ page }) => {
  await startSession(page, "owner@harborhouse.example");
  await workIn(page, "Little Oaks Learning");
  await openPortal(page, "/client/tickets/new");
  const promise = page.getByText(/^Send now and you'll hear by/).locator("visible=true");
  const later = page.getByText("Once it is sent, the ticket says by when you'll hear.");
  const organization = page.locator("#ticket-organization");
  await expect(promise).toHaveCount(1);
  await expect(later).toBeHidden();
  await organization.selectOption({ label: "Harbor House Counseling" });
  await expect(promise).toHaveCount(0);
  await expect(later).toBeVisible();
  await organization.selectOption({ label: "Little Oaks Learning" });
  await expect(promise).toHaveCount(1);
});
