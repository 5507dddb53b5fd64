import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { mailChecks } from "~/db/schema/outbox";
import { settings } from "~/db/schema/site";
import { ticketMessages } from "~/db/schema/tickets";
import { senderDomain } from "~/features/mail-setup/dns-records.server";
import * as layoutRoute from "~/routes/_admin";
import * as dashboardRoute from "~/routes/_admin.admin._index";
import * as route from "~/routes/_admin.admin.first-hour";
import * as portalRoute from "~/routes/_portal.client._index";
import { staffMember } from "../support/admin-area";
import { as, makeInvitedMember, makeMember, makeOrganization, makePerson } from "../support/factories";
import { pageAt } from "../support/page";
import { saveSetting } from "../support/settings";
import { makeTicket } from "../support/tickets";

const PATH = "/admin/first-hour";

const COMPANY = {
  site_name: "Larkspur IT",
  email: "hello@larkspur-it.com",
  phone: "+1 512 670 2200",
  address: "12 Depot Street",
};

let staff: Awaited<ReturnType<typeof staffMember>>;

const page = pageAt(PATH, route);
const read = () => page.read(staff.ctx);
const stepOf = async (id: string) => (await read()).steps.find((step) => step.id === id);

async function press(intent: "reviewed" | "seen" | "domain") {
  const { tokens } = await read();
  return page.post(staff.ctx, PATH, { intent, form_token: tokens[intent] ?? "" });
}

beforeEach(async () => {
  staff = await staffMember();
  const { db } = staff.ctx;
  await db.delete(settings);
  await db.delete(mailChecks);
  await db.update(users).set({ status: "deactivated" }).where(eq(users.is_staff, 1));
  await db.update(users).set({ status: "active" }).where(eq(users.id, staff.person.id));
});

test("of a company, what is still an example is named, and nothing is done before all of it is gone", async () => {
  expect(await stepOf("company")).toMatchObject({
    state: "open",
    missing: "your name, postal address, phone number and email address",
  });
  await saveSetting("company", { ...COMPANY, phone: "(512) 555-0142", email: "hello@larkspur.example" });
  expect(await stepOf("company")).toMatchObject({
    state: "begun",
    missing: "your phone number and email address",
  });
  await saveSetting("company", COMPANY);
  expect(await stepOf("company")).toMatchObject({ state: "done", missing: null });
  await saveSetting("company", { admin_email: "notices@wrenfield.example" });
  expect(await stepOf("company")).toMatchObject({ state: "begun", missing: "the address for notices" });
});

test("a company without a phone may say so, and one that is called as ours is known by its mail", async () => {
  await saveSetting("company", { ...COMPANY, site_name: "Wrenfield", phone: "" });
  expect(await stepOf("company")).toMatchObject({ missing: "your name" });
  await saveSetting("company", { email: "hello@wrenfield.com" });
  expect(await stepOf("company")).toMatchObject({ state: "done" });
});

test("hours are done with holidays ahead; those of last year lack", async () => {
  expect(await stepOf("hours")).toMatchObject({ state: "open", missing: "your hours" });
  await saveSetting("hours", { hours_monday: "09:00-17:00", holidays: "2020-12-25 Christmas Day" });
  expect(await stepOf("hours")).toMatchObject({ state: "begun", missing: "the holidays ahead" });
  await saveSetting("hours", { holidays: "12-25 Christmas Day" });
  expect(await stepOf("hours")).toMatchObject({ state: "done" });
});

test("prices that nobody has saved are not done; saved as they are, they are the company's", async () => {
  expect(await stepOf("prices")).toMatchObject({ state: "open", missing: "your prices" });
  await saveSetting("prices", {});
  expect(await stepOf("prices")).toMatchObject({ state: "done" });
});

test("a color alone is half of a look", async () => {
  await saveSetting("look", { brand_color: "#2055ac" });
  expect(await stepOf("look")).toMatchObject({ state: "begun", missing: "your logo" });
});

test("the review of the legal texts keeps who and when, and a text that changes later asks for another", async () => {
  expect(await stepOf("legal")).toMatchObject({ state: "open" });
  expect((await press("reviewed")).status).toBe(303);
  expect(await stepOf("legal")).toMatchObject({ state: "done", text: `Reviewed by ${staff.person.fullName}` });
  const [row] = await staff.ctx.db.select().from(settings).where(eq(settings.key, "legalReviewedAt"));
  expect(row).toMatchObject({ value_json: String(staff.base.now()), updated_by: staff.person.id });
  const events = await staff.ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, "legalReviewedAt"));
  expect(events).toHaveLength(1);
  staff.base.clock.advance(1000);
  await saveSetting("terms", { body: "Ours.\n\n## Scope\n\nWhat we do." });
  await staff.ctx.db
    .update(settings)
    .set({ updated_at: staff.base.now() + 1 })
    .where(eq(settings.key, "termsText"));
  expect(await stepOf("legal")).toMatchObject({ state: "begun", text: "A text was changed since it was reviewed." });
});

test("mail is proven by a test mail that arrived, of the domain that mails come from now", async () => {
  const { ctx, base, person } = staff;
  const check = { direction: "out" as const, token: "x", recipient: "own" as const, mail_id: "m", asked_by: person.id };
  const row = { ...check, domain: "elsewhere.com", asked_at: base.now(), arrived_at: base.now() };
  await ctx.db.insert(mailChecks).values(row);
  expect(await stepOf("mail")).toMatchObject({ state: "open" });
  await ctx.db.update(mailChecks).set({ domain: senderDomain(ctx.config), arrived_at: null });
  expect(await stepOf("mail")).toMatchObject({ state: "open" });
  await ctx.db.update(mailChecks).set({ arrived_at: base.now() });
  expect(await stepOf("mail")).toMatchObject({ state: "done" });
});

test("an invited colleague has not come yet; one with a second factor has", async () => {
  expect(await stepOf("colleague")).toMatchObject({ state: "open" });
  const invited = await makePerson(staff.base, { role: "moderator", fullName: "Jordan Vale", status: "pending" });
  expect(await stepOf("colleague")).toMatchObject({ state: "begun", text: "Jordan Vale has an invitation." });
  await staff.ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, invited.id));
  await makePerson(staff.base, { role: "moderator", fullName: "Sam Ortiz", withPassword: true, withTotp: true });
  expect(await stepOf("colleague")).toMatchObject({ state: "done", text: "Sam Ortiz can sign in" });
});

test("a client counts once one of its people has accepted, and a ticket once staff have answered in public", async () => {
  const { ctx, base, person } = staff;
  expect(await stepOf("client")).toMatchObject({ state: "open" });
  const organization = await makeOrganization(base, "Brightsmile");
  await makeInvitedMember(base, organization.id, { email: "owner@brightsmile.com" });
  expect(await stepOf("client")).toMatchObject({ state: "begun", text: "Brightsmile has no one yet who can sign in." });
  const owner = await makePerson(base);
  await makeMember(base, organization.id, owner, "owner");
  expect(await stepOf("client")).toMatchObject({ state: "done", text: "Brightsmile has accepted" });

  expect(await stepOf("ticket")).toMatchObject({ state: "open", missing: "a ticket" });
  const ticket = await makeTicket(base, { organizationId: organization.id, createdBy: owner });
  expect(await stepOf("ticket")).toMatchObject({ state: "begun", to: `/admin/tickets/T-${ticket.number}` });
  const message = { organization_id: organization.id, ticket_id: ticket.id, user_id: person.id, author_name: "A" };
  const stamps = { created_at: base.now(), updated_at: base.now(), message: "Done", side: "staff" as const };
  await ctx.db.insert(ticketMessages).values({ id: base.newId("msg"), ...message, ...stamps, is_internal: true });
  expect(await stepOf("ticket")).toMatchObject({ state: "begun" });
  await ctx.db.insert(ticketMessages).values({ id: base.newId("msg"), ...message, ...stamps });
  expect(await stepOf("ticket")).toMatchObject({ state: "done" });
});

test("whoever looks at the site from here has seen it", async () => {
  const answer = await press("seen");
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
  expect(await stepOf("site")).toMatchObject({ state: "done" });
});

test("the domain of the administrator is proposed, unless anybody may have it", async () => {
  const { ctx, base } = staff;
  await ctx.db.update(users).set({ email: "dana@larkspur-it.com" }).where(eq(users.id, staff.person.id));
  const dana = { ...staff.person, email: "dana@larkspur-it.com" };
  staff = { ...staff, person: dana, ctx: as(base, dana) };
  expect((await read()).domain).toBe("larkspur-it.com");
  await press("domain");
  expect((await read()).domain).toBeNull();
  const [row] = await ctx.db.select().from(settings).where(eq(settings.key, "companyDomain"));
  expect(row?.value_json).toBe('"larkspur-it.com"');
  await ctx.db.delete(settings);
  const lee = { ...staff.person, email: "lee@gmail.com" };
  staff = { ...staff, person: lee, ctx: as(base, lee) };
  expect((await read()).domain).toBeNull();
});

test("menu and dashboard lead here until all is done, and never again then", async () => {
  const { ctx, base } = staff;
  const layout = pageAt("/admin", layoutRoute);
  const isInMenu = async (by = ctx) => (await layout.read(by)).items.some(({ path }) => path === PATH);
  const notice = async () => (await pageAt("/admin", dashboardRoute).read(ctx)).firstHour;
  expect(await isInMenu()).toBe(true);
  expect(await notice()).toMatchObject({ next: "Company and contact" });
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect(await isInMenu(technician)).toBe(false);
  await ctx.db.insert(settings).values({ key: "firstHourDoneAt", value_json: "1", updated_at: base.now() });
  expect(await isInMenu()).toBe(false);
  expect(await notice()).toBeNull();
});

test("staff whom the company domain leads to the portal are shown the way to the admin area; clients are not", async () => {
  const steps = async (role: "moderator" | "user") => {
    const somebody = as(staff.base, await makePerson(staff.base, { role, withPassword: true, withTotp: true }));
    return (await pageAt("/client", portalRoute).read(somebody)).nextSteps;
  };
  expect(await steps("moderator")).toMatchObject({ isStaff: true });
  expect(await steps("user")).toMatchObject({ isStaff: false });
});
