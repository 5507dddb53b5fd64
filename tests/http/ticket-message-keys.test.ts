import { expect, test } from "vitest";
import { ticketDrafts } from "~/db/schema/tickets";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as asStaff } from "~/routes/_admin.admin.tickets.$ticket";
import { action as asClient } from "~/routes/_portal.client.tickets.$ticket";
import { clientTeam } from "../support/client-team";
import { args, post } from "../support/requests";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../support/tickets";

test.each([
  ["reply", "ticket-reply"],
  ["note", "ticket-note"],
])("a %s of staff sent with the token of another ticket's form is written, and twice the same is not", async (intent, purpose) => {
  const { base, staff, sam, dana, here } = await ticketWorld();
  const { ctx } = staff(sam);
  const form_token = issueFormToken(ctx, purpose);
  for (let count = 0; count < 2; count += 1) {
    const { id, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
    const body = `About T-${number}`;
    for (let time = 0; time < 2; time += 1) {
      const fields = { intent, form_token, body, begun_at_message: "0" };
      const sent = await asStaff(args(ctx, post(`/admin/tickets/T-${number}`, fields), { ticket: `T-${number}` }));
      expect(sent.status).toBe(303);
    }
    expect(await textsOf(base, id)).toEqual([body]);
  }
});

test("a client's text sent with the token of another ticket's form is written, and twice the same is not", async () => {
  const team = await clientTeam();
  const ctx = await team.requestOf(team.owner);
  const form_token = issueFormToken(ctx, "ticket-reply");
  const organization_id = team.organization.id;
  for (let count = 0; count < 2; count += 1) {
    const { id, number } = await makeTicket(team.ctx, { organizationId: organization_id, createdBy: team.owner });
    const fields = { intent: "reply", form_token, organization_id, body: `About T-${number}`, begun_at_message: "0" };
    const send = () => asClient(args(ctx, post(`/client/tickets/T-${number}`, fields), { ticket: `T-${number}` }));
    expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
    expect(await textsOf(team.ctx, id)).toEqual([fields.body]);
  }
});

test("what a client went on writing after the answer to the first post was lost is written too, and is no draft", async () => {
  const team = await clientTeam();
  const ctx = await team.requestOf(team.owner);
  const { id, number } = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  const params = { ticket: `T-${number}` };
  const shared = { form_token: issueFormToken(ctx, "ticket-reply"), organization_id: team.organization.id };
  const send = (intent: string, body: string) =>
    asClient(args(ctx, post(`/client/tickets/T-${number}`, { ...shared, intent, body }), params));
  for (const body of ["It blinks.", "It blinks. And it beeps.", "It blinks. And it beeps."]) {
    expect((await send("reply", body)).status).toBe(303);
  }
  expect((await textsOf(team.ctx, id)).toSorted()).toEqual(["It blinks.", "It blinks. And it beeps."]);
  await send("autosave", "It bli");
  expect(await team.ctx.db.select().from(ticketDrafts)).toEqual([]);
});

test("what staff went on writing after the answer to the first post was lost is written too", async () => {
  const { base, staff, sam, dana, here } = await ticketWorld();
  const { ctx } = staff(sam);
  const { id, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const form_token = issueFormToken(ctx, "ticket-reply");
  for (const body of ["Replaced.", "Replaced. Try again.", "Replaced. Try again."]) {
    const fields = { intent: "reply", form_token, body, begun_at_message: "0" };
    const sent = await asStaff(args(ctx, post(`/admin/tickets/T-${number}`, fields), { ticket: `T-${number}` }));
    expect(sent.status).toBe(303);
  }
  expect((await textsOf(base, id)).toSorted()).toEqual(["Replaced.", "Replaced. Try again."]);
});

/** Returns a ticket, and a function that presses a button of its reply, always with the same token. */
async function withOneToken() {
  const { base, staff, sam, dana, here, client } = await ticketWorld();
  const { ctx } = staff(sam);
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const path = `/admin/tickets/T-${ticket.number}`;
  const form_token = issueFormToken(ctx, "ticket-reply");
  const press = async (intent: string, fields: Record<string, string> = {}) => {
    const form = { intent, form_token, body: "Please restart it.", begun_at_message: "0", ...fields };
    return (await asStaff(args(ctx, post(path, form), { ticket: `T-${ticket.number}` }))).status;
  };
  const drafts = async () => (await base.db.select().from(ticketDrafts)).map(({ message }) => message);
  return { base, ticket, press, drafts, theirs: client(dana) };
}

test.each([
  ["reply_wait", "waiting_for_customer", {}],
  ["reply_resolve", "resolved", { what_was_done: "Replaced the cable." }],
])("where a sent message's answer was lost, another button does the rest and sends it no second time (%s)", async (intent, status, fields: Record<
  string,
  string
>) => {
  const { base, ticket, press } = await withOneToken();
  expect(await press("reply")).toBe(303);
  for (let time = 0; time < 2; time += 1) {
    expect(await press(intent, fields)).toBe(303);
    expect(await ticketRow(base, ticket.id)).toMatchObject({ status });
  }
  expect(await textsOf(base, ticket.id)).toEqual(["Please restart it."]);
  expect(await historyOf(base, ticket.id)).toEqual([["status", "open", status, "Sam Lee"]]);
});

test("a reply that waits for the client, and arrives again after their answer, leaves the ticket open", async () => {
  const { base, ticket, press, theirs } = await withOneToken();
  await press("reply_wait");
  await replyAsClient(theirs.ctx, theirs.actor, { ticketId: ticket.id, text: "Done.", nonce: "theirs" });
  expect(await press("reply_wait")).toBe(303);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "open" });
  expect((await textsOf(base, ticket.id)).toSorted()).toEqual(["Done.", "Please restart it."]);
});

test("what staff go on writing after the answer to a reply was lost is kept by itself; what was sent is not", async () => {
  const { press, drafts } = await withOneToken();
  await press("reply");
  for (const body of ["Please restart it.", "Please restart", "Please restart it.\r\n "])
    await press("autosave", { body });
  expect(await drafts()).toEqual([]);
  for (const body of ["Please restart it. Then call", "Call me instead."]) {
    await press("autosave", { body });
    expect(await drafts()).toEqual([body]);
  }
  await press("autosave", { body: "", what_was_done: "Replaced the" });
  expect(await drafts()).toEqual([""]);
  await press("reply", { body: "Call me instead." });
  await press("autosave", { body: "Call me instead." });
  expect(await drafts()).toEqual([]);
});
