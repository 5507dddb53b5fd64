import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { ticketDrafts, tickets } from "~/db/schema/tickets";
import { changeStatus } from "~/features/tickets/commands.server";
import type { TicketFormError } from "~/features/tickets/record/actions.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { fail } from "~/lib/result";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.tickets.$ticket";
import { args, post } from "../support/requests";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../support/tickets";

/** Holds a ticket that Avery has resolved while Sam was writing, a day ago. */
async function resolvedMeanwhile() {
  const world = await ticketWorld();
  const { base, here, dana, avery, sam, staff } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const resolve = (text: string) => {
    const { ctx, actor } = staff(avery);
    const reply = { ticketId: ticket.id, text, effect: "resolve", resolution: "Replaced the cable." } as const;
    return replyAsStaff(ctx, actor, { ...reply, baseMessage: 0, nonce: crypto.randomUUID() });
  };
  const { ctx } = staff(sam);
  const params = { ticket: `T-${ticket.number}` };
  const send = async (intent: string, fields: Record<string, string>) => {
    const form_token = issueFormToken(ctx, "ticket-reply");
    const form = { intent, form_token, begun_at_message: "0 open", ...fields };
    return action(args(ctx, post(`/admin/tickets/${params.ticket}`, form), params));
  };
  const sendNow = async (intent: string, fields: Record<string, string>) => {
    const response = await send(intent, fields);
    return [response.status, (await response.json()) as TicketFormError] as const;
  };
  return { ...world, ticket, resolve, send, sendNow };
}

const WORDS = "Avery Quinn resolved this ticket while you were writing. “Send and wait for customer” opens it again.";

test.each([
  "reply",
  "reply_wait",
  "reply_resolve",
])("whoever sends a reply (%s) to a ticket that was resolved while they were writing reads that first, and loses nothing", async (intent) => {
  const { base, ticket, sam, resolve, sendNow } = await resolvedMeanwhile();
  await resolve("");
  const resolved = await ticketRow(base, ticket.id);
  const mails = await base.db.$count(outbox);
  base.clock.advance(days(1));
  const typed = { body: "Is it plugged in?", what_was_done: "Plugged it in again." };
  const [status, error] = await sendNow(intent, typed);
  expect([status, error.errors]).toEqual([409, { form: WORDS }]);
  expect(error).toMatchObject({
    title: "This ticket changed while you were working",
    values: typed,
    conflict: { words: WORDS, messages: [{ author: "Avery Quinn", text: "Replaced the cable." }], status: "resolved" },
  });
  expect(await ticketRow(base, ticket.id)).toEqual(resolved);
  expect([await textsOf(base, ticket.id), await base.db.$count(outbox)]).toEqual([[], mails]);
  const drafts = await base.db.select().from(ticketDrafts).where(eq(ticketDrafts.user_id, sam.id));
  expect(drafts).toMatchObject([{ message: typed.body, what_was_done: typed.what_was_done }]);
});

test("what was written and resolved at once is told as both, and by the system as the system's", async () => {
  const { base, ticket, resolve, sendNow } = await resolvedMeanwhile();
  await resolve("It is the cable.");
  const [, error] = await sendNow("reply_wait", { body: "Hello?" });
  expect(error.conflict).toMatchObject({
    words:
      "Avery Quinn replied while you were writing. It is resolved now. “Send and wait for customer” opens it again.",
    messages: [{ text: "It is the cable." }, { text: "Replaced the cable." }],
  });
  await base.db.run(`UPDATE ticket_events SET actor_name = '', actor_id = NULL, actor_side = 'system'`);
  const [, later] = await sendNow("reply_wait", { body: "Hello?", begun_at_message: "1 open" });
  expect(later.conflict?.words).toMatch(/^The system resolved this ticket while you were writing\./);
  expect((await ticketRow(base, ticket.id)).status).toBe("resolved");
});

test("who has read that a ticket is resolved sends anyway, or opens it again by waiting for the customer", async () => {
  const { base, ticket, resolve, send } = await resolvedMeanwhile();
  await resolve("");
  const seen = { begun_at_message: "0 resolved", body: "One more thing." };
  expect((await send("reply", seen)).status).toBe(303);
  expect((await ticketRow(base, ticket.id)).status).toBe("resolved");
  expect((await send("reply_wait", { ...seen, body: "Does it work?" })).status).toBe(303);
  expect((await ticketRow(base, ticket.id)).status).toBe("waiting_for_customer");
});

test("what is resolved is not resolved again: its days until it is closed go on, and what was typed comes back", async () => {
  const { base, ticket, sam, resolve, send, sendNow } = await resolvedMeanwhile();
  await resolve("");
  await base.db.update(tickets).set({ reminded_at: base.now() });
  const [resolved, history] = [await ticketRow(base, ticket.id), await historyOf(base, ticket.id)];
  base.clock.advance(days(5));
  const fields = { body: "Done.", what_was_done: "Replaced another cable.", begun_at_message: "0 resolved" };
  const [status, error] = await sendNow("reply_resolve", fields);
  expect([status, error.errors]).toEqual([
    400,
    { what_was_done: "This ticket is resolved already. To change what was done, open it again first." },
  ]);
  expect(error.values).toMatchObject({ body: "Done.", what_was_done: "Replaced another cable." });
  // A page that says nothing of the status it has shown cannot resolve it again either.
  expect(await resolve("")).toEqual(fail("already_resolved"));
  expect([await ticketRow(base, ticket.id), await historyOf(base, ticket.id)]).toEqual([resolved, history]);
  await changeStatus(
    base,
    { userId: sam.id, fullName: sam.fullName, side: "staff" },
    {
      ticketId: ticket.id,
      status: "open",
      nonce: crypto.randomUUID(),
    },
  );
  expect((await send("reply_resolve", { ...fields, begun_at_message: "0 open" })).status).toBe(303);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "resolved", resolved_at: base.now() });
});

test("in a second tab of whoever has resolved a ticket it is not resolved again, and a reply is sent at once", async () => {
  const { base, ticket, send, sendNow } = await resolvedMeanwhile();
  await send("reply_resolve", { body: "", what_was_done: "Replaced the cable." });
  const resolved = await ticketRow(base, ticket.id);
  base.clock.advance(days(1));
  const [status, error] = await sendNow("reply_resolve", { body: "", what_was_done: "Replaced the cable again." });
  expect([status, Object.keys(error.errors)]).toEqual([400, ["what_was_done"]]);
  expect(await ticketRow(base, ticket.id)).toEqual(resolved);
  expect((await send("reply", { body: "Thank you." })).status).toBe(303);
});
