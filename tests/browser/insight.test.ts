import { readFile } from "node:fs/promises";
import { expectAccessible } from "../support/accessible-page";
import { enterPortal, freshEmail, startSession, workIn } from "../support/browser-accounts";
import { expect, openAdmin, openPortal, test } from "../support/browser-test";
import { fillInContactForm, sendContactForm } from "../support/contact-form";
import { runSchedule, signIn, staff } from "../support/demo-world";
import { unzip } from "../support/unzip";

test("what a visitor has sent is handed out as a file, and erased when the word is typed", async ({
  page,
  javaScriptEnabled,
}) => {
  const email = freshEmail("vera");
  await fillInContactForm(page, { first: "Vera", last: "Visitor", email, message: "Our archive is full." });
  await sendContactForm(page);
  await signIn(page, staff.secondAdmin, "/admin/privacy");
  if (javaScriptEnabled) await expectAccessible(page, "Privacy");
  await page.getByLabel("Name or email address").fill(email);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("main").getByRole("link", { name: "Vera Visitor" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Vera Visitor" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page, "A person");

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export everything about this person" }).click();
  const files = unzip(await readFile(await (await download).path()));
  expect(files.get("requests.ndjson")).toContain("Our archive is full.");

  const erase = page.getByRole("button", { name: "Erase this person" });
  await page.getByLabel("Type “ERASE” to confirm").fill("erase");
  await erase.click();
  await expect(page.getByText("Type ERASE in capital letters").first()).toBeVisible();
  await page.getByLabel("Type “ERASE” to confirm").fill("ERASE");
  await erase.click();
  await expect(page.getByText(/The person is erased/)).toBeVisible();
  await openAdmin(page, `/admin/privacy?q=${email}`);
  await expect(page.getByText("No one found.")).toBeVisible();
});

test("staff find an internal note and see why; the client whose ticket has it finds nothing", async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
}, info) => {
  const noted = "Guest network only";
  const main = page.getByRole("main");
  const search = async (text: string) => {
    await main.getByLabel("Search for").fill(text);
    await main.getByRole("button", { name: "Search" }).click();
  };
  await signIn(page, staff.technician, "/admin/search");
  await search(noted);
  const hit = page.getByRole("listitem").filter({ hasText: "in an internal note" });
  await expect(hit.locator("mark").first()).toHaveText("Guest");
  if (javaScriptEnabled) await expectAccessible(page, "Search");
  const found = (await hit.getByRole("link").textContent())?.match(/T-\d+/)?.[0] ?? "";
  await search(found);
  await expect(page).toHaveURL(new RegExp(`/admin/tickets/${found}$`));

  const theirs = await browser.newPage({ ...info.project.use, baseURL });
  await enterPortal(theirs, "owner@brightsmile.example", `/client/search?q=${encodeURIComponent(noted)}`);
  await expect(theirs.getByText("Nothing found")).toBeVisible();
  await theirs.close();
});

test("a letter is released with the words of staff, and its readers have it in the portal", async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
}, info) => {
  // Each is released once in a world.
  const [organization, reader] = javaScriptEnabled
    ? ["Harbor House Counseling", "owner@harborhouse.example"]
    : ["Little Oaks Learning", "owner@littleoaks.example"];
  const sentence = "We look forward to the new year with you.";
  await signIn(page, staff.technician, "/admin/letters");
  // The job that makes drafts waits for the one that counts, a minute at a time.
  await expect(async () => {
    await runSchedule(page);
    await openAdmin(page, "/admin/letters");
    await page.getByRole("link", { name: organization }).first().click({ timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
  await expect(page.getByRole("button", { name: /^Send to / })).toBeVisible();
  for (const late of await page.getByLabel(/^Why was/).all()) await late.fill("A part came late.");
  await page.getByLabel(/^Opening/).fill(sentence);
  if (javaScriptEnabled) await expectAccessible(page, "A letter");
  // On paper a draft is what its reader will see.
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("main :is(form, input, button)").filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "What you asked for" })).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: /^Send to / }).click();
  await expect(page.getByText(/The letter is in the portal, and mail to/)).toBeVisible();
  await expect(page.getByText(sentence)).toBeVisible();

  const theirs = await browser.newPage({ ...info.project.use, baseURL });
  await startSession(theirs, reader);
  // Other tests take them into further organizations.
  await workIn(theirs, organization);
  await openPortal(theirs, "/client/letters");
  await theirs
    .getByRole("main")
    .getByRole("link", { name: /October|letter/i })
    .first()
    .click();
  await expect(theirs.getByText(sentence)).toBeVisible();
  await theirs.close();
});
