import { expect, test } from "vitest";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as profile } from "~/routes/_account.profile._index";
import { action as newOrganization } from "~/routes/_admin.admin.organizations.new";
import { action as submissionList } from "~/routes/_admin.admin.submissions._index";
import { action as submission } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as ticketList } from "~/routes/_admin.admin.tickets._index";
import { action as ticket } from "~/routes/_admin.admin.tickets.$ticket";
import { action as userList } from "~/routes/_admin.admin.users._index";
import { action as newUser } from "~/routes/_admin.admin.users.new";
import { action as invite } from "~/routes/_portal.client.team.invite";
import { action as clientTicket } from "~/routes/_portal.client.tickets.$ticket";
import { action as newTicket } from "~/routes/_portal.client.tickets.new";
import { flash } from "../support/admin-area";
import { clientTeam } from "../support/client-team";
import { derive, type TestContext } from "../support/context";
import { as, makePerson, makeSubmission } from "../support/factories";
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
  const fetched = await send(broken(ctx), `${path}?_data=routes`);
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
        action: ticket,
        path: `/admin/tickets/${ref}`,
        params: { ticket: ref },
        purpose: "ticket-reply",
        fields: { intent: "reply", body: "We look into it", begun_at_message: "" },
      },
    ],
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

test("whatever the database does not take is answered in the words of its form, and may be sent again as it is", async () => {
  for (const [sentence, ctx, sent] of await worldOfForms()) {
    expect(await sendTwice(ctx, sent), sentence).toMatchObject({
      status: 503,
      page: expect.stringContaining(sentence),
      again: true,
      fetched: [503, { notSaved: sentence }],
    });
  }
});
