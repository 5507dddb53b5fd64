import { expectNoViolation } from "../support/accessible-page";
import { expect, openAdmin, test } from "../support/browser-test";
import { mailsTo, signIn, staff } from "../support/demo-world";

const CLIENT = "owner@littleoaks.example";

test("what a technician types is kept by itself, and a reply taken back is a draft again and leaves no mail", async ({
  page,
  javaScriptEnabled,
}) => {
  const text = `Please hold the button for ten seconds, scripts ${javaScriptEnabled ? "on" : "off"}.`;
  await signIn(page, staff.technician, "/admin/tickets");
  await openAdmin(page, "/admin/tickets?status=open&q=Tablets+in+the+blue+room");
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
      await message.getByRole("button", { name: /^Undo/ }).click();
      await expect(page.getByText("No mail was sent.")).toBeVisible();
      await expect(message).toHaveCount(0);
      await expect(reply).toHaveValue(sent);
      expect((await mailsTo(page, CLIENT, 0)).filter((mail) => mail.text.includes(sent))).toEqual([]);
    }).toPass();
  });
});
