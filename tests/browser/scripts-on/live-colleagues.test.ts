import { expect, type Page, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

const panelOf = (page: Page) => page.getByRole("region", { name: "Live updates" });
const isLive = (page: Page) => expect(panelOf(page).getByRole("button", { name: "Pause live updates" })).toBeVisible();

test("colleagues see each other's changes at once, and nobody is told of their own", async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await signIn(page, staff.admin);
  await signIn(other, staff.technician);
  await isLive(page);
  await isLive(other);
  const row = page.getByRole("row").filter({ has: page.getByRole("combobox", { name: /^Status of/ }) });
  const name = (await row.first().getByRole("rowheader").getByRole("link").innerText()).trim();
  const status = (page: Page) => page.getByRole("combobox", { name: `Status of ${name}` }).first();
  const rowOn = (page: Page) => page.getByRole("row").filter({ has: status(page) });
  const wanted = (await status(page).inputValue()) === "resolved" ? "contacted" : "resolved";
  const told = (page: Page, words: RegExp) => panelOf(page).getByRole("link", { name: words });
  const before = await told(page, /^Status of/).count();

  await test.step("a change of status arrives in the other's panel and list", async () => {
    await status(page).selectOption(wanted);
    await rowOn(page).first().getByRole("button", { name: /^Save/ }).click();
    await expect(page.getByText("✓ Saved")).toBeVisible();
    await expect(told(other, new RegExp(`^Status of ${name}: ${wanted}`, "i")).first()).toBeVisible();
    await expect(status(other)).toHaveValue(wanted);
    await expect(told(page, /^Status of/)).toHaveCount(before);
  });

  await test.step("a note arrives on the record that is open, without what the other is typing getting lost", async () => {
    await rowOn(page).first().getByRole("rowheader").getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await other.goto(new URL(page.url()).pathname);
    await isLive(other);
    await other.getByRole("link", { name: "Internal note" }).click();
    await other.getByLabel("Internal note", { exact: true }).fill("Half a sent");
    await page.getByRole("link", { name: "Internal note" }).click();
    await page.getByLabel("Internal note", { exact: true }).fill(`Seen by both ${Date.now()}`);
    await page.getByRole("button", { name: "Add internal note" }).click();
    await expect(page.getByText("Note Added")).toBeVisible();
    await expect(told(other, new RegExp(`^New note on ${name}`)).first()).toBeVisible();
    await expect(other.getByRole("region", { name: "Conversation" }).getByText("Seen by both")).toBeVisible();
    await expect(other.getByLabel("Internal note", { exact: true })).toHaveValue("Half a sent");
    await expect(told(page, new RegExp(`^New note on ${name}`))).toHaveCount(0);
  });

  await test.step("a colleague's news leaves the answer to what one has just done, until one goes on", async () => {
    await other.getByRole("button", { name: "Add internal note" }).click();
    await expect(page.getByRole("region", { name: "Conversation" }).getByText("Half a sent")).toBeVisible();
    await expect(page.getByText("Note Added")).toBeVisible();
    await page.getByRole("link", { name: "Activity", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Activity");
    await expect(page.getByText("Note Added")).toHaveCount(0);
  });

  await test.step("what one has dismissed stays in the other's panel", async () => {
    await panelOf(other).getByRole("button", { name: "Dismiss all" }).click();
    await expect(panelOf(other).getByText("Nothing new since you opened this page.")).toBeVisible();
    expect(await panelOf(page).getByRole("listitem").count()).toBeLessThanOrEqual(5);
    await expect(panelOf(page).getByRole("listitem").first()).toBeVisible();
  });
});

test("staff who have the same ticket open see each other there, and who is writing a reply", async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await signIn(page, staff.admin, "/admin/tickets");
  await signIn(other, staff.technician, "/admin/tickets");
  await page.getByRole("row").getByRole("rowheader").getByRole("link").first().click();
  await expect(page.getByLabel("Reply to the client")).toBeVisible();
  const path = new URL(page.url()).pathname;
  await other.goto(path);
  await expect(page.getByText("Jordan Vale is looking at this ticket.")).toBeVisible();
  await expect(other.getByText("Avery Quinn is looking at this ticket.")).toBeVisible();
  // What is typed into is scrolled into view first.
  await page.getByLabel("Reply to the client").click();
  const top = (await page.getByLabel("Reply to the client").boundingBox())?.y;
  await other.getByLabel("Reply to the client").pressSequentially("Please try it once more");
  await expect(page.getByText("Jordan Vale is writing a reply.")).toBeVisible();
  await page.getByLabel("Reply to the client").pressSequentially("I am faster");
  await expect(other.getByText("Avery Quinn is writing a reply.")).toBeVisible();
  await other.getByRole("link", { name: "Tickets", exact: true }).first().click();
  await expect(page.getByText("Jordan Vale is")).toHaveCount(0);
  expect((await page.getByLabel("Reply to the client").boundingBox())?.y).toBe(top);
});
