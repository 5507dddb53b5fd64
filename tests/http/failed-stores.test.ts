import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { letters } from "~/db/schema/letters";
import { gatherLetterMetrics } from "~/features/letters/draft-letters.server";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { planNamesOf } from "~/features/settings/model";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as profile } from "~/routes/_account.profile._index";
import { action as cannedReply } from "~/routes/_admin.admin.canned-replies.$reply";
import { action as letter } from "~/routes/_admin.admin.letters.$letterId";
import { action as mail } from "~/routes/_admin.admin.mail.$mailId";
import { action as newOrganization } from "~/routes/_admin.admin.organizations.new";
import { action as privacy } from "~/routes/_admin.admin.privacy._index";
import { action as settings } from "~/routes/_admin.admin.settings";
import { action as submissionList } from "~/routes/_admin.admin.submissions._index";
import { action as submission } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as ticketList } from "~/routes/_admin.admin.tickets._index";
import { action as ticket } from "~/routes/_admin.admin.tickets.$ticket";
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
import { flash } from "../support/admin-area";
import { clientTeam } from "../support/client-team";
import { derive, type TestContext } from "../support/context";
import { as, makePerson, makeSubmission } from "../support/factories";
import { mailIn } from "../support/inbound-mail";
import { args, post } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

type Action = (given: ReturnType<typeof args>) => Promise<Response>;

const broken = (ctx: TestContext): TestContext =>
  derive(ctx, {
    db: { ...ctx.db, batch: () => Promise.reject(new Error("D1 is down")) },
    form: { isRejected: false },
    log: () => undefined,
  });

type Sent = { action: unknown; path: string; params?: Record<string, string>; purpose: string; fields: object };

/** Sends a form while the database takes nothing: as a page without scripts does, and as a hydrated one. */
async function sendTwice(ctx: TestContext, { action, path, params = {}, purpose, fields }: Sent) {
  const send = async (on: TestContext, address: string) => {
    const request = post(address, { form_token: token, ...fields } as Record<string, string>);
    return (action as Action)(args(on, request, params));
  };
  const token = issueFormToken(ctx, purpose);
  const failing = broken(ctx);
  const shown = await send(failing, path);
  const page = shown.status === 303 ? flash(ctx) : JSON.stringify(await shown.json());
  const again = issueFormToken(failing, purpose) === token;
  const fetched = await send(broken(ctx), `${path}${path.includes("?") ? "&" : "?"}_data=routes`);
  return { status: shown.status, page, again, fetched: [fetched.status, await fetched.json()] };
}

const rowOf = (id: string) => ({ save: `0.${id}` });

async function worldOfForms(): Promise<[string, TestContext, Sent][]> {
  const { base, here, dana } = await ticketWorld();
  const admin = as(base, await makePerson(base, { role: "admin", withPassword: true, withTotp: true }));
  const team = await clientTeam();
  const client = await team.requestOf(team.owner);
  const theirs = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  const person = await makePerson(base);
  const { id: submissionId } = await makeSubmission(base);
  const { id: ticketId, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const ref = `T-${number}`;
  const own = `T-${theirs.number}`;
  const submissionPath = `/admin/submissions/${submissionId}`;
  const inTeam = { organization_id: team.organization.id };
  const users = { action: userList, path: "/admin/users", purpose: "user-list" };
  const submissions = { action: submissionList, path: "/admin/submissions", purpose: "submission-list" };
  const tickets = { action: ticketList, path: "/admin/tickets", purpose: "ticket-list" };
  const record = { action: submission, path: submissionPath, params: { submissionId } };
  const ticketPage = { action: ticket, path: `/admin/tickets/${ref}`, params: { ticket: ref } };
  const handling = { ...ticketPage, purpose: "ticket-handling" };
  const values = { status: "open", assignee_id: "", category: "" };
  const had = { intent: "handling", had_status: "open", had_assignee_id: "", had_category: "", ...values };
  const newcomer = { action: newUser, path: "/admin/users/new", purpose: "user-new" };
  const account = { action: profile, path: "/profile", purpose: "account" };
  const names = { full_name: "Another Name", email: admin.signedIn?.email ?? "" };
  return [
    [
      "Failed to update submission status",
      admin,
      { ...submissions, fields: { intent: "status", ...rowOf(submissionId), status: "contacted" } },
    ],
    [
      "Failed to add note",
      admin,
      { ...record, purpose: "submission-note", fields: { intent: "note", note: "Called" } },
    ],
    [
      "Failed to update user role",
      admin,
      { ...users, fields: { intent: "role", ...rowOf(person.id), role: "moderator" } },
    ],
    [
      "Failed to invite user. Please try again.",
      admin,
      { ...newcomer, fields: { intent: "invite", email: "new@clinic.example", full_name: "New" } },
    ],
    [
      "Failed to create organization",
      admin,
      {
        action: newOrganization,
        path: "/admin/organizations/new",
        purpose: "organization-new",
        fields: { name: "Oak", plan: "core" },
      },
    ],
    [
      "Failed to assign ticket",
      admin,
      { ...tickets, fields: { intent: "assign", ...rowOf(ticketId), assignee_id: admin.signedIn?.userId ?? "" } },
    ],
    [
      "Failed to update ticket status",
      admin,
      { ...tickets, fields: { intent: "status", ...rowOf(ticketId), status: "in_progress" } },
    ],
    [
      "Failed to add message",
      admin,
      {
        ...ticketPage,
        purpose: "ticket-reply",
        fields: { intent: "reply", body: "We look into it", begun_at_message: "" },
      },
    ],
    ["Failed to update ticket status", admin, { ...handling, fields: { ...had, status: "in_progress" } }],
    ["Failed to assign ticket", admin, { ...handling, fields: { ...had, assignee_id: admin.signedIn?.userId ?? "" } }],
    ["Failed to update the ticket", admin, { ...handling, fields: { ...had, category: "Billing" } }],
    [
      "Failed to add message",
      client,
      {
        action: clientTicket,
        path: `/client/tickets/${own}`,
        params: { ticket: own },
        purpose: REPLY_PURPOSE,
        fields: { intent: "reply", body: "Still broken", ...inTeam },
      },
    ],
    [
      "Failed to create ticket",
      client,
      {
        action: newTicket,
        path: "/client/tickets/new",
        purpose: NEW_TICKET_PURPOSE,
        fields: {
          title: "No dial tone",
          description: "Since nine",
          priority: "low",
          category: "",
          impact: "",
          ...inTeam,
        },
      },
    ],
    [
      "Failed to invite member",
      client,
      {
        action: invite,
        path: "/client/team/invite",
        purpose: "team-invite",
        fields: { emails: "new@clinic.example", role: "member", ...inTeam },
      },
    ],
    ["Failed to update profile", admin, { ...account, fields: { intent: "details", ...names } }],
  ];
}

/** Letters, saved replies, mail and the forms of the settings and of single tickets. */
async function worldOfRecords(): Promise<[string, TestContext, Sent][]> {
  const { base, here, dana } = await ticketWorld();
  const admin = as(base, await makePerson(base, { role: "admin", withPassword: true, withTotp: true }));
  const team = await clientTeam();
  const client = await team.requestOf(team.owner);
  const { id: ticketId } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const held = await mailIn(base, {
    from: '"Stella" <stella@elsewhere.example>',
    to: "support@mail.wrenfield.example",
  });
  const letterId = base.newId("ltr");
  const facts = await gatherLetterMetrics(
    base.db,
    { ...here, number: 1, name: "Oak", plan: "core", contractStartedAt: null, people: 1, withoutSecondFactor: 0 },
    { month: "2026-10", zone: "America/Chicago", planNames: planNamesOf(plans) },
  );
  await base.db.insert(letters).values({
    ...{ id: letterId, organization_id: here.id, month: "2026-10", status: "draft" },
    ...{ facts_json: JSON.stringify(facts), words_json: "{}", created_at: base.now(), updated_at: base.now() },
  });
  const inTeam = { organization_id: team.organization.id };
  const [{ id: replyId } = { id: "" }] = await base.db.all<{ id: string }>(sql`SELECT id FROM canned_replies LIMIT 1`);
  const drafts = { action: letter, path: `/admin/letters/${letterId}`, params: { letterId }, purpose: "letter" };
  const words = { sentence_1: "A calm month.", version: "1" };
  const mails = { action: mail, path: `/admin/mail/${held.id}`, params: { mailId: held.id } };
  const mailSetup = "/admin/settings?tab=general&part=mail-setup";
  const ofTicket = { params: { ticket: ticketId } };
  const texts = { title: "Hello", message: "Good morning.", category: "", status: "" };
  return [
    ["Failed to save the letter", admin, { ...drafts, fields: { intent: "save", ...words } }],
    ["Failed to release the letter", admin, { ...drafts, fields: { intent: "release", ...words } }],
    [
      "Failed to save the reply",
      admin,
      {
        action: cannedReply,
        path: "/admin/canned-replies/new",
        params: { reply: "new" },
        purpose: "canned-reply",
        fields: { intent: "save", ...texts },
      },
    ],
    [
      "Failed to delete the reply",
      admin,
      {
        action: cannedReply,
        path: `/admin/canned-replies/${replyId}`,
        params: { reply: replyId },
        purpose: "canned-reply-delete",
        fields: { intent: "delete" },
      },
    ],
    [
      "Failed to update the mail",
      admin,
      { ...mails, purpose: "mail-place", fields: { intent: "new_ticket", organization_id: here.id } },
    ],
    [
      "Failed to send the test mail",
      admin,
      { action: settings, path: mailSetup, purpose: "mail-setup", fields: { intent: "test_out", to: "" } },
    ],
    [
      "Failed to update the ticket",
      admin,
      {
        ...ofTicket,
        action: ticketCopies,
        path: `/admin/tickets/copies/${ticketId}`,
        purpose: "ticket-copies",
        fields: { intent: "add_copy", email: "boss@elsewhere.example" },
      },
    ],
    [
      "Failed to update the ticket",
      admin,
      {
        ...ofTicket,
        action: moveTicket,
        path: `/admin/tickets/move/${ticketId}`,
        purpose: "ticket-organization",
        fields: { organization_id: team.organization.id },
      },
    ],
    [
      "Failed to place the hold",
      admin,
      {
        action: privacy,
        path: "/admin/privacy",
        purpose: "privacy-hold",
        fields: { intent: "hold", subject: dana.email, reason: "A court asks for it" },
      },
    ],
    [
      "Failed to update organization",
      client,
      {
        action: organization,
        path: "/client/organization",
        purpose: "organization-settings",
        fields: {
          intent: "save",
          ...{ name: "Elm", description: "", visibility: "all", default_role: "member", version: "1" },
          ...inTeam,
        },
      },
    ],
  ];
}

test("whatever the database does not take is answered in the words of its form, and may be sent again as it is", async () => {
  for (const [sentence, ctx, sent] of [...(await worldOfForms()), ...(await worldOfRecords())]) {
    expect(await sendTwice(ctx, sent), sentence).toMatchObject({
      status: 503,
      page: expect.stringContaining(sentence),
      again: true,
      fetched: [503, { notSaved: sentence }],
    });
  }
});

test("a button whose page has no place for it goes back to the page, which says what failed", async () => {
  const { base } = await ticketWorld();
  const ctx = as(base, await makePerson(base, { role: "admin", withPassword: true, withTotp: true }));
  const { id: mailId } = await mailIn(base, { from: "stella@elsewhere.example", to: "support@mail.wrenfield.example" });
  const mails = { action: mail, path: `/admin/mail/${mailId}`, params: { mailId } };
  const buttons: [string, Sent][] = [
    [
      "Sign Out Failed: You are not signed out yet. Please try again.",
      { action: signOut, path: "/logout", purpose: "sign-out", fields: {} },
    ],
    ["Error: Failed to update the mail", { ...mails, purpose: "mail-retry", fields: { intent: "retry" } }],
    ["Error: Failed to update the mail", { ...mails, purpose: "mail-block", fields: { intent: "block" } }],
    [
      "Error: Failed to save the view",
      {
        action: views,
        path: "/admin/views",
        purpose: "saved-view",
        fields: { intent: "save", name: "Mine", list: "tickets", query: "status=open" },
      },
    ],
  ];
  for (const [words, sent] of buttons) {
    const { status, page, fetched } = await sendTwice(ctx, sent);
    expect([status, page, fetched], sent.path).toEqual([
      303,
      words,
      [503, { notSaved: words.slice(words.indexOf(": ") + 2) }],
    ]);
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
