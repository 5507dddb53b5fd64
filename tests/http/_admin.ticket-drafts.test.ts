import { expect, test } from "vitest";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.tickets.$ticket";
import { args, get, post } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

async function aTicket() {
  const { base, staff, sam, avery, dana, here } = await ticketWorld();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx } = staff(sam);
  const path = `/admin/tickets/T-${ticket.number}`;
  const params = { ticket: `T-${ticket.number}` };
  const token = (purpose = "ticket-reply") => issueFormToken(ctx, purpose);
  const send = (intent: string, fields: Record<string, string>) =>
    action(args(ctx, post(path, { intent, form_token: token(), ...fields }), params));
  const read = async (on = ctx) => (await loader(args(on, get(path), params))).json();
  return { staff, avery, send, read, token };
}

test("what was begun is kept as a draft for its author alone", async () => {
  const { avery, staff, send, read } = await aTicket();
  const typed = { body: "Please res", begun_at_message: "0", why_late: "A storm", what_was_done: "Cable" };
  const kept = await send("draft", typed);
  // Nothing was wrong: what was typed stays in the form.
  expect([kept.status, await kept.json()]).toEqual([
    200,
    expect.objectContaining({ title: "", values: expect.objectContaining(typed) }),
  ]);
  const draft = { text: "Please res", baseMessage: 0, whyLate: "A storm", whatWasDone: "Cable" };
  expect((await read()).drafts).toMatchObject({ reply: draft, note: null });
  expect((await read(staff(avery).ctx)).drafts).toEqual({ reply: null, note: null });
});

test("a draft is kept for what was done alone, and gone with it once the ticket is resolved or nothing is left of it", async () => {
  const { send, read, token } = await aTicket();
  const begun = { body: "", begun_at_message: "0" };
  await send("draft", { ...begun, what_was_done: "Replaced the" });
  expect((await read()).drafts.reply).toMatchObject({ text: "", whatWasDone: "Replaced the" });
  await send("draft", { ...begun, what_was_done: " " });
  expect((await read()).drafts.reply).toBeNull();
  const form = { ...begun, what_was_done: "Replaced the cable.", form_token: token() };
  await send("autosave", form);
  expect((await read()).drafts.reply).not.toBeNull();
  expect((await send("reply_resolve", form)).status).toBe(303);
  expect((await read()).drafts.reply).toBeNull();
});

test.each([
  "reply",
  "reply_wait",
])("what was begun for the resolution stays when a message is sent without it (%s), and until it is resolved", async (intent) => {
  const { send, read } = await aTicket();
  const typed = { body: "Is it plugged in?", why_late: "A storm", what_was_done: "Replaced the cable." };
  await send("draft", { ...typed, begun_at_message: "0" });
  expect((await send(intent, { ...typed, begun_at_message: "0" })).status).toBe(303);
  const kept = { text: "", whyLate: "", whatWasDone: "Replaced the cable.", baseMessage: 1 };
  expect((await read()).drafts.reply).toMatchObject(kept);
  await send("reply_resolve", { body: "", what_was_done: kept.whatWasDone, begun_at_message: "1" });
  expect((await read()).drafts.reply).toBeNull();
});

test("a message that is taken back is a draft again, above what was kept for the resolution", async () => {
  const { send, read, token } = await aTicket();
  const answer = await send("reply", { body: "Hello", what_was_done: "Replaced the cable.", begun_at_message: "0" });
  const message = answer.headers.get("Location")?.split("#")[1] ?? "";
  expect((await send("undo", { message, form_token: token("ticket-undo") })).status).toBe(303);
  const restored = { text: "Hello", whatWasDone: "Replaced the cable.", baseMessage: 0 };
  expect((await read()).drafts.reply).toMatchObject(restored);
});
