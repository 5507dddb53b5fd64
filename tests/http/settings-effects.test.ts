import { desc } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { settings } from "~/db/schema/settings";
import { contactSubmissions } from "~/db/schema/submissions";
import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { CONTACT_PURPOSE } from "~/features/submissions/intake/bot-check.server";
import { meta } from "~/routes/_site._index";
import { action as contact } from "~/routes/_site.contact";
import { CONTACT_FIELDS } from "../support/contact-fields";
import type { TestContext } from "../support/context";
import { agedToken, args, post } from "../support/requests";
import { saveSetting, settingsForm } from "../support/settings";
import { asClient, collectedMails, notifiedInProduct, ticketWithPeople } from "../support/ticket-announcements";
import { visitorContext } from "../support/visitor";

/*
 * What each setting does. The forms themselves are tested beside their page.
 */

afterEach(async () => {
  const { ctx } = await settingsForm("site");
  await ctx.db.delete(settings);
});

/** Sends the contact form, and returns the submission and the addresses that mail goes to. */
async function request(ctx: TestContext = visitorContext()) {
  const form_token = agedToken(ctx, CONTACT_PURPOSE);
  const answer = (await contact(args(ctx, post("/contact", { form_token, ...CONTACT_FIELDS })))) as Response;
  await ctx.settle();
  const [stored] = await ctx.db.select().from(contactSubmissions).orderBy(desc(contactSubmissions.number)).limit(1);
  return { status: answer.status, stored, mailed: ctx.sent.map(({ to }) => to) };
}

test("the admin address receives the notice of a request, which has the chosen status", async () => {
  await saveSetting("site", { admin_email: "requests@acme.example", initial_status: "contacted" });
  const { stored, mailed } = await request();
  expect(stored?.status).toBe("contacted");
  expect(mailed).toContain("requests@acme.example");
});

test("above the daily limit a request is held, and staff are told once", async () => {
  await saveSetting("site", { requests_per_day: "1", admin_email: "requests@acme.example" });
  const held = [];
  for (let sent = 0; sent < 3; sent += 1) held.push((await request()).stored?.held_reason);
  expect(held.slice(1)).toEqual(["over_cap", "over_cap"]);
});

test("name and description reach the pages: the title, the sender of mails, and what search engines read", async () => {
  const ctx = await saveSetting("site", { name: "Acme IT", description: "IT for\nharbours." });
  const brand = await effectiveBrand(ctx);
  expect(brand).toMatchObject({ name: "Acme IT", description: "IT for harbours." });
  const matches = [{ id: "root", data: { brand } }];
  const tags = (meta as (given: object) => object[])({ matches });
  expect(tags).toContainEqual({ title: expect.stringMatching(/^Acme IT: /) });
  expect(tags).toContainEqual({ name: "description", content: "IT for harbours." });
});

test("with mail to staff switched off a request and a ticket send none, and still stand in their lists", async () => {
  await saveSetting("mail", { mail_to_staff: "" }, "notifications");
  const { mailed } = await request();
  expect(mailed).toEqual([CONTACT_FIELDS.email]);

  const ctx = visitorContext();
  const { client, assignee, write } = await ticketWithPeople(ctx);
  await write(asClient(client), "Still broken");
  expect((await notifiedInProduct(ctx)).map(([who]) => who)).toContain(assignee.id);
  expect((await collectedMails(ctx)).map(({ to }) => to)).not.toContain(assignee.email);
});
