import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import {
  contacts,
  invitations,
  organizationMemberships,
  organizations,
  otherAddresses,
} from "~/db/schema/organizations";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { tickets } from "~/db/schema/tickets";
import { saveContact } from "~/features/contacts/commands.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { deleteSome } from "~/features/privacy/retention.server";
import { openOnboardings } from "~/jobs/ticket-jobs.server";
import { days, seconds } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import * as organizationRoute from "~/routes/_admin.admin.organizations.$organizationId";
import * as recordRoute from "~/routes/_admin.admin.submissions.$submissionId";
import * as makingRoute from "~/routes/_admin.admin.submissions.$submissionId_.[client]";
import { flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeInvitedMember, makeMember, makeOrganization, makePerson, makeSubmission } from "../support/factories";
import { administrator } from "../support/organizations";
import { pageAt } from "../support/page";
import { thrownBy } from "../support/requests";
import { makeTicket } from "../support/tickets";

let companies = 0;

/** Returns an administrator and a request of a company that nobody knows. */
async function lead(options: Parameters<typeof makeSubmission>[1] = {}) {
  const { base, ctx, actor } = await administrator();
  companies += 1;
  const domain = `maple${companies}.example`;
  const company = `Maple ${companies} Street Dental`;
  const sent = { firstName: "Dana", lastName: "Whitfield", email: `dana@${domain}`, company, ...options };
  const { id } = await makeSubmission(base, sent);
  return { base, ctx, actor, id, domain, company, email: sent.email };
}

const making = pageAt("/admin/submissions/:submissionId/client", makingRoute);
const record = pageAt("/admin/submissions/:submissionId", recordRoute);
const organization = pageAt("/admin/organizations/:organizationId", organizationRoute);

const pageOf = (ctx: TestContext, id: string) => making.read(ctx, `/admin/submissions/${id}/client`);
const recordOf = (ctx: TestContext, id: string) => record.read(ctx, `/admin/submissions/${id}`);
const organizationOf = (ctx: TestContext, id: string) => organization.read(ctx, `/admin/organizations/${id}`);

const PURPOSES = { make: "submission-client", use: "submission-client-use", undo: "submission-client-undo" } as const;

type Intent = keyof typeof PURPOSES;

const send = (ctx: TestContext, id: string, intent: Intent, fields: Record<string, string> = {}) =>
  making.send(ctx, `/admin/submissions/${id}/client`, PURPOSES[intent], { intent, ...fields });

/** Sends the form as the page shows it, with some fields changed. */
async function make(ctx: TestContext, id: string, changes: Record<string, string> = {}) {
  const { values, similar } = await pageOf(ctx, id);
  return send(ctx, id, "make", { ...values, seen: similar.map((one) => one.id).join(), ...changes });
}

const rowOf = async (ctx: TestContext, id: string) =>
  (await ctx.db.select().from(contactSubmissions).where(eq(contactSubmissions.id, id)))[0];
const clientOf = async (ctx: TestContext, id: string) => (await rowOf(ctx, id))?.organization_id ?? null;
const contactsOf = (ctx: TestContext, organizationId: string) =>
  ctx.db.select().from(contacts).where(eq(contacts.organization_id, organizationId));
const idIn = (response: Response) => /organizations\/(org_\w+)/.exec(response.headers.get("Location") ?? "")?.[1] ?? "";
const nothingMade = async (ctx: TestContext, id: string, name: string) => {
  expect(await clientOf(ctx, id)).toBeNull();
  expect(await ctx.db.select().from(organizations).where(eq(organizations.name, name))).toEqual([]);
};

test.each([
  [{ name: " " }, { name: "Name is required" }],
  [{ domains: "gmail.com" }, { domains: expect.stringContaining("gmail.com") }],
  [{ plan: "gold" }, { plan: "Choose one of the plans" }],
  [{ owner_name: "" }, { owner_name: "Write the owner's name" }],
  [{ owner_email: "dana@" }, { owner_email: "Please enter a valid email address" }],
  [{ owner_email: "no-reply@dental.example" }, { owner_email: expect.stringContaining("comes back to us") }],
  [{ owner_phone: "5".repeat(41) }, { owner_phone: "Phone can have at most 40 characters" }],
  [{ contract_start: "soon" }, { contract_start: expect.stringContaining("Choose a day") }],
  [{ plan: "", contract_start: "2026-11-01" }, { contract_start: expect.stringContaining("starts with a plan") }],
  [{ plan: "", secureStorage: "on" }, { plan: expect.stringContaining("Add-ons come with a plan") }],
  [{ plan: "core", contract_start: "2099-01-01" }, { contract_start: expect.stringContaining("Choose a day") }],
])("a client with %o is refused, what was typed stays, and nothing is half-made", async (changes, errors) => {
  const { ctx, id, company } = await lead();
  const refused = await make(ctx, id, { description: "Kept", ...changes });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    title: "Failed to make a client",
    errors,
    values: { description: "Kept", ...changes },
  });
  await nothingMade(ctx, id, company);
});

test("what waits for review becomes no client", async () => {
  const { ctx, id, company } = await lead({ moderationReason: "content" });
  expect((await pageOf(ctx, id)).submission.isInModeration).toBe(true);
  const refused = await thrownBy(make(ctx, id));
  expect(refused.status).toBe(404);
  await nothingMade(ctx, id, company);
});

test("a colleague's address owns no client, nor does a deactivated account", async () => {
  const { base, ctx, id, company } = await lead();
  const colleague = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
  const gone = await makePerson(base, { fullName: "Lee Marsh", status: "deactivated" });
  for (const [person, words] of [
    [colleague, "is the address of Jordan Vale, a colleague of yours"],
    [gone, "belongs to the deactivated account of Lee Marsh"],
  ] as const) {
    const refused = await make(ctx, id, { owner_email: person.email });
    expect(refused.status).toBe(400);
    expect((await refused.json()).errors.owner_email).toContain(words);
  }
  await nothingMade(ctx, id, company);
  const { ctx: theirs, id: own } = await lead({ email: colleague.email });
  expect((await pageOf(theirs, own)).values.domains).toBe("");
});

test("an address that belongs elsewhere is named with its organization, and used only when that is confirmed", async () => {
  const { base, ctx, id, company } = await lead();
  const harbor = await makeOrganization(base, "Harbor House");
  const person = await makePerson(base, { fullName: "Chris Adeyemi" });
  await makeMember(base, harbor.id, person, "owner");
  const refused = await make(ctx, id, { owner_email: person.email });
  expect(refused.status).toBe(400);
  const { errors, values } = await refused.json();
  expect(errors.owner_email).toBe(`${person.email} has an account (Chris Adeyemi) at Harbor House.`);
  expect(values.confirm_known).toBe(person.email);
  await nothingMade(ctx, id, company);
  const made = await make(ctx, id, { owner_email: person.email, use_known: "on" });
  expect(made.status).toBe(303);
  expect(await clientOf(ctx, id)).toBe(idIn(made));
});

test("an invitation that is open elsewhere is named too", async () => {
  const first = await lead();
  await make(first.ctx, first.id, { owner_email: "both@maple.example" });
  const { ctx, id } = await lead();
  const refused = await make(ctx, id, { owner_email: "both@maple.example" });
  expect((await refused.json()).errors.owner_email).toBe(
    `both@maple.example has an open invitation to ${first.company}.`,
  );
});

test("of two who make the same client at once, one does, and the other is led there and told by whom", async () => {
  const { ctx, id, company, email } = await lead();
  const { ctx: other } = await administrator();
  const both = await Promise.all([make(ctx, id), make(other, id)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(new Set(both.map(idIn)).size).toBe(1);
  const told = [flash(ctx), flash(other)];
  expect(told.filter((text) => text.startsWith(`${company} is a client.`))).toHaveLength(1);
  expect(told.filter((text) => / made this client just now\./.test(text))).toHaveLength(1);
  expect(await ctx.db.select().from(organizations).where(eq(organizations.name, company))).toHaveLength(1);
  expect(await ctx.db.select().from(invitations).where(eq(invitations.email, email))).toHaveLength(1);
});

test("of two requests that want one domain at once, one becomes the client, and the other is shown it", async () => {
  const [first, second] = [await lead(), await lead()];
  const both = await Promise.all(
    [first, second].map(({ ctx, id }) => make(ctx, id, { domains: "wanted-by-two.example" })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  const refused = both.find(({ status }) => status === 400);
  const { errors, values } = await (refused as Awaited<ReturnType<typeof make>>).json();
  expect(errors.domains ?? errors.name).toBeTruthy();
  expect(JSON.parse(values.similar ?? "")).toHaveLength(1);
});

test("an organization of that name is offered before one more is made, also when its name was typed later", async () => {
  const { base, ctx, id } = await lead();
  const twin = await makeOrganization(base, "Tall Oak Clinic");
  await ctx.db.update(organizations).set({ search_name: "tall oak clinic" }).where(eq(organizations.id, twin.id));
  const refused = await make(ctx, id, { name: "Tall Oak Clinic" });
  expect(refused.status).toBe(400);
  const { errors, values } = await refused.json();
  expect(errors.name).toContain("it is offered above");
  expect(JSON.parse(values.similar ?? "")).toMatchObject([{ id: twin.id, name: "Tall Oak Clinic", isSame: true }]);
  const made = await make(ctx, id, { name: "Tall Oak Clinic", seen: twin.id });
  expect(made.status).toBe(303);
  expect(idIn(made)).not.toBe(twin.id);
});

test("the page is filled from the request: the domain of a company, none of a public mail service", async () => {
  const own = await lead();
  expect((await pageOf(own.ctx, own.id)).values).toMatchObject({
    name: own.company,
    domains: own.domain,
    owner_name: "Dana Whitfield",
    owner_email: own.email,
    contract_start: "",
  });
  const free = await lead({ email: "dana.whitfield@gmail.com" });
  expect((await pageOf(free.ctx, free.id)).values.domains).toBe("");
});

test.each([
  ["dana@maple-street.example", "Maple Street"],
  ["dana@mail.maple-street.co.uk", "Maple Street"],
  ["dana@xn--mple-5qa.example", "Dana Whitfield"],
  ["dana.whitfield@gmail.com", "Dana Whitfield"],
])("a request without a company from %s proposes to call the client %s, and may be sent as it is", async (email, name) => {
  const { ctx, id } = await lead({ email, company: "" });
  expect((await pageOf(ctx, id)).values.name).toBe(name);
  const made = await make(ctx, id);
  expect(made.status).toBe(303);
  await send(ctx, id, "undo");
});

test("one batch makes organization, invitation, contact, link and history, and the owner's ticket needs no typing", async () => {
  const { ctx, id, company, domain, email } = await lead();
  const made = await make(ctx, id, {
    owner_phone: " (555)  555-0134 ",
    secureStorage: "on",
    contract_start: "2026-11-01",
    plan: "core",
  });
  expect(made.status).toBe(303);
  const organizationId = idIn(made);
  expect(flash(ctx)).toMatch(`${company} is a client.`);
  const [organization] = await ctx.db.select().from(organizations).where(eq(organizations.id, organizationId));
  expect(organization).toMatchObject({ name: company, plan: "core", add_ons: "secureStorage", needs_review_at: null });
  const members = await ctx.db
    .select()
    .from(organizationMemberships)
    .where(eq(organizationMemberships.organization_id, organizationId));
  expect(members).toMatchObject([{ role: "owner", status: "pending", invited_email: email }]);
  expect(await contactsOf(ctx, organizationId)).toMatchObject([
    { email, full_name: "Dana Whitfield", phone: "(555) 555-0134" },
  ]);
  expect(await rowOf(ctx, id)).toMatchObject({ status: "resolved", organization_id: organizationId });
  const page = await organizationOf(ctx, organizationId);
  expect(page.origins).toMatchObject([{ id, name: "Dana Whitfield", message: "Eleven laptops and a slow lab." }]);
  expect(page.organization.domains).toEqual([domain]);
  const here = await recordOf(ctx, id);
  expect(here.submission.client).toEqual({ id: organizationId, name: company });
  expect(here.ticketPath).toBe(`/admin/tickets/new?submission=${id}&organization=${organizationId}`);
  expect(here.clientPath).toBeNull();
  const actions = await ctx.db
    .select({ action: auditEvents.action })
    .from(auditEvents)
    .where(eq(auditEvents.subject_id, id));
  expect(actions.map((event) => event.action).toSorted()).toEqual([
    "submission.made_client",
    "submission.status_changed",
  ]);
});

test("the same form posted twice makes one client, and both answers lead to it", async () => {
  const { ctx, id, company } = await lead();
  const fields = { ...(await pageOf(ctx, id)).values, form_token: issueFormToken(ctx, PURPOSES.make) };
  const both = [await send(ctx, id, "make", fields), await send(ctx, id, "make", fields)];
  expect(new Set(both.map(idIn)).size).toBe(1);
  expect(flash(ctx)).toMatch(`${company} is a client.`);
});

test("pressing twice adds a request to a client once, and takes it back once", async () => {
  const { base, ctx, id } = await lead();
  const { id: organization_id } = await makeOrganization(base, "Larkspur Dental");
  const times = async (intent: Intent, fields: Record<string, string>) => {
    const form_token = issueFormToken(ctx, PURPOSES[intent]);
    const answer = async () => {
      const { status, headers } = await send(ctx, id, intent, { ...fields, form_token });
      return [status, headers.get("Location"), flash(ctx)];
    };
    return [await answer(), await answer()];
  };
  const eventsOf = () => ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  const [first, second] = await times("use", { organization_id });
  expect(first).toEqual([303, `/admin/organizations/${organization_id}`, expect.stringMatching(/^Linked/)]);
  expect(second).toEqual(first);
  expect(await eventsOf()).toHaveLength(2);
  const [undone, again] = await times("undo", {});
  expect(undone).toEqual([303, `/admin/submissions/${id}`, expect.stringMatching(/^Taken back/)]);
  expect(again).toEqual(undone);
  expect(await eventsOf()).toHaveLength(3);
});

test("a request whose company is no client leads from “Open ticket” to making one", async () => {
  const { ctx, id } = await lead();
  const { ticketPath, clientPath } = await recordOf(ctx, id);
  expect(ticketPath).toBe(`/admin/submissions/${id}/client?for=ticket`);
  expect(clientPath).toBe(`/admin/submissions/${id}/client`);
});

test("within thirty seconds it is taken back: no mail has left, and the request is as it was", async () => {
  const { base, ctx, id, company, email } = await lead({ status: "contacted" });
  const organizationId = idIn(await make(ctx, id));
  ctx.clock.advance(seconds(29));
  await deliverOutbox(ctx);
  expect(base.sent.filter(({ to }) => to === email)).toEqual([]);
  const undone = await send(ctx, id, "undo");
  expect(undone.headers.get("Location")).toBe(`/admin/submissions/${id}`);
  expect(flash(ctx)).toMatch(/^Taken back/);
  expect(await rowOf(ctx, id)).toMatchObject({ status: "contacted", organization_id: null });
  await nothingMade(ctx, id, company);
  for (const table of [organizationMemberships, contacts]) {
    expect(await ctx.db.select().from(table).where(eq(table.organization_id, organizationId))).toEqual([]);
  }
  expect(await ctx.db.select().from(submissionEvents).where(eq(submissionEvents.submission_id, id))).toEqual([]);
  ctx.clock.advance(seconds(120));
  await deliverOutbox(ctx);
  expect(base.sent.filter(({ to }) => to === email)).toEqual([]);
  expect((await make(ctx, id)).status).toBe(303);
});

test("the form of a client that was taken back says so, and makes it when it is pressed again", async () => {
  const { ctx, id } = await lead();
  const form_token = issueFormToken(ctx, PURPOSES.make);
  const fields = (await pageOf(ctx, id)).values;
  await send(ctx, id, "make", { ...fields, form_token });
  await send(ctx, id, "undo");
  const refused = await send(ctx, id, "make", { ...fields, form_token });
  expect(await refused.json()).toMatchObject({ errors: { form: expect.stringContaining("taken back") } });
  expect((await send(ctx, id, "make", fields)).status).toBe(303);
});

test("after thirty seconds it stays", async () => {
  const { ctx, id } = await lead();
  const organizationId = idIn(await make(ctx, id));
  ctx.clock.advance(seconds(30));
  expect((await send(ctx, id, "undo")).headers.get("Location")).toBe(`/admin/organizations/${organizationId}`);
  expect(flash(ctx)).toMatch(/^Too late to undo/);
  expect(await clientOf(ctx, id)).toBe(organizationId);
});

test.each([
  ["it was changed", (id: string) => sql`UPDATE organizations SET version = 2 WHERE id = ${id}`],
  ["its invitation is on its way", (id: string) => sql`UPDATE outbox SET status = 'sending' WHERE subject_id = ${id}`],
  [
    "a legal hold was put on it",
    (id: string) => sql`INSERT INTO legal_holds(id, subject_type, subject_id, reason,
      placed_by_name, placed_at) VALUES ('hold_' || ${id}, 'organization', ${id}, 'x', 'x', 1)`,
  ],
  [
    "a note about it was written",
    (id: string) => sql`INSERT INTO admin_notes(id, created_at, updated_at, version, subject_type, subject_id,
      admin_user_id, author_name, note) VALUES ('note_' || ${id}, 1, 1, 1, 'organization', ${id}, 'x', 'x', 'x')`,
  ],
])("once %s it is not taken back", async (_, happen) => {
  const { ctx, id } = await lead();
  const organizationId = idIn(await make(ctx, id));
  await ctx.db.run(happen(organizationId));
  await send(ctx, id, "undo");
  expect(flash(ctx)).toMatch(/^Too late to undo/);
  expect(await clientOf(ctx, id)).toBe(organizationId);
});

test("only who has made a client takes it back", async () => {
  const { ctx, id } = await lead();
  const organizationId = idIn(await make(ctx, id));
  const { ctx: other } = await administrator();
  await send(other, id, "undo");
  expect(flash(other)).toMatch(/^Too late to undo/);
  expect(await clientOf(ctx, id)).toBe(organizationId);
});

test("the invitation leaves when it cannot be taken back any more", async () => {
  const { base, ctx, id, email } = await lead();
  await make(ctx, id);
  ctx.clock.advance(seconds(30));
  await deliverOutbox(ctx);
  expect(base.sent.filter(({ to }) => to === email)).toHaveLength(1);
});

/** Has a request and a client that was there before it. */
async function leadOfClient(name = "Larkspur Dental") {
  const known = await lead();
  const { id: there } = await makeOrganization(known.base, name);
  known.ctx.clock.advance(seconds(1));
  return { ...known, there, use: () => send(known.ctx, known.id, "use", { organization_id: there }) };
}

test("a request joins a client that exists: its sender is known there, and nobody is invited", async () => {
  const { ctx, id, email, there: organizationId, use } = await leadOfClient();
  const linked = await use();
  expect(idIn(linked)).toBe(organizationId);
  expect(await clientOf(ctx, id)).toBe(organizationId);
  expect(await contactsOf(ctx, organizationId)).toMatchObject([{ email }]);
  expect(await ctx.db.select().from(invitations).where(eq(invitations.email, email))).toEqual([]);
  await send(ctx, id, "undo");
  expect(flash(ctx)).toMatch(/^Taken back/);
  expect(await contactsOf(ctx, organizationId)).toEqual([]);
  expect(await ctx.db.select().from(organizations).where(eq(organizations.id, organizationId))).toHaveLength(1);
});

test("a public form changes neither name nor phone of whom the client is known by", async () => {
  const { base, ctx, id, email, there: organizationId, use } = await leadOfClient();
  const known = { email, fullName: "Dr. Dana Whitfield", phone: "555 0134" };
  await commit(ctx.db, [saveContact(base, organizationId, known)]);
  const knownThere = () => contactsOf(ctx, organizationId);
  const before = await knownThere();
  ctx.clock.advance(seconds(1));
  await use();
  expect(await knownThere()).toEqual(before);
  await send(ctx, id, "undo");
  expect(await knownThere()).toEqual(before);
});

test("who opened a ticket since is still known when the request is taken back from a client", async () => {
  const { base, ctx, id, there: organizationId, use } = await leadOfClient();
  const author = await makePerson(base);
  await use();
  const [contact] = await contactsOf(ctx, organizationId);
  const ticket = await makeTicket(base, { organizationId, createdBy: author });
  await ctx.db.run(sql`UPDATE support_tickets SET contact_id = ${contact?.id} WHERE id = ${ticket.id}`);
  await send(ctx, id, "undo");
  expect(flash(ctx)).toMatch(/^Taken back/);
  expect(await clientOf(ctx, id)).toBeNull();
  expect(await ctx.db.all(sql`SELECT contact_id FROM support_tickets WHERE id = ${ticket.id}`)).toEqual([
    { contact_id: contact?.id },
  ]);
});

test("the way back says that an invitation leaves only where one does", async () => {
  const undoOf = async (ctx: TestContext, made: Response) => (await organizationOf(ctx, idIn(made))).undo;
  const own = await lead();
  expect(await undoOf(own.ctx, await make(own.ctx, own.id))).toMatchObject({ isNew: true });
  const { ctx, use } = await leadOfClient();
  expect(await undoOf(ctx, await use())).toMatchObject({ isNew: false });
});

test("the organization of that very name is offered, however many begin alike", async () => {
  const { base, ctx, id } = await lead({ company: "Alder Grove Zoo" });
  for (const other of ["Bank", "Cafe", "Dental", "Eyes", "Zoo"]) await makeOrganization(base, `Alder Grove ${other}`);
  const { similar } = await pageOf(ctx, id);
  expect(similar[0]).toMatchObject({ name: "Alder Grove Zoo", isSame: true });
});

test("retention keeps a client's first request for as long as there is the client", async () => {
  const { ctx, id } = await lead();
  const organizationId = idIn(await make(ctx, id));
  ctx.clock.advance(days(2_000));
  const run = () =>
    deleteSome(ctx, {
      before: ctx.now() - days(365),
      action: "submission.expired",
      log: () => ctx.db.update(organizations).set({ version: sql`version` }).where(sql`0`),
    });
  await run();
  expect(await clientOf(ctx, id)).toBe(organizationId);
  await ctx.db.delete(organizations).where(eq(organizations.id, organizationId));
  await run();
  expect(await ctx.db.select().from(contactSubmissions).where(eq(contactSubmissions.id, id))).toEqual([]);
});

/** Gives the pending owner of a client their account. */
async function ownerAccepts(base: TestContext, { email, organizationId }: { email: string; organizationId: string }) {
  const person = await makePerson(base, { email });
  await base.db
    .update(organizationMemberships)
    .set({ user_id: person.id, status: "active", invited_email: null })
    .where(eq(organizationMemberships.organization_id, organizationId));
  return person;
}

test("what the owner is called and dialed by goes to their account when they join", async () => {
  const { base, ctx, id, email } = await lead();
  const organizationId = idIn(await make(ctx, id, { owner_phone: "555 0134" }));
  const person = await ownerAccepts(base, { email, organizationId });
  expect(await ctx.db.all(sql`SELECT phone FROM users WHERE id = ${person.id}`)).toEqual([{ phone: "555 0134" }]);
});

test("once the owner has accepted, one ticket for the onboarding is open for them, in the name of who made the client", async () => {
  const { base, ctx, actor, id, email } = await lead();
  const organizationId = idIn(await make(ctx, id));
  const ticketsOf = async () => {
    await openOnboardings(base);
    return ctx.db.select().from(tickets).where(eq(tickets.organization_id, organizationId));
  };
  expect(await ticketsOf()).toEqual([]);
  const person = await ownerAccepts(base, { email, organizationId });
  await ticketsOf();
  expect(await ticketsOf()).toMatchObject([
    {
      ...{ title: "Onboarding", created_by: person.id, opened_by: actor.userId, status: "open", due_at: null },
      description: expect.stringMatching(
        /\[x\] Initial contact\n\[ \] Assessment discussion: .*\n.*\n\[ \] Implementation: /,
      ),
    },
  ]);
});

test("whoever made the client has left: an administrator opens the ticket of the onboarding", async () => {
  const { base, ctx, actor, id, email } = await lead();
  const organizationId = idIn(await make(ctx, id));
  await ownerAccepts(base, { email, organizationId });
  await administrator();
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, actor.userId));
  await openOnboardings(base);
  const opened = await ctx.db.select().from(tickets).where(eq(tickets.organization_id, organizationId));
  expect(opened).toHaveLength(1);
  expect(opened[0]?.opened_by).not.toBe(actor.userId);
});

/** Says on the page of a request that it is not of the organization it is linked to. */
const unlink = (ctx: TestContext, id: string, organization_id: string) =>
  record.send(ctx, `/admin/submissions/${id}`, "submission-unlink", { intent: "unlink", organization_id });

const wordsOn = async (ctx: TestContext, id: string) => {
  const { conversation } = await recordOf(ctx, id);
  return conversation.entries.flatMap((entry) => (entry.kind === "event" ? [entry.words] : []));
};

test("a request that joined the wrong organization leaves it later on: it is in progress again, and its sender unknown there", async () => {
  const { ctx, actor, id, email, there: wrong, use } = await leadOfClient("Wrong Dental");
  await use();
  ctx.clock.advance(days(2));
  expect((await unlink(ctx, id, wrong)).headers.get("Location")).toBe(`/admin/submissions/${id}`);
  expect(flash(ctx)).toMatch(/^Unlinked/);
  expect(await rowOf(ctx, id)).toMatchObject({ status: "contacted", organization_id: null });
  expect(await ctx.db.select().from(contacts).where(eq(contacts.email, email))).toEqual([]);
  expect((await wordsOn(ctx, id)).at(-1)).toBe(`${actor.fullName} unlinked it from a client, and left it Contacted`);
  const audited = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(audited.find(({ action: name }) => name === "submission.client_unlinked")).toMatchObject({
    meta_json: expect.stringContaining("Wrong Dental"),
  });
  // It may become a client still, and is listed there once.
  const right = idIn(await make(ctx, id));
  expect((await organizationOf(ctx, right)).origins.map((origin) => origin.id)).toEqual([id]);
});

test("a client that was made of a request keeps its owner when the request is unlinked", async () => {
  const { ctx, id, email } = await lead();
  const organizationId = idIn(await make(ctx, id));
  ctx.clock.advance(seconds(31));
  await unlink(ctx, id, organizationId);
  expect(await clientOf(ctx, id)).toBeNull();
  expect(await ctx.db.select().from(contacts).where(eq(contacts.email, email))).toHaveLength(1);
});

test("a contact who has written meanwhile stays known where the request was", async () => {
  const { base, ctx, id, email, there, use } = await leadOfClient();
  await use();
  const { id: ticket } = await makeTicket(base, { organizationId: there, createdBy: await makePerson(base) });
  await ctx.db.run(sql`UPDATE support_tickets SET contact_id = (SELECT id FROM contacts WHERE email = ${email})
    WHERE id = ${ticket}`);
  await unlink(ctx, id, there);
  expect(await ctx.db.select().from(contacts).where(eq(contacts.email, email))).toHaveLength(1);
});

test("a contact whom staff have invited there, or given a further address, stays known when the request is unlinked", async () => {
  const { base, ctx, id, email, there, use } = await leadOfClient();
  await use();
  await makeInvitedMember(base, there, { email });
  await unlink(ctx, id, there);
  const known = () => ctx.db.select().from(contacts).where(eq(contacts.email, email));
  expect(await known()).toHaveLength(1);
  await ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.invited_email, email));
  await ctx.db.delete(contacts).where(eq(contacts.email, email));
  ctx.clock.advance(seconds(1));
  await use();
  const [contact] = await known();
  const address = { email: `private.${email}`, contact_id: contact?.id, added_by: "Avery", added_at: ctx.now() };
  await ctx.db.insert(otherAddresses).values(address);
  await unlink(ctx, id, there);
  expect(await known()).toHaveLength(1);
});

test("a request that a colleague has linked elsewhere meanwhile stays where it is, and so does one on legal hold", async () => {
  const { base, ctx, id } = await lead();
  const { id: seen } = await makeOrganization(base);
  const { id: elsewhere } = await makeOrganization(base);
  await send(ctx, id, "use", { organization_id: elsewhere });
  await unlink(ctx, id, seen);
  expect(flash(ctx)).toMatch(/changed/i);
  await ctx.db.run(sql`INSERT INTO legal_holds(id, subject_type, subject_id, reason, placed_by_name, placed_at)
    VALUES ('hold_' || ${elsewhere}, 'organization', ${elsewhere}, 'x', 'x', 1)`);
  await unlink(ctx, id, elsewhere);
  expect(flash(ctx)).toMatch(/legal hold/);
  expect(await clientOf(ctx, id)).toBe(elsewhere);
});

test("technicians, who may link none, unlink none", async () => {
  const { ctx, id, there, use } = await leadOfClient();
  await use();
  const { ctx: technician } = await staffMember("moderator");
  expect((await thrownBy(unlink(technician, id, there))).status).toBe(403);
  expect((await recordOf(technician, id)).tokens.unlink).toBeNull();
  expect(await clientOf(ctx, id)).toBe(there);
});
