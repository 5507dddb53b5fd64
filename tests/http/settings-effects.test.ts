import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import { pricingNote } from "~/content/plans-and-prices";
import { differences } from "~/content/why-us";
import { commit } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import { contactSubmissions } from "~/db/schema/submissions";
import { tickets } from "~/db/schema/tickets";
import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { beginEnrollment, findEnrollment } from "~/features/auth/factor-commands.server";
import { countPageView, isPageView, listPageViews } from "~/features/health/requests.server";
import { readDashboard } from "~/features/portal/read-dashboard.server";
import { applyRetention } from "~/features/privacy/retention.server";
import { BRAND_LIMITS } from "~/features/settings/brand-settings";
import { legalMarkdown, readLegalText } from "~/features/settings/legal-markdown";
import { settingsAsSaved } from "~/features/settings/publish-settings.server";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { readNewTicket } from "~/features/tickets/opening/client-opening.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { readTicket } from "~/features/tickets/record/read-ticket.server";
import { brandColors, brandStyle } from "~/lib/brand-colors";
import { days, hours } from "~/lib/time";
import { loader as root } from "~/root";
import { action as downloadCodes } from "~/routes/_account.profile.backup-codes";
import { loader as exports } from "~/routes/_admin.admin.exports.$file";
import { meta } from "~/routes/_site._index";
import { loader as contactPage } from "~/routes/_site.contact";
import { loader as termsPage } from "~/routes/_site.terms";
import { loader as exampleLetter } from "~/routes/examples.letter[.]pdf";
import { staffMember } from "../support/admin-area";
import { sendContact } from "../support/contact-posts";
import { type TestContext, testContext } from "../support/context";
import { makeSubmission } from "../support/factories";
import { agedToken, args, get, post } from "../support/requests";
import { saveSetting, settingsForm } from "../support/settings";
import { asClient, collectedMails, notifiedInProduct, ticketWithPeople } from "../support/ticket-announcements";
import { makeTicket, ticketRow, ticketWorld } from "../support/tickets";
import { visitorContext } from "../support/visitor";

/*
 * What each setting does. The forms themselves are tested beside their page.
 */

afterEach(async () => {
  const { ctx } = await settingsForm("company");
  await ctx.db.delete(settings);
  // Those that wait have clocks that a change of the hours asks about.
  await ctx.db.delete(contactSubmissions);
  await ctx.db.delete(tickets);
});

const questionOf = async (answer: Response) =>
  ((await answer.json()) as { question?: { text: string } }).question?.text;

let visitors = 0;

/** Sends the contact form of somebody new, and returns the submission and the addresses that mail goes to. */
async function sendSubmission(ctx: TestContext = visitorContext(), more: Record<string, string> = {}) {
  visitors += 1;
  const email = `visitor-${visitors}@larkspur.example`;
  const answer = await sendContact(ctx, { fields: { ...more, email } });
  await ctx.settle();
  const [stored] = await ctx.db.select().from(contactSubmissions).where(eq(contactSubmissions.email, email));
  return { status: answer.status, stored, email, mailed: ctx.sent.map(({ to }) => to) };
}

test("the admin address receives the notice of a submission, which has the chosen status", async () => {
  await saveSetting("company", { admin_email: "hello@acme.example", auto_assign_status: "contacted" });
  const { stored, mailed } = await sendSubmission();
  expect(stored?.status).toBe("contacted");
  expect(mailed).toContain("hello@acme.example");
});

test("a plan has the owner's name for it: on the site, in the estimate that is mailed, to staff, to clients, and in files", async () => {
  await saveSetting("content-plans", { core_name: "Care for {company}" });
  const ctx = await saveSetting("company", { site_name: "Acme" });
  const { content, planNames, prices } = await effectiveBrand(ctx);
  expect(planNames).toEqual({ none: "No plan", basic: "Basic", core: "Care for Acme", premium: "Premium" });
  const texts = JSON.stringify([content.plans, content.services, content.questions, differences(prices, planNames)]);
  expect(texts).toContain("Everything in Care for Acme");
  expect(texts).not.toMatch(/\bCore\b|\{core\}/);
  expect((await settingsForm("prices").then(({ read }) => read())).fields[1]?.label).toBe(
    "Care for Acme, per user and month",
  );
  const visitor = visitorContext();
  await sendSubmission(visitor, { plan: "core", users: "12", lab: "0" });
  expect(visitor.sent.map(({ text }) => text.match(/Plan: .+/)?.[0])).toEqual([
    "Plan: Care for Acme",
    "Plan: Care for Acme",
  ]);

  const { base, here, dana, sam, client, staff } = await ticketWorld();
  const { ctx: portal, actor } = client(dana);
  await base.db.update(organizations).set({ plan: "core" }).where(eq(organizations.id, here.id));
  expect(await readDashboard(portal, actor)).toMatchObject({ plan: { name: "Care for Acme" } });
  expect(await readNewTicket(portal, actor)).toMatchObject({ plan: "Care for Acme" });
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const ticket = await readTicket(staff(sam).ctx, staff(sam).actor, {
    ...{ ref: id, params: new URLSearchParams(), staffRead: Promise.resolve(null) },
  });
  expect(ticket?.about.plan).toBe("Care for Acme");
  const admin = await staffMember();
  const file = await exports(args(admin.ctx, get("/admin/exports/organizations.csv"), { file: "organizations.csv" }));
  expect(await file.text()).toContain('"Care for Acme"');
});

test("name and description are on the pages: the title, the sender of mails, and what search engines read", async () => {
  const ctx = await saveSetting("company", { site_name: "Acme IT", site_description: "IT for\nharbours." });
  const brand = await effectiveBrand(ctx);
  expect(brand).toMatchObject({ name: "Acme IT", description: "IT for harbours." });
  const matches = [{ id: "root", data: { brand } }];
  const tags = (meta as (given: object) => object[])({ matches });
  expect(tags).toContainEqual({ title: expect.stringMatching(/^Acme IT: /) });
  expect(tags).toContainEqual({ name: "description", content: "IT for harbours." });
  const senders = async () => {
    const visitor = visitorContext();
    await sendSubmission(visitor);
    return new Set(visitor.sent.map(({ from }) => from.replace(/<.+>/, "<…>")));
  };
  expect(await senders()).toEqual(new Set(["Acme IT <…>"]));
  await saveSetting("company", { site_name: 'Acme "IT", Inc.' });
  expect(await senders()).toEqual(new Set(['"Acme \\"IT\\", Inc." <…>']));
});

test("a color that cannot be read is asked about; pages, mails and files have the nearest that can", async () => {
  const { ctx, send } = await settingsForm("look");
  expect(await questionOf(await send({ brand_color: "FC0" }))).toMatch(
    /^Text needs a contrast of 4\.5:1\. #ffcc00 has 1\.\d:1/,
  );
  expect(await ctx.db.$count(settings)).toBe(0);
  expect((await send({ brand_color: "FC0", decision: "use-#ffcc00" })).status).toBe(303);
  const { color } = await effectiveBrand(ctx);
  expect(color).toBe("#ffcc00");
  const { light } = brandColors(color).brand;
  expect(renderToStaticMarkup(createElement("style", null, brandStyle(color)))).toContain(`--color-action:${light};`);
  const visitor = visitorContext();
  await sendSubmission(visitor);
  expect(visitor.sent[0]?.html).toContain(`.action a{display:inline-block;padding:10px 18px;background:${light};`);
  expect(visitor.sent[0]?.html).not.toContain("#0f5a66");
});

test("with mail to staff switched off a submission and a ticket send none, and still stand in their lists", async () => {
  await saveSetting("mail", { enable_notifications: "" }, "notifications");
  const { email, mailed } = await sendSubmission();
  expect(mailed).toEqual([email]);

  const ctx = visitorContext();
  const { client, assignee, write } = await ticketWithPeople(ctx);
  await write(asClient(client), "Still broken");
  expect((await notifiedInProduct(ctx)).map(([who]) => who)).toContain(assignee.id);
  expect((await collectedMails(ctx)).map(({ to }) => to)).not.toContain(assignee.email);
});

test("the hours count for what is promised from then on, and pages and mails say them", async () => {
  // Wednesday, 9 am in Chicago; on Thursday everything is closed.
  const week = { hours_wednesday: "08:00-12:00, 13:00-14:00", hours_saturday: "10:00-11:30" };
  const ctx = await saveSetting("hours", { ...week, holidays: "2026-11-19 Founding day" });
  expect((await effectiveBrand(ctx)).hours).toBe(
    "Monday-Tuesday 8am-6pm, Wednesday 8am-12pm and 1pm-2pm, Thursday-Friday 8am-6pm, Saturday 10am-11:30am",
  );
  const visitor = visitorContext();
  const { email } = await sendSubmission(visitor);
  const mail = visitor.sent.find(({ to }) => to === email);
  expect(mail?.text).toContain("Friday, November 20, 9:00 AM CST");
});

test("whoever changes hours is asked whether running clocks move, and nothing is saved before the answer", async () => {
  const world = await ticketWorld();
  const { ctx: client, actor } = world.client(world.dana);
  const ticket = { title: "Slow", description: "All day.", priority: "high" as const, impact: null, category: null };
  await openTicket(client, actor, { ...ticket, organizationId: world.here.id, nonce: "running" });
  const { ctx, send } = await settingsForm("hours");
  const mornings = { hours_wednesday: "08:00-10:00" };
  expect(await questionOf(await send(mornings))).toContain("apply to new clocks; 1 running clock will move");
  expect(await ctx.db.$count(settings)).toBe(0);
  expect((await send({ ...mornings, decision: "keep" })).status).toBe(303);
  expect((await getSettings(ctx.db)).clocksToMove).toBeNull();
  expect((await send({ hours_wednesday: "08:00-11:00", decision: "move" })).status).toBe(303);
  expect((await getSettings(ctx.db)).clocksToMove).toEqual({ since: ctx.now(), doneUpTo: 0 });
});

test("a new ticket is promised its reply by the saved targets", async () => {
  await saveSetting("promises", { reply_medium: "3 hours" });
  const world = await ticketWorld();
  const { ctx, actor } = world.client(world.dana);
  const ticket = { title: "Slow", description: "All day.", priority: "medium" as const, impact: null, category: null };
  const opened = await openTicket(ctx, actor, { ...ticket, organizationId: world.here.id, nonce: "promised" });
  expect(opened.ok && (await ticketRow(ctx, opened.value.id)).due_at).toBe(ctx.now() + hours(3));
});

test("before a retention is saved it says what its first run would delete; it counts a day later", async () => {
  const { base, read, send } = await settingsForm("retention", "data");
  for (const age of [100, 40, 20]) {
    await makeSubmission(base, { status: "resolved", at: base.now() - days(age) });
  }
  const shorter = { retention_days: "30" };
  expect(await questionOf(await send(shorter))).toContain("would delete 2 submissions");
  expect(await questionOf(await send({ ...shorter, decision: "delete-1" }))).toContain("would delete 2 submissions");
  expect((await read()).version).toBe(0);
  expect((await send({ ...shorter, decision: "delete-2" })).status).toBe(303);
  expect((await read()).text).toContain("the former rule counts: it is 365 days");
  expect((await applyRetention(base)).count).toBe(0);
  base.clock.advance(days(1));
  expect((await applyRetention(base)).count).toBe(2);
});

test("a price counts on the pricing page, in the estimate that comes with a submission, and in the texts that name it", async () => {
  await saveSetting("prices", { plan_core: "$1,159.50", onboarding_rate: "" });
  const ctx = visitorContext();
  const { stored } = await sendSubmission(ctx, { plan: "core", users: "2", lab: "0" });
  expect(JSON.parse(stored?.estimate_json ?? "{}")).toMatchObject({ rate: 115_950, total: 231_900 });
  const brand = await effectiveBrand(ctx);
  expect(pricingNote(brand.networkBrand, brand.prices).text).toContain("the rate is in your proposal");
  expect(JSON.stringify(termsText(brand))).toContain("the rate is in your proposal");
});

test("views of public pages are counted by path and day, unless that is switched off", async () => {
  const view = { method: "GET", status: 200, isAhead: false };
  const visit = (path: string) => testContext({ facts: { url: new URL(`http://localhost:8787${path}`) } });
  const page = visit("/pricing?utm_source=x");
  expect(isPageView(page, view)).toBe(true);
  for (const other of [{ status: 404 }, { method: "POST" }, { isAhead: true }])
    expect(isPageView(page, { ...view, ...other })).toBe(false);
  for (const path of ["/auth", "/admin", "/no-such-page", "/contact"])
    expect(isPageView(visit(path), view), path).toBe(false);
  // Those of one moment are written together.
  Object.assign(page.cost, { trips: 0 });
  await Promise.all([countPageView(page), countPageView(page)]);
  expect(page.cost.trips).toBe(1);
  const ctx = await saveSetting("company", { enable_analytics: "" });
  await countPageView(page);
  expect(await listPageViews(ctx)).toEqual([{ path: "/pricing", views: 2 }]);
  expect(JSON.stringify(privacyText(await effectiveBrand(ctx)))).toContain("We don’t count visits");
});

test("whoever begins to write the privacy notice has the one that the site shows, with how long submissions are kept", async () => {
  const shorter = { retention_days: "90", decision: "delete-0" };
  const ctx = await saveSetting("retention", shorter, "data");
  const { body = "" } = await (await settingsForm("privacy")).shown();
  expect(body).toContain("90 days after anything has happened");
  expect(body).toBe(legalMarkdown(privacyText(await effectiveBrand(ctx))).trim());
});

test("whoever empties the terms that came with the product gets the page anew, with those terms", async () => {
  const { send, shown } = await settingsForm("terms");
  const isPageAnew = async (changes?: Record<string, string>) =>
    (await send(changes)).headers.has("X-Remix-Reload-Document");
  expect([await isPageAnew({ body: " " }), await isPageAnew()]).toEqual([true, false]);
  expect((await shown()).body).toContain("## ");
});

test("terms of our own stand on their page, and each consent keeps the version that was read", async () => {
  const { terms: opened } = await (await contactPage(args(visitorContext(), get("/contact")))).json();
  expect((await sendSubmission()).stored?.consent_terms_version).toBe(TERMS_VERSION);
  const written = "Our terms.\n\n## Who\n\nYou\nand us.\n\n- One\n- Two";
  const ctx = await saveSetting("terms", { body: written });
  const { text } = await (await termsPage(args(ctx, get("/terms")))).json();
  expect(text).toEqual({
    title: "Terms",
    version: "2026-11-18",
    lead: "Our terms.",
    sections: [{ id: "section-1", title: "Who", blocks: ["You and us.", ["One", "Two"]] }],
  });
  expect((await sendSubmission()).stored?.consent_terms_version).toBe("2026-11-18");
  await saveSetting("terms", { body: `${written}\n- Three` });
  expect((await sendSubmission()).stored?.consent_terms_version).toBe("2026-11-18.2");
  // The form was opened before any of this; and nobody can say that they have read what we have never shown.
  const agreedTo = async (terms_version: string) =>
    (await sendSubmission(visitorContext(), { terms_version })).stored?.consent_terms_version;
  expect(await agreedTo(opened)).toBe(TERMS_VERSION);
  expect(await agreedTo(opened.replace(TERMS_VERSION, "2020-01-01"))).toBe("2026-11-18.2");
  await saveSetting("terms", { body: "" });
  expect((await (await termsPage(args(ctx, get("/terms")))).json()).text.version).toBe(TERMS_VERSION);
  const standard = termsText(await effectiveBrand(ctx));
  expect(readLegalText(legalMarkdown(standard))).toMatchObject({ lead: standard.lead });
  // A version that was given and taken back is not given again.
  await saveSetting("terms", { body: `${written}\n- Four` });
  expect((await sendSubmission()).stored?.consent_terms_version).toBe("2026-11-18.3");
});

const publishedSettings = (brand: object) => async () => ({ version: 1, brand, values: {} });
const acme = { publishedSettings: publishedSettings({ name: "Acme IT", email: "hello@acme.example", phone: "" }) };

test("every page is given the effective brand", async () => {
  const response = await root(args(testContext(acme), get("/")));
  expect(await response.json()).toMatchObject({ brand: { name: "Acme IT", totpIssuer: "Acme IT", phone: null } });
});

test("whoever has saved a name sees it on the next page, before it is published everywhere", async () => {
  const { send, base } = await settingsForm("company");
  // A whole document: the name stands around the page too.
  expect((await send({ site_name: "Acme IT" })).headers.get("X-Remix-Reload-Document")).toBe("true");
  const cookie = /__Host-settings=([^;]+)/.exec(base.cookiesSet.join("\n"))?.[1] ?? "";
  const published = async () => ({ version: 0, brand: {}, values: {} });
  const nameFor = async (value: string) => {
    const cookies = new Map([["__Host-settings", value]]);
    const next = testContext({ publishedSettings: published, facts: { cookies } });
    return (await effectiveBrand({ publishedSettings: settingsAsSaved(next) })).name;
  };
  expect(await nameFor(cookie)).toBe("Acme IT");
  expect(await nameFor(cookie.replace(/^1/, "2"))).toBe("Wrenfield");
});

test("mails name the company of the day they leave", async () => {
  const ctx = testContext(acme);
  await sendContact(ctx);
  await ctx.settle();
  const mail = ctx.sent.find(({ to }) => to === "priya@larkspur.example");
  expect(mail?.text).toContain("Acme IT · hello@acme.example");
  expect(mail?.text).not.toContain("Wrenfield");
});

test.each([
  ["Acme IT", "acme-it-backup-codes.txt"],
  ['Ångström "IT"', "angstrom-it-backup-codes.txt"],
  ["東京", "backup-codes.txt"],
])("backup codes of %s are a file called %s", async (name, file) => {
  const { ctx } = await staffMember();
  Object.assign(ctx, { publishedSettings: publishedSettings({ name }) });
  const request = post("/profile/backup-codes", { form_token: agedToken(ctx, ACCOUNT_PURPOSE), codes: "" });
  const response = await downloadCodes(args(ctx, request));
  expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="${file}"`);
  expect(await response.text()).toContain(`${name} backup codes for`);
});

test("the longest name in the longest script still fits into the code that authenticator apps scan", async () => {
  const { ctx, person } = await staffMember();
  Object.assign(ctx, { publishedSettings: publishedSettings({ name: "語".repeat(BRAND_LIMITS.name) }) });
  await commit(ctx.db, [beginEnrollment(ctx, person.id)]);
  const email = `${"x".repeat(242)}@acme.example`;
  expect((await findEnrollment(ctx, { userId: person.id, email }))?.qr).toBeTruthy();
});

test("the example of a letter is a PDF under the company's name, and written once for all who open it", async () => {
  const { ctx } = await settingsForm("company");
  const open = async () => await exampleLetter(args(ctx, get("/examples/letter.pdf")));
  const [first, second] = [await open(), await open()];
  expect([first.status, first.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  expect(first.headers.get("Cache-Control")).toMatch(/^public/);
  const bytes = Buffer.from(await first.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(bytes.equals(Buffer.from(await second.arrayBuffer()))).toBe(true);
});
