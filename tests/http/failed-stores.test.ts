import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { letters } from "~/db/schema/letters";
import { gatherLetterMetrics } from "~/features/letters/draft-letters.server";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { planNamesOf } from "~/features/settings/model";
import { countSubmissions } from "~/features/submissions/queries.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { livePublisher } from "~/live/publish.server";
import { r2Files } from "~/platform/files.server";
import { issueFormToken } from "~/platform/form-token.server";
import { publishedSettingsReader } from "~/platform/published-settings.server";
import { action as profile } from "~/routes/_account.profile._index";
import { action as cannedReply } from "~/routes/_admin.admin.canned-replies.$reply";
import { action as letter } from "~/routes/_admin.admin.letters.$letterId";
import { action as mail } from "~/routes/_admin.admin.mail.$mailId";
import { action as newOrganization } from "~/routes/_admin.admin.organizations.new";
import { action as privacy, loader as privacyPage } from "~/routes/_admin.admin.privacy._index";
import { action as settings } from "~/routes/_admin.admin.settings";
import { action as submissionList } from "~/routes/_admin.admin.submissions._index";
import { action as submission } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as ticketList } from "~/routes/_admin.admin.tickets._index";
import { loader as staffTicketPage, action as ticket } from "~/routes/_admin.admin.tickets.$ticket";
import { action as ticketCopies } from "~/routes/_admin.admin.tickets.copies.$ticket";
import { action as moveTicket } from "~/routes/_admin.admin.tickets.move.$ticket";
import { action as userList } from "~/routes/_admin.admin.users._index";
import { action as newUser } from "~/routes/_admin.admin.users.new";
import { action as views } from "~/routes/_admin.admin.views";
import { action as organization } from "~/routes/_portal.client.organization._index";
import { action as invite } from "~/routes/_portal.client.team.invite";
import { action as clientTicket } from "~/routes/_portal.client.tickets.$ticket";
import { action as newTicket } from "~/routes/_portal.client.tickets.new";
import { action as signOut } from "~/routes/logout";
import { flash, staffMember } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { NEW_TICKET } from "../support/client-tickets";
import { sendContact } from "../support/contact-posts";
import { bindings, derive, type TestContext, testContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makePerson, makeSubmission } from "../support/factories";
import { mailIn } from "../support/inbound-mail";
import { args, get, post } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

type Action = (given: ReturnType<typeof args>) => Promise<Response>;

const broken = (ctx: TestContext): TestContext =>
  derive(ctx, {
    db: { ...ctx.db, batch: () => Promise.reject(new Error("D1 is down")) },
    form: { isRejected: false },
    log: () => undefined,
  });

type Page = { ctx: TestContext; action: unknown; path: string; params?: Record<string, string>; purpose: string };

/** Sends a form while the database takes nothing: as a page without scripts does, and as a hydrated one. */
async function sendTwice({ ctx, action, path, params = {}, purpose }: Page, fields: Record<string, string>) {
  const send = async (on: TestContext, address: string) =>
    (action as Action)(args(on, post(address, { form_token: token, ...fields }), params));
  const token = issueFormToken(ctx, purpose);
  const failing = broken(ctx);
  const shown = await send(failing, path);
  const page = shown.status === 303 ? flash(ctx) : JSON.stringify(await shown.json());
  const again = issueFormToken(failing, purpose) === token;
  const fetched = await send(broken(ctx), `${path}${path.includes("?") ? "&" : "?"}_data=routes`);
  return { status: shown.status, page, again, fetched: [fetched.status, await fetched.json()] };
}

const heldMail = (ctx: TestContext) =>
  mailIn(ctx, { from: '"Stella" <stella@elsewhere.example>', to: "support@mail.wrenfield.example" });

/** Stores the draft of a letter. */
async function makeDraft(ctx: TestContext, organization: { id: string }): Promise<string> {
  const facts = await gatherLetterMetrics(
    ctx.db,
    {
      ...organization,
      number: 1,
      name: "Oak",
      plan: "core",
      contractStartedAt: null,
      people: 1,
      withoutSecondFactor: 0,
    },
    { month: "2026-10", zone: "America/Chicago", planNames: planNamesOf(plans) },
  );
  const id = ctx.newId("ltr");
  await ctx.db.insert(letters).values({
    ...{ id, organization_id: organization.id, month: "2026-10", status: "draft" },
    ...{ facts_json: JSON.stringify(facts), words_json: "{}", created_at: ctx.now(), updated_at: ctx.now() },
  });
  return id;
}

async function administrator(base: TestContext) {
  const ctx = as(base, await makePerson(base, { role: "admin", withPassword: true, withTotp: true }));
  const pageOf = (action: unknown, path: string, purpose: string, params = {}): Page => ({
    ...{ ctx, action, path, purpose, params },
  });
  return { ctx, pageOf, userId: ctx.signedIn?.userId ?? "", email: ctx.signedIn?.email ?? "" };
}

type Form = [sentence: string, page: Page, fields: Record<string, string>];

async function formsOfStaff(organizationId: string): Promise<Form[]> {
  const { base, here, dana } = await ticketWorld();
  const { pageOf, userId, email } = await administrator(base);
  const person = await makePerson(base);
  const { id: submissionId } = await makeSubmission(base);
  const { id: ticketId, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { id: mailId } = await heldMail(base);
  const letterId = await makeDraft(base, here);
  const [{ id: replyId } = { id: "" }] = await base.db.all<{ id: string }>(sql`SELECT id FROM canned_replies LIMIT 1`);

  const users = pageOf(userList, "/admin/users", "user-list");
  const newcomer = pageOf(newUser, "/admin/users/new", "user-new");
  const submissions = pageOf(submissionList, "/admin/submissions", "submission-list");
  const record = pageOf(submission, `/admin/submissions/${submissionId}`, "submission-note", { submissionId });
  const tickets = pageOf(ticketList, "/admin/tickets", "ticket-list");
  const ticketPage = (purpose: string) =>
    pageOf(ticket, `/admin/tickets/T-${number}`, purpose, { ticket: `T-${number}` });
  const properties = ticketPage("ticket-handling");
  const copies = pageOf(ticketCopies, `/admin/tickets/copies/${ticketId}`, "ticket-copies", { ticket: ticketId });
  const move = pageOf(moveTicket, `/admin/tickets/move/${ticketId}`, "ticket-organization", { ticket: ticketId });
  const organizations = pageOf(newOrganization, "/admin/organizations/new", "organization-new");
  const draft = pageOf(letter, `/admin/letters/${letterId}`, "letter", { letterId });
  const newReply = pageOf(cannedReply, "/admin/canned-replies/new", "canned-reply", { reply: "new" });
  const oldReply = pageOf(cannedReply, `/admin/canned-replies/${replyId}`, "canned-reply-delete", { reply: replyId });
  const heldMails = pageOf(mail, `/admin/mail/${mailId}`, "mail-place", { mailId });
  const mailSetup = pageOf(settings, "/admin/settings?tab=general&part=mail-setup", "mail-setup");
  const holds = pageOf(privacy, "/admin/privacy", "privacy-hold");
  const account = pageOf(profile, "/profile", "account");

  const row = (id: string) => ({ save: `0.${id}` });
  const values = { status: "open", assignee_id: "", category: "" };
  const shown = { intent: "handling", had_status: "open", had_assignee_id: "", had_category: "", ...values };
  const words = { sentence_1: "A calm month.", version: "1" };
  const texts = { title: "Hello", message: "Good morning.", category: "", status: "" };
  return [
    [
      "Failed to update submission status",
      submissions,
      { intent: "status", ...row(submissionId), status: "contacted" },
    ],
    ["Failed to add note", record, { intent: "note", note: "Called" }],
    ["Failed to update user role", users, { intent: "role", ...row(person.id), role: "moderator" }],
    [
      "Failed to invite user. Please try again.",
      newcomer,
      { intent: "invite", email: "new@clinic.example", full_name: "New" },
    ],
    ["Failed to create organization", organizations, { name: "Oak", plan: "core" }],
    ["Failed to assign ticket", tickets, { intent: "assign", ...row(ticketId), assignee_id: userId }],
    ["Failed to update ticket status", tickets, { intent: "status", ...row(ticketId), status: "in_progress" }],
    ["Failed to add message", ticketPage("ticket-reply"), { intent: "reply", body: "We look", begun_at_message: "" }],
    ["Failed to update ticket status", properties, { ...shown, status: "in_progress" }],
    ["Failed to assign ticket", properties, { ...shown, assignee_id: userId }],
    ["Failed to update the ticket", properties, { ...shown, category: "Billing" }],
    ["Failed to update the ticket", copies, { intent: "add_copy", email: "boss@elsewhere.example" }],
    ["Failed to update the ticket", move, { organization_id: organizationId }],
    ["Failed to save the letter", draft, { intent: "save", ...words }],
    ["Failed to release the letter", draft, { intent: "release", ...words }],
    ["Failed to save the reply", newReply, { intent: "save", ...texts }],
    ["Failed to delete the reply", oldReply, { intent: "delete" }],
    ["Failed to update the mail", heldMails, { intent: "new_ticket", organization_id: here.id }],
    ["Failed to send the test mail", mailSetup, { intent: "test_out", to: "" }],
    ["Failed to place the hold", holds, { intent: "hold", subject: dana.email, reason: "A court asks for it" }],
    ["Failed to update profile", account, { intent: "details", full_name: "Another Name", email }],
  ];
}

async function formsOfClients(team: ClientTeam): Promise<Form[]> {
  const ctx = await team.requestOf(team.owner);
  const { number } = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  const params = { ticket: `T-${number}` };
  const page = { ctx, action: clientTicket, path: `/client/tickets/T-${number}`, params, purpose: REPLY_PURPOSE };
  const opening = { ctx, action: newTicket, path: "/client/tickets/new", purpose: NEW_TICKET_PURPOSE };
  const invitation = { ctx, action: invite, path: "/client/team/invite", purpose: "team-invite" };
  const settings = { ctx, action: organization, path: "/client/organization", purpose: "organization-settings" };
  const shown = { name: "Elm", description: "", visibility: "all", default_role: "member", version: "1" };
  const forms: Form[] = [
    ["Failed to add message", page, { intent: "reply", body: "Still broken" }],
    ["Failed to create ticket", opening, { ...NEW_TICKET, impact: "" }],
    ["Failed to invite member", invitation, { emails: "new@clinic.example", role: "member" }],
    ["Failed to update organization", settings, { intent: "save", ...shown }],
  ];
  return forms.map(([sentence, on, fields]) => [sentence, on, { ...fields, organization_id: team.organization.id }]);
}

test("whatever the database does not take is answered in the words of its form, and may be sent again as it is", async () => {
  const team = await clientTeam();
  const forms = [...(await formsOfStaff(team.organization.id)), ...(await formsOfClients(team))];
  for (const [sentence, page, fields] of forms) {
    expect(await sendTwice(page, fields), sentence).toMatchObject({
      status: 503,
      page: expect.stringContaining(sentence),
      again: true,
      fetched: [503, { notSaved: sentence }],
    });
  }
});

test("a button whose page has no place for it goes back to the page, which says what failed", async () => {
  const { base } = await ticketWorld();
  const { pageOf } = await administrator(base);
  const { id: mailId } = await heldMail(base);
  const mailPage = (purpose: string) => pageOf(mail, `/admin/mail/${mailId}`, purpose, { mailId });
  const view = { intent: "save", name: "Mine", list: "tickets", query: "status=open" };
  const buttons: Form[] = [
    ["Sign Out Failed: You are not signed out yet. Please try again.", pageOf(signOut, "/logout", "sign-out"), {}],
    ["Error: Failed to update the mail", mailPage("mail-retry"), { intent: "retry" }],
    ["Error: Failed to update the mail", mailPage("mail-block"), { intent: "block" }],
    ["Error: Failed to save the view", pageOf(views, "/admin/views", "saved-view"), view],
  ];
  for (const [words, on, fields] of buttons) {
    const { status, page, fetched } = await sendTwice(on, fields);
    const notSaved = words.slice(words.indexOf(": ") + 2);
    expect([status, page, fetched], on.path).toEqual([303, words, [503, { notSaved }]]);
  }
});

test("a form without a page of its own ends in the page of an outage, not in one that blames the form", async () => {
  const { base, here, dana } = await ticketWorld();
  const admin = as(base, await makePerson(base, { role: "admin" }));
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const path = `/admin/tickets/copies/${id}`;
  const send = (on: TestContext, fields: Record<string, string>) =>
    ticketCopies(
      args(on, post(path, { form_token: issueFormToken(admin, "ticket-copies"), ...fields }), { ticket: id }),
    );
  expect((await send(admin, { intent: "add_copy", email: "boss@elsewhere.example" })).status).toBe(303);
  const [copy] = await base.db.all<{ id: string }>(sql`SELECT id FROM ticket_copies`);
  const removed = send(broken(admin), { intent: "remove_copy", copy: copy?.id ?? "" });
  await expect(removed).rejects.toThrow("D1 is down");
});

/** Makes a binding that is missing: reading anything of it throws, as `undefined` does in the runtime. */
const missing = undefined as never;

test.each([
  ["the live hub", { live: livePublisher(missing) }],
  ["KV", { kv: missing, publishedSettings: publishedSettingsReader(missing, () => 0) }],
  ["the file store", { files: r2Files(missing) }],
] as const)("without %s a submission is still stored, answered and mailed", async (_, part) => {
  const ctx = testContext(part);
  const before = await countSubmissions(ctx.db);
  expect((await sendContact(ctx)).status).toBe(303);
  expect((await countSubmissions(ctx.db)).all).toBe(before.all + 1);
  await ctx.settle();
  expect(ctx.sent).toHaveLength(2);
});

test("without the file store a submission with a file is rejected as an outage, and nothing of it is stored", async () => {
  const ctx = testContext({ files: r2Files(missing) });
  const before = await countSubmissions(ctx.db);
  const response = await sendContact(ctx, { file: { name: "plan.pdf", bytes: pdf() } });
  expect(response.status).toBe(503);
  expect(await countSubmissions(ctx.db)).toEqual(before);
  expect((await bindings.FILES.list({ prefix: "att/" })).objects).toEqual([]);
});

test("a mail provider that never answers holds up nobody's answer", async () => {
  const ctx = testContext();
  ctx.mailer.send = () => new Promise(() => undefined);
  const answered = await sendContact(ctx);
  expect(answered.status).toBe(303);
});

test.each([
  ["a ticket", staffTicketPage, { ticket: "T-1001" }, "Failed to fetch ticket messages"],
  ["privacy", privacyPage, {}, "Failed to load privacy"],
] as const)("while the database does not answer, the page of %s says what it could not read, and when to try again", async (_, loader, params, title) => {
  const { ctx } = await staffMember();
  const away = () => Promise.reject(new Error("D1_ERROR: overloaded"));
  const db = new Proxy(ctx.db, { get: (whole, key) => (key === "all" ? away : Reflect.get(whole, key)) });
  const asked = args(derive(ctx, { db, log: () => undefined }), get("/admin"), params);
  const failed = (await (loader as typeof privacyPage)(asked).catch((thrown: unknown) => thrown)) as Response;
  expect([failed.status, failed.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await failed.json()).toMatchObject({ title });
});
