import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketDrafts, tickets } from "~/db/schema/tickets";
import { addPerson, changeStatus } from "~/features/tickets/commands.server";
import type { TicketFormError } from "~/features/tickets/record/actions.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { TAKEN } from "~/lib/error-texts";
import { fail } from "~/lib/errors";
import { days, hours, seconds } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import * as ticketList from "~/routes/_admin.admin.tickets._index";
import { action } from "~/routes/_admin.admin.tickets.$ticket";
import * as allowances from "~/routes/_admin.admin.tickets.allowances.$ticket";
import * as moving from "~/routes/_admin.admin.tickets.move.$ticket";
import * as newTicket from "~/routes/_admin.admin.tickets.new";
import { flash } from "../support/admin-area";
import { makeMember, makePerson } from "../support/factories";
import { makeManyMembers } from "../support/many-members";
import { pageAt } from "../support/page";
import { args, type Fields, postMultipart, thrownBy } from "../support/requests";
import { openedTicket, ticketPage } from "../support/ticket-forms";
import { historyOf, makeTicket, textsOf, ticketRow } from "../support/tickets";

const errorOf = async (response: Response) => [response.status, (await response.json()) as TicketFormError] as const;

test("the page has the description, what was written on both sides, and internal notes in their place", async () => {
  const { base, ticket, dana, client, send, read } = await openedTicket();
  const theirs = client(dana);
  await replyAsClient(theirs.ctx, theirs.actor, { ticketId: ticket.id, text: "Still dead.", nonce: "n1" });
  base.clock.advance(1);
  await send("note", { body: "Check the switch." });
  base.clock.advance(1);
  expect((await send("reply", { body: "Restart it.", begun_at_message: "1" })).status).toBe(303);
  base.clock.advance(14_000);
  const { thread, undoable } = await read();
  expect(undoable?.left).toBe(1_000);
  expect(thread.flatMap((entry) => (entry.kind === "message" ? [[entry.text, entry.from]] : []))).toEqual([
    ["It blinks.", "them"],
    ["Still dead.", "them"],
    ["Check the switch.", "inside"],
    ["Restart it.", "us"],
  ]);
});

test("a ticket is found by its number or its id, and by nothing else", async () => {
  const { ctx, ticket } = await openedTicket();
  const open = (ref: string) => ticketPage.open(ctx, `/admin/tickets/${ref}`);
  for (const ref of [`T-${ticket.number}`, `t-${ticket.number}`, ticket.id]) expect((await open(ref)).status).toBe(200);
  for (const ref of [String(ticket.number), "T-", "T-1e3", "tkt_missing", ""])
    expect((await thrownBy(open(ref))).status).toBe(404);
});

test("a reply without text and file, and one of more than 20,000 characters, come back with what was typed", async () => {
  const { base, ticket, send } = await openedTicket();
  const [status, empty] = await errorOf(await send("reply", { body: " \n ", begun_at_message: "0" }));
  expect([status, empty.errors]).toEqual([400, { body: "Write a message or attach a file." }]);
  const long = "a".repeat(20_001);
  const [longStatus, tooLong] = await errorOf(await send("reply", { body: long, begun_at_message: "0" }));
  expect([longStatus, tooLong.errors, tooLong.values.body]).toEqual([
    400,
    { body: "A message can have at most 20,000 characters" },
    long,
  ]);
  expect(await textsOf(base, ticket.id)).toEqual([]);
  await send("reply", { body: "b".repeat(20_000), begun_at_message: "0" });
  expect((await textsOf(base, ticket.id)).map(({ length }) => length)).toEqual([20_000]);
});

test("of two technicians who answer at once, the second reads the first one's text above their own", async () => {
  const { base, ticket, avery, staff, send } = await openedTicket();
  const late = staff(avery).ctx;
  await send("reply", { body: "It is the cable.", begun_at_message: "0" });
  const [status, error] = await errorOf(await send("reply", { body: "Buy a new one.", begun_at_message: "0" }, late));
  expect(status).toBe(409);
  expect(error).toMatchObject({
    title: "This ticket changed while you were working",
    values: { body: "Buy a new one." },
    conflict: { words: "Sam Lee replied while you were writing.", messages: [{ text: "It is the cable." }], upTo: 1 },
  });
  expect(await textsOf(base, ticket.id)).toEqual(["It is the cable."]);
  const draft = { by: ticketDrafts.user_id, text: ticketDrafts.message };
  const drafts = () => base.db.select(draft).from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id));
  expect(await drafts()).toEqual([{ by: avery.id, text: "Buy a new one." }]);
  await send("reply", { body: "Buy a new one.", begun_at_message: String(error.conflict?.upTo) }, late);
  expect([(await textsOf(base, ticket.id)).length, await drafts()]).toEqual([2, []]);
});

test("a reply of a file alone is written, and one with a disguised file is not", async () => {
  const { ctx, base, ticket, reference, path, read } = await openedTicket();
  const sendFile = (name: string, bytes: BlobPart) => {
    const form_token = issueFormToken(ctx, "ticket-reply");
    const fields = { form_token, intent: "reply", body: "", begun_at_message: "9" };
    return action(args(ctx, postMultipart(path, fields, { field: "files", name, bytes }), { ticket: reference }));
  };
  const [status, error] = await errorOf(await sendFile("photo.png", "<html>"));
  expect([status, error.errors]).toEqual([400, { files: expect.stringContaining('"photo.png" cannot be sent here') }]);
  expect((await sendFile("log.txt", "It blinks.")).status).toBe(303);
  expect(await textsOf(base, ticket.id)).toEqual([""]);
  const { thread } = await read();
  expect(thread.at(-1)).toMatchObject({ files: [{ name: "log.txt", size: 10, isImage: false }] });
});

test("a ticket is resolved only with what was done, and waits for the client when asked to", async () => {
  const { base, ticket, send } = await openedTicket();
  const resolve = (resolution: string) =>
    send("reply_resolve", { body: "", what_was_done: resolution, begun_at_message: "0" });
  const [status, error] = await errorOf(await resolve("Cable."));
  expect([status, Object.keys(error.errors)]).toEqual([400, ["what_was_done"]]);
  await send("reply_wait", { body: "Is it plugged in?", begun_at_message: "0" });
  expect((await ticketRow(base, ticket.id)).status).toBe("waiting_for_customer");
  await resolve("Replaced the cable.");
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "resolved", resolution: "Replaced the cable." });
});

test("status, assignee and category are saved together, and only what was changed", async () => {
  const { ctx, base, ticket, sam, send } = await openedTicket();
  const fields = {
    ...{ status: "in_progress", had_status: "open" },
    ...{ assignee_id: sam.id, had_assignee_id: "" },
    ...{ category: "", had_category: "" },
  };
  expect((await send("handling", fields)).status).toBe(303);
  expect(flash(ctx)).toBe("Success: Ticket updated successfully");
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "in_progress", assigned_to: sam.id, version: 2 });
  expect(await historyOf(base, ticket.id)).toEqual([
    ["status", "open", "in_progress", "Sam Lee"],
    ["assignee", null, "Sam Lee", "Sam Lee"],
  ]);
  await send("handling", { status: "resolved", had_status: "in_progress" });
  expect(flash(ctx)).toBe("Error: Failed to update ticket status");
});

test("the page says which of status and assignee was changed, or that nothing was", async () => {
  const { ctx, sam, send } = await openedTicket();
  const said = async (fields: Record<string, string>) => {
    await send("handling", fields);
    return flash(ctx);
  };
  const held = { status: "open", had_status: "open", category: "", had_category: "" };
  expect(await said({ ...held, status: "in_progress" })).toBe("Success: Ticket status updated successfully");
  expect(await said({ assignee_id: sam.id, had_assignee_id: "" })).toBe("Success: Ticket assigned successfully");
  expect(await said({ assignee_id: "", had_assignee_id: sam.id })).toBe("Success: Ticket unassigned successfully");
  // Somebody else has chosen the same meanwhile.
  expect(await said({ ...held, status: "in_progress" })).toBe("Nothing changed: The ticket was like that already.");
  await send("priority", { priority: "urgent", reason: "Nobody can print" });
  await send("priority", { priority: "urgent", reason: "Nobody can print" });
  expect(flash(ctx)).toBe("Nothing changed: The ticket was like that already.");
});

test("a priority is changed with a reason, and a person is added who then follows the ticket", async () => {
  const { base, ticket, omar, ivy, send, read } = await openedTicket();
  const [status, error] = await errorOf(await send("priority", { priority: "urgent", reason: " " }));
  expect([status, Object.keys(error.errors)]).toEqual([400, ["reason"]]);
  await send("priority", { priority: "urgent", reason: "Nobody can print" });
  expect((await ticketRow(base, ticket.id)).priority).toBe("urgent");
  await send("add_person", { person: ivy.id });
  await send("add_person", { person: omar.id });
  const { about } = await read();
  expect([about.people.map(({ name }) => name), about.colleagues]).toEqual([["Omar Reyes"], []]);
});

test("a visit is recorded, and taken back only with a reason", async () => {
  const { ctx, reference } = await openedTicket();
  const page = pageAt("/admin/tickets/allowances/:ticket", allowances);
  const path = `/admin/tickets/allowances/${reference}`;
  const entries = async () => (await page.read(ctx, path)).entries;
  const send = (intent: string, fields: Fields) =>
    page.send(ctx, path, intent === "visit" ? "ticket-visit" : "ticket-allowance", { intent, ...fields });
  expect((await send("visit", {})).status).toBe(303);
  const taken = { entry: (await entries())[0]?.id ?? "" };
  const [status, error] = await errorOf(await send("reverse_allowance", { ...taken, reason: " " }));
  expect([status, Object.keys(error.errors)]).toEqual([400, ["reason"]]);
  expect((await send("reverse_allowance", { ...taken, reason: "Nobody came" })).status).toBe(303);
  expect(await entries()).toEqual([]);
  const [unknown] = await errorOf(await send("reverse_allowance", { entry: "someone's", reason: "Nobody came" }));
  expect(unknown).toBe(400);
  const missing = send("reverse_allowance", { entry: "alw_missing", reason: "Nobody came" });
  expect((await missing.catch((thrown: Response) => thrown)).status).toBe(404);
});

test("a ticket is moved to an organization that exists, with its conversation", async () => {
  const { ctx, base, here, there, ticket, reference, path, send, read } = await openedTicket();
  await send("reply", { body: "Restart it.", begun_at_message: "0" });
  const page = pageAt("/admin/tickets/move/:ticket", moving);
  const { organizations } = await page.read(ctx, `/admin/tickets/move/${reference}?find=bright`);
  expect(organizations.map(({ name }) => name)).toContain("Brightsmile");
  const move = (organization_id: string) =>
    page.send(ctx, `/admin/tickets/move/${reference}`, "ticket-organization", { organization_id });
  const [status, { errors }] = await errorOf(await move("org_missing"));
  expect([status, errors.organization_id]).toEqual([400, "This organization is gone. Choose another one."]);
  expect((await ticketRow(base, ticket.id)).organization_id).toBe(here.id);
  expect((await move(there.id)).headers.get("Location")).toBe(path);
  const { ticket: moved, thread } = await read();
  expect(moved.organization.id).toBe(there.id);
  expect(thread.flatMap((entry) => (entry.kind === "message" ? [entry.text] : []))).toEqual([
    "It blinks.",
    "Restart it.",
  ]);
});

test("a muted ticket tells its reader nothing, not even by a mail that waits", async () => {
  const { ctx, base, sam, ticket, send, read, client, dana } = await openedTicket();
  await send("handling", { status: "open", had_status: "open", assignee_id: sam.id, had_assignee_id: "" });
  const write = async (text: string) => {
    const { ctx: theirs, actor } = client(dana);
    await replyAsClient(theirs, actor, { ticketId: ticket.id, text, nonce: crypto.randomUUID() });
  };
  const mails = () => base.db.$count(outbox, sql`user_id = ${sam.id} AND status = 'pending'`);
  await write("Hello?");
  expect(await mails()).toBe(1);
  await send("mute", { muted: "yes" });
  await write("Anybody?");
  expect([await mails(), (await read()).about.isMuted]).toEqual([0, true]);
  await send("mute", { muted: "no" });
  await write("Now?");
  expect([await mails(), flash(ctx)]).toEqual([1, "Unmuted: You will hear of this ticket again."]);
});

test("the page reads the same number of rows however long the conversation and the history are", async () => {
  const { ctx, base, here, ticket, read } = await openedTicket();
  const numbers = "(WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 300) SELECT v FROM n)";
  await base.db.run(`
    INSERT INTO ticket_messages (id, organization_id, ticket_id, author_name, side, message, created_at, updated_at)
    SELECT 'msg_' || v, '${here.id}', '${ticket.id}', 'Dana Ortiz', 'client', 'Line', v, 0 FROM ${numbers}`);
  await base.db.run(`
    INSERT INTO ticket_events (id, organization_id, ticket_id, kind, to_value, actor_name, actor_side, at)
    SELECT 'tev_' || v, '${here.id}', '${ticket.id}', 'category', 'Security', 'Sam Lee', 'staff', v FROM ${numbers}`);
  const before = ctx.cost.rowsRead;
  const trips = ctx.cost.trips;
  await read();
  expect(ctx.cost.rowsRead - before).toBeLessThan(400);
  expect(ctx.cost.trips - trips).toBeLessThanOrEqual(2);
});

test("a note says whom it has told, and a warning which of its mentions are nobody's", async () => {
  const { base, ctx, send, read, avery } = await openedTicket();
  const name = `Ava${base.newId("x").slice(-8)}`;
  await base.db
    .update(users)
    .set({ full_name: `${name} Quinn` })
    .where(eq(users.id, avery.id));
  const named = await send("note", { body: `@${name} can you look?` });
  expect(named.headers.get("Location")).toMatch(/#msg_/);
  expect(flash(ctx)).toBe(`Success: Message added successfully. ${name} Quinn was told.`);
  expect((await read()).sent?.mentions).toEqual({ notified: `${name} Quinn was told.`, notNotified: null });
  base.clock.advance(seconds(1));
  await send("note", { body: "@Zz can you look?" });
  expect(flash(ctx)).toBe("Note added.: @Zz names no one on the team.");
  const { thread, sent } = await read();
  const notes = thread.flatMap((entry) => (entry.kind === "message" && entry.from === "inside" ? [entry] : []));
  const mentions = { notified: null, notNotified: "@Zz names no one on the team." };
  expect(sent).toEqual({ id: notes.at(-1)?.id, isInternal: true, mentions });
});

test("a reply takes a ticket that nobody has by the box that is ticked, and says until when it can be taken back", async () => {
  const { base, ticket, sam, send, read } = await openedTicket();
  await send("reply", { body: "Restart it.", begun_at_message: "0", assign_to_me: "on" });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ assigned_to: sam.id });
  const { sent, undoable, thread } = await read();
  expect(undoable).toMatchObject({ left: 15_000, until: expect.stringMatching(/^\d\d:\d\d:\d\d$/) });
  expect(sent).toEqual({ id: undoable?.id, isInternal: false, mentions: null });
  base.clock.advance(60_000);
  expect(await read()).toMatchObject({ sent: null, undoable: null });
  expect(thread.map(({ kind }) => kind)).toEqual(["message", "message", "event"]);
});

test("only what was done leads to it, and it stays in the conversation when the ticket is opened again", async () => {
  const { base, dana, client, ticket, path, send, read } = await openedTicket();
  const done = { body: "", what_was_done: "Replaced the cable.", begun_at_message: "0" };
  expect((await send("reply_resolve", done)).headers.get("Location")).toBe(`${path}#solution`);
  const theirs = client(dana);
  base.clock.advance(1);
  await replyAsClient(theirs.ctx, theirs.actor, { ticketId: ticket.id, text: "No.", nonce: crypto.randomUUID() });
  const { thread } = await read();
  expect(thread.find(({ kind }) => kind === "solution")).toMatchObject({
    text: "Replaced the cable.",
    by: "Sam Lee",
    reopened: { by: dana.fullName, at: base.now() },
  });
});

/** Holds a ticket that Avery has resolved while Sam was writing, a day ago. */
async function resolvedMeanwhile() {
  const world = await openedTicket();
  const { ticket, avery, staff } = world;
  const resolve = (text: string) => {
    const { ctx, actor } = staff(avery);
    const reply = { ticketId: ticket.id, text, effect: "resolve", resolution: "Replaced the cable." } as const;
    return replyAsStaff(ctx, actor, { ...reply, baseMessage: 0, nonce: crypto.randomUUID() });
  };
  const send = (intent: string, fields: Fields) => world.send(intent, { begun_at_message: "0 open", ...fields });
  const sendNow = async (intent: string, fields: Fields) => errorOf(await send(intent, fields));
  return { ...world, resolve, send, sendNow };
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
  const by = { userId: sam.id, fullName: sam.fullName, side: "staff" } as const;
  await changeStatus(base, by, { ticketId: ticket.id, status: "open", nonce: crypto.randomUUID() });
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

/** Holds a ticket of Dana's, with what decides whom a reply reaches. */
async function ticketWithPeople() {
  const world = await openedTicket();
  const { ctx, sam, ticket, read } = world;
  const names = async () => (await read()).recipients.map(({ name }) => name);
  const add = (userId: string) =>
    addPerson(
      ctx,
      { side: "staff", by: { userId: sam.id, fullName: sam.fullName, side: "staff" } },
      { ticketId: ticket.id, userId, nonce: crypto.randomUUID() },
    );
  const deactivate = ({ id }: { id: string }) =>
    world.base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, id));
  return { ...world, names, add, deactivate };
}

test("the page names those whom a reply reaches: the people who can still read it, or else the organization's admins", async () => {
  const { base, here, dana, omar, names, add, deactivate } = await ticketWithPeople();
  expect(await names()).toEqual(["Dana Ortiz"]);
  await add(omar.id);
  expect(await names()).toEqual(["Dana Ortiz", "Omar Reyes"]);
  await deactivate(omar);
  expect(await names()).toEqual(["Dana Ortiz"]);
  await base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, dana.id));
  expect(await names()).toEqual([]);
  for (const role of ["owner", "admin"] as const) {
    await makeMember(base, here.id, await makePerson(base, { fullName: `An ${role}` }), role);
  }
  expect(await names()).toEqual(["An admin", "An owner"]);
});

test("whose account is deactivated can neither be added to a ticket nor is chosen for a new one", async () => {
  const { ctx, here, omar, read, add, deactivate } = await ticketWithPeople();
  await deactivate(omar);
  expect((await read()).about.colleagues).toEqual([]);
  expect(await add(omar.id)).toEqual({ ok: false, code: "person_not_found" });
  const form = await pageAt("/admin/tickets/new", newTicket).read(ctx, `/admin/tickets/new?organization=${here.id}`);
  expect(form.people?.map(({ name }) => name)).toEqual(["Dana Ortiz"]);
});

test("of more colleagues than a page offers, each is put on a ticket by their address, and nobody from elsewhere is", async () => {
  const { base, here, ctx, ivy, omar, send, read, deactivate } = await ticketWithPeople();
  expect((await read()).about.hasMoreColleagues).toBe(false);
  await makeManyMembers(base, here.id, 99);
  expect((await read()).about).toMatchObject({ hasMoreColleagues: false, colleagues: { length: 100 } });
  const last = await makePerson(base, { fullName: "Zoe Adams", email: "zoe@larkspur.example" });
  await makeMember(base, here.id, last, "member");
  const { about } = await read();
  expect(about).toMatchObject({ hasMoreColleagues: true, colleagues: { length: 100 } });
  expect(about.colleagues.map(({ id }) => id)).not.toContain(last.id);
  const add = (email: string) => send("add_person", { person: "", email });
  await deactivate(omar);
  for (const email of [ivy.email, omar.email, "nobody@example.com", "no address"]) {
    const response = await add(email);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: { email: "No active member of this organization has this address." },
      values: { email },
    });
  }
  expect(await (await add(" ")).json()).toMatchObject({ errors: { email: "Choose a person" } });
  expect((await add(" Zoe@Larkspur.example ")).status).toBe(303);
  expect(flash(ctx)).toBe("Success: Ticket updated successfully");
  expect((await read()).about.people).toEqual([{ id: last.id, name: "Zoe Adams" }]);
});

test("what was begun is kept as a draft for its author alone", async () => {
  const { avery, staff, send, read } = await openedTicket();
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
  const { ctx, send, read } = await openedTicket();
  const begun = { body: "", begun_at_message: "0" };
  await send("draft", { ...begun, what_was_done: "Replaced the" });
  expect((await read()).drafts.reply).toMatchObject({ text: "", whatWasDone: "Replaced the" });
  await send("draft", { ...begun, what_was_done: " " });
  expect((await read()).drafts.reply).toBeNull();
  const form = { ...begun, what_was_done: "Replaced the cable.", form_token: issueFormToken(ctx, "ticket-reply") };
  await send("autosave", form);
  expect((await read()).drafts.reply).not.toBeNull();
  expect((await send("reply_resolve", form)).status).toBe(303);
  expect((await read()).drafts.reply).toBeNull();
});

test.each([
  "reply",
  "reply_wait",
])("what was begun for the resolution stays when a message is sent without it (%s), and until it is resolved", async (intent) => {
  const { send, read } = await openedTicket();
  const typed = { body: "Is it plugged in?", why_late: "A storm", what_was_done: "Replaced the cable." };
  await send("draft", { ...typed, begun_at_message: "0" });
  expect((await send(intent, { ...typed, begun_at_message: "0" })).status).toBe(303);
  const kept = { text: "", whyLate: "", whatWasDone: "Replaced the cable.", baseMessage: 1 };
  expect((await read()).drafts.reply).toMatchObject(kept);
  await send("reply_resolve", { body: "", what_was_done: kept.whatWasDone, begun_at_message: "1" });
  expect((await read()).drafts.reply).toBeNull();
});

test("previous and next are those of the list one came from, and a sent reply goes on to the next of before", async () => {
  const { base, ctx, here, dana, send, read } = await openedTicket();
  const due = async (inHours: number) => {
    const { id, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
    await base.db
      .update(tickets)
      .set({ due_at: base.now() + hours(inHours) })
      .where(eq(tickets.id, id));
    return `T-${number}`;
  };
  const third = await due(3);
  const first = await due(1);
  const second = await due(2);
  const query = `?organization=${here.id}`;
  const pathOf = (number: string) => `/admin/tickets/${number}${query}`;
  const neighbours = async (number: string, from = query) => {
    const { list } = await read(ctx, `/admin/tickets/${number}${from}`);
    return [list.previous, list.next];
  };
  expect(await neighbours(first)).toEqual([null, pathOf(second)]);
  expect(await neighbours(second)).toEqual([pathOf(first), pathOf(third)]);
  expect((await neighbours(second, `${query}&sort=newest`))[0]).toBeNull();
  const goOn = (number: string, body: string) =>
    send("reply_next", { body, begun_at_message: "1 open" }, ctx, pathOf(number));
  const refused = await goOn(first, "");
  expect(refused.status).toBe(400);
  const sent = await goOn(first, "Done.");
  expect(sent.headers.get("Location")).toBe(pathOf(second));
  expect(flash(ctx)).toBe(`Success: Message added successfully to ${first}.`);

  const before = async (number: string) => (await read(ctx, pathOf(number))).sentBefore;
  const taken = { reference: first, path: pathOf(first), undoable: { left: 15_000 } };
  expect(await before(second)).toMatchObject(taken);
  // Its own page has it beside the composer.
  expect(await before(first)).toBeNull();
  const listed = await pageAt("/admin/tickets", ticketList).read(ctx, `/admin/tickets${query}`);
  expect(listed.sentBefore).toMatchObject(taken);
  const message = listed.sentBefore?.undoable.id ?? "";
  await send("undo", { message }, ctx, pathOf(first));
  expect(flash(ctx)).toMatch(/taken back|draft/i);
  expect(await before(second)).toBeNull();
  await goOn(first, "Done after all.");
  ctx.clock.advance(15_000);
  expect(await before(second)).toBeNull();
});

test("of two who take a ticket at once the second hears that a colleague was faster", async () => {
  const { base, ctx, ticket, sam, avery, send } = await openedTicket();
  const seen = { takes: "on", had_assignee_id: "" };
  await send("handling", { ...seen, assignee_id: avery.id });
  await send("handling", { ...seen, assignee_id: sam.id });
  expect(flash(ctx)).toBe(`Error: ${TAKEN}`);
  expect((await ticketRow(base, ticket.id)).assigned_to).toBe(avery.id);
});
