import { expectNoViolation } from "../support/accessible-page";
import { expect, type Locator, openAdmin, type Page, test } from "../support/browser-test";
import { mailsTo, signIn, staff } from "../support/demo-world";

const CLIENT = "owner@littleoaks.example";

test("what a technician types is kept by itself, and a reply taken back is a draft again and leaves no mail", async ({
  page,
  javaScriptEnabled,
}) => {
  const text = `Please hold the button for ten seconds, scripts ${javaScriptEnabled ? "on" : "off"}.`;
  await signIn(page, staff.technician, "/admin/tickets?status=open&q=Tablets+in+the+blue+room");
  await page.getByRole("link", { name: "Tablets in the blue room cannot find the Wi-Fi" }).click();
  const reply = page.getByLabel("Reply to the client");
  await expect(reply).toBeVisible();
  await openAdmin(page, new URL(page.url()).pathname);

  await test.step("a draft, by itself or by its button, is there when the page is opened again", async () => {
    const kept = page.waitForResponse(
      (response) =>
        response.request().method() === "POST" && response.request().postData()?.includes("autosave") === true,
    );
    if (!javaScriptEnabled) kept.catch(() => {});
    await reply.fill(text);
    if (javaScriptEnabled) await kept;
    const whatWasDone = page.getByLabel("What was done");
    // It is open already where the run with scripts has left words in it: drafts stay on a ticket.
    if (!(await whatWasDone.isVisible())) await page.getByText("Resolve the ticket…").click();
    await whatWasDone.fill("Held the button.");
    await page.getByRole("button", { name: "Save draft" }).first().click();
    await expect(page.getByText("Draft saved. Only you can see it.")).toBeVisible();
    await expect(whatWasDone).toHaveValue("Held the button.");
    await openAdmin(page, new URL(page.url()).pathname);
    await expect(reply).toHaveValue(text);
  });

  if (javaScriptEnabled)
    await test.step("a slash at the start of a line offers saved replies, and Enter inserts one at the caret", async () => {
      await reply.fill("Hello,\n\nBye");
      await reply.press("ArrowUp");
      await reply.pressSequentially("/re");
      const offered = page.getByRole("listbox", { name: "Saved replies" });
      await reply.press("ArrowDown");
      await expect(offered.getByRole("option", { selected: true })).toHaveText("Password was reset");
      await expectNoViolation(page, "saved replies");
      await reply.press("Escape");
      await expect(offered).toHaveCount(0);
      await expect(reply).toHaveValue("Hello,\n/re\nBye");
      for (const key of ["Backspace", "Backspace", "Backspace"]) await reply.press(key);
      await reply.pressSequentially("/remote");
      const files = page.locator("#reply-files");
      await files.setInputFiles({ name: "log.txt", mimeType: "text/plain", buffer: Buffer.from("It blinks.") });
      const inserts: string[] = [];
      await page.route("**/admin/tickets/**", (route) => {
        const body = route.request().postData() ?? "";
        if (!body.includes('name="canned"') || body.includes("autosave")) return route.fallback();
        return inserts.push(body) === 1 ? route.abort() : route.fallback();
      });
      await reply.press("Enter");
      await page.getByRole("button", { name: "Retry", exact: true }).click();
      await expect(reply).toHaveValue(/^Hello,\nHello Noor,[\s\S]+\nBye$/);
      await expect(reply).toBeFocused();
      await expect(page.getByText("Inserted. Usually sent with")).toBeVisible();
      expect(inserts.map((body) => body.includes("log.txt"))).toEqual([false, false]);
      await expect(page.getByText("Choose them again")).toHaveCount(0);
      await files.setInputFiles([]);
      await page.unrouteAll();
      await reply.fill("The password for the tablets is Blue-42");
      await expect(page.getByText("This seems to contain a password.")).toBeVisible();
    });

  await test.step("sent, it can be taken back before its mail leaves", async () => {
    let attempt = 0;
    // Where the machine is so slow that the time for it is over, the next attempt sends another reply.
    await expect(async () => {
      attempt += 1;
      const sent = `${text} ${attempt}`;
      await reply.fill(sent);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      const message = page.getByRole("article").filter({ hasText: sent });
      await page.getByRole("button", { name: /^Undo/ }).click();
      await expect(page.getByText("No mail was sent.")).toBeVisible();
      await expect(message).toHaveCount(0);
      await expect(reply).toHaveValue(sent);
      expect((await mailsTo(page, CLIENT, 0)).filter((mail) => mail.text.includes(sent))).toEqual([]);
    }).toPass();
  });
});

/** Expects a message to be on the screen, together with what the form says of it. */
async function expectInView(page: Page, message: Locator, said: Locator) {
  await expect(message).toBeInViewport();
  await expect(said).toBeInViewport();
  // Without scripts the browser scrolls to what its address names.
  if (test.info().project.use.javaScriptEnabled !== false) await expect(message).toBeFocused();
  else expect(new URL(page.url()).hash).toBe(`#${await message.getAttribute("id")}`);
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`what is sent is seen at ${width} px, takes the ticket, and a note says whom it has told`, async ({
    page,
    javaScriptEnabled,
  }) => {
    const mark = `${width} ${javaScriptEnabled ? "on" : "off"}`;
    await page.setViewportSize({ width, height });
    await signIn(page, staff.technician, "/admin/tickets/new");
    await page.getByLabel("Organization", { exact: true }).selectOption({ label: "Little Oaks Learning" });
    await page.getByRole("button", { name: "Choose" }).click();
    await page.getByLabel(/^Person at/).selectOption({ index: 1 });
    await page.getByLabel("Subject").fill(`Label printer, ${mark}`);
    await page.getByLabel("Description").fill("It prints backwards. ".repeat(60));
    await page.getByRole("button", { name: "Open ticket" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Label printer, ${mark}`);
    await openAdmin(page, new URL(page.url()).pathname);
    const article = (text: string) => page.getByRole("article").filter({ hasText: text });
    const sent = page.getByText("Sent", { exact: true });

    await test.step("a reply is on the screen with Undo, and its author has the ticket", async () => {
      await expect(page.getByLabel("Assign to me")).toBeChecked();
      await page.getByLabel("Reply to the client").fill("Turn the roll around.\n\nThen print one page.");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expectInView(page, article("Turn the roll around."), sent);
      await expect(page.getByLabel("Assigned to")).toHaveValue(/^usr_/);
      await expect(page.getByLabel("Assign to me")).toHaveCount(0);
      await expectNoViolation(page, "a reply that was sent");
    });

    await test.step("so is one that waits for the customer, and what was done", async () => {
      await page.getByLabel("Reply to the client").fill("Does it print?");
      await page.getByRole("button", { name: "Send and wait for customer" }).click();
      await expectInView(page, article("Does it print?"), sent);
      await page.getByText("Resolve the ticket…").click();
      await page.getByLabel("What was done").fill("Turned the roll around.");
      await page.getByRole("button", { name: "Send and resolve" }).click();
      await expectInView(page, article("Turned the roll around."), sent);
    });

    await test.step("a note says who was told, and what is nobody's name", async () => {
      const note = page.getByRole("textbox", { name: "Internal note" });
      const write = async (text: string) => {
        await page.getByRole("link", { name: "Internal note" }).click();
        await note.fill(text);
        await page.getByRole("button", { name: "Add internal note" }).click();
        await expect(article(text)).toBeInViewport();
      };
      await write("@Avery have you seen this?");
      await expect(article("have you seen this?").getByText("Avery Quinn was told.")).toBeInViewport();
      await write("@Av and this?");
      await expect(article("and this?").getByText("@Av names no one on the team.")).toBeInViewport();
      await expect(page.getByText("Note added.")).toBeVisible();
      await expectNoViolation(page, "a note that told nobody");
    });
  });
}
