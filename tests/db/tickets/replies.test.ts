import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { organizationMemberships } from "~/db/schema/organizations";
import { listDrafts, listNewerMessages, readMessages, saveDraft } from "~/features/conversation/messages.server";
import { findTicketForClient, findTicketForStaff, listFollowUps, listPeople } from "~/features/tickets/queries.server";
import { fail, ok } from "~/lib/errors";
import { days } from "~/lib/time";
import { newForm } from "../../support/requests";
import { historyOf, makeTicket, textsOf, ticketRow, worldWithTicket } from "../../support/tickets";

test("of twenty replies that staff send at once, one arrives, and the others are asked to read it first", async () => {
  const { base, ticket, avery, sam, staff } = await worldWithTicket();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      staff(index % 2 ? avery : sam).reply(ticket.id, { text: `Answer ${index}` }),
    ),
  );
  const texts = await textsOf(base, ticket.id);
  // A second one of the same person is no surprise to them.
  const others = replies.filter((reply) => !reply.ok);
  expect(others.length).toBeGreaterThanOrEqual(10);
  expect(new Set(others.map((reply) => !reply.ok && reply.code))).toEqual(new Set(["conflict"]));
  expect(texts.length).toBe(20 - others.length);
  const [author] = await base.db.all<{ user_id: string }>(
    `SELECT DISTINCT user_id FROM ticket_messages WHERE ticket_id = '${ticket.id}'`,
  );
  const loser = author?.user_id === avery.id ? sam : avery;
  const newer = await listNewerMessages(base.db, ticket.id, {
    publicMessages: texts.length,
    baseMessage: 0,
    by: loser.id,
  });
  expect(newer.map(({ text }) => text).sort()).toEqual(texts.slice(-10).sort());
});

test("who was suspended or let go while files arrived writes nothing any more", async () => {
  const { base, ticket, sam, dana, staff, client } = await worldWithTicket();
  await base.db
    .update(organizationMemberships)
    .set({ status: "suspended" })
    .where(eq(organizationMemberships.user_id, dana.id));
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, sam.id));
  expect(await client(dana).reply(ticket.id)).toEqual(fail("ticket_not_found"));
  expect(await staff(sam).reply(ticket.id)).toEqual(fail("ticket_not_found"));
  expect(await staff(sam).note(ticket.id, "Still here")).toEqual(fail("ticket_not_found"));
  expect(await textsOf(base, ticket.id)).toEqual([]);
});

test("one reply posted twenty times at once is written once, and so is one posted again later", async () => {
  const { base, ticket, sam, dana, staff, client } = await worldWithTicket();
  const form = newForm();
  const ofStaff = () => staff(sam).reply(ticket.id, { nonce: form });
  const posted = await Promise.all(Array.from({ length: 20 }, ofStaff));
  expect(new Set([...posted, await ofStaff()].map((result) => result.ok && result.value)).size).toBe(1);
  const clientForm = newForm();
  const ofClient = () => client(dana).reply(ticket.id, "Still dead.", clientForm);
  expect((await Promise.all(Array.from({ length: 20 }, ofClient))).every((answer) => answer.ok)).toBe(true);
  expect((await textsOf(base, ticket.id)).sort()).toEqual(["Please restart it.", "Still dead."]);
});

test("twenty answers of clients at once are all written and counted", async () => {
  const { base, ticket, dana, omar, client } = await worldWithTicket({ status: "waiting_for_customer" });
  const texts = Array.from({ length: 20 }, (_, index) => `Line ${index}`);
  await Promise.all(texts.map((text, index) => client(index % 2 ? dana : omar).reply(ticket.id, text)));
  expect((await textsOf(base, ticket.id)).sort()).toEqual(texts.toSorted());
  expect(await ticketRow(base, ticket.id)).toMatchObject({ public_messages: 20, status: "open", waiting_since: null });
  expect((await historyOf(base, ticket.id)).length).toBe(1);
});

test("a reply of staff that was begun before the client wrote is sent once its author has seen that", async () => {
  const { base, ticket, dana, sam, staff, client } = await worldWithTicket();
  await client(dana).reply(ticket.id, "It works again!");
  expect(await staff(sam).reply(ticket.id)).toEqual(fail("conflict"));
  expect(await textsOf(base, ticket.id)).toEqual(["It works again!"]);
  expect((await staff(sam).reply(ticket.id, { baseMessage: 1 })).ok).toBe(true);
  expect((await staff(sam).reply(ticket.id, { baseMessage: 2 })).ok).toBe(true);
});

test("staff answer and wait for the client, and the client's answer makes it open again", async () => {
  const { base, ticket, dana, sam, staff, client } = await worldWithTicket({ status: "in_progress" });
  await staff(sam).reply(ticket.id, { effect: "wait" });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "waiting_for_customer", waiting_since: base.now() });
  base.clock.advance(days(1));
  await client(dana).reply(ticket.id);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "open", waiting_since: null });
  expect(await historyOf(base, ticket.id)).toEqual([
    ["status", "in_progress", "waiting_for_customer", "Sam Lee"],
    ["status", "waiting_for_customer", "open", "Dana Ortiz"],
  ]);
});

test("nothing is resolved without saying what was done, which the client then reads", async () => {
  const { base, here, ticket, dana, sam, staff } = await worldWithTicket();
  const resolve = (resolution?: string) => staff(sam).reply(ticket.id, { text: "", effect: "resolve", resolution });
  expect(await resolve()).toEqual(fail("resolution_missing"));
  const resolution = "Replaced the network cable.";
  expect(await resolve(resolution)).toEqual(ok(ticket.id));
  const viewer = { userId: dana.id, organizationId: here.id, role: "member" as const };
  const found = await findTicketForClient(base.db, `T-${ticket.number}`, viewer);
  expect(found).toMatchObject({ status: "resolved", resolution, resolvedAt: base.now(), publicMessages: 0 });
});

test("an answer within fourteen days reopens a ticket; later it becomes a new one with the same people", async () => {
  const { base, here, ticket, dana, omar, client } = await worldWithTicket({ status: "closed", isPrivate: true });
  await base.db.run(`INSERT INTO ticket_people VALUES ('${here.id}', '${ticket.id}', '${omar.id}', NULL, 1)`);
  base.clock.advance(days(14));
  const reply = (form: string) => client(dana).reply(ticket.id, "It is back.", form);
  expect(await reply(newForm())).toMatchObject({ ok: true, value: { kind: "message" } });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "open", closed_at: null, resolved_at: null });
  await base.db.run(`UPDATE support_tickets SET status = 'closed', closed_at = ${base.now()}`);
  base.clock.advance(days(14) + 1);
  const late = newForm();
  const goneOn = await Promise.all([reply(late), reply(late)]);
  const [first] = goneOn;
  if (!first?.ok || first.value.kind !== "follow_up") throw new Error("There is no new ticket");
  expect(goneOn[1]).toEqual(first);
  const { id } = first.value.ticket;
  expect(await ticketRow(base, id)).toMatchObject({
    title: `Follow-up of T-${ticket.number}: Printer offline`,
    description: "It is back.",
    follow_up_of: ticket.id,
    is_private: true,
  });
  expect((await listPeople(base.db, id)).map(({ name }) => name)).toEqual(["Omar Reyes"]);
  const told = await base.db.select().from(notifications).where(eq(notifications.subject_id, id));
  const ofClients = told.filter(({ organization_id }) => organization_id !== null);
  expect(ofClients).toMatchObject([{ user_id: omar.id, event: "added_to_ticket" }]);
  expect((await listFollowUps(base.db, ticket.id, null)).map((each) => each.id)).toEqual([id]);
  expect((await textsOf(base, ticket.id)).length).toBe(1);
});

test("what became a new ticket is no draft on the former one, not even for a script that still keeps it", async () => {
  const { base, here, ticket, dana, client } = await worldWithTicket({ status: "closed" });
  const { ctx, reply } = client(dana);
  base.clock.advance(days(14) + 1);
  const viewer = { userId: dana.id, organizationId: here.id, role: "member" as const };
  const found = await findTicketForClient(base.db, ticket.id, viewer);
  if (!found) throw new Error("There is no such ticket");
  const draft = { ticket: found, userId: dana.id, kind: "reply" as const, text: "It is ba", baseMessage: 0 };
  await saveDraft(ctx, draft);
  const form = newForm();
  expect(await reply(ticket.id, "It is back.", form)).toMatchObject({ ok: true, value: { kind: "follow_up" } });
  expect(await listDrafts(base.db, ticket.id, dana.id)).toEqual([]);
  await saveDraft(ctx, { ...draft, unlessSent: form });
  expect(await listDrafts(base.db, ticket.id, dana.id)).toEqual([]);
});

test("nobody answers on a ticket of another organization, or on a colleague's private one", async () => {
  const { base, there, ticket, omar, ivy, client } = await worldWithTicket({ isPrivate: true });
  for (const { reply } of [client(omar), client(ivy, there, "owner")])
    expect(await reply(ticket.id, "Let me in.")).toEqual(fail("ticket_not_found"));
  expect(await textsOf(base, ticket.id)).toEqual([]);
});

test("an internal note is not read for clients, counts for nothing, and leaves the ticket as it was", async () => {
  const { base, here, ticket, sam, staff } = await worldWithTicket();
  const before = await ticketRow(base, ticket.id);
  base.clock.advance(days(1));
  const form = newForm();
  const note = () => staff(sam).note(ticket.id, "They never pay.", form);
  const added = await Promise.all([note(), note()]);
  expect(added[0]).toEqual(added[1]);
  const read = (withInternal: boolean) => readMessages(base.db, ticket.id, { withInternal, before: null });
  expect((await read(true)).messages.map(({ text, isInternal }) => [text, isInternal])).toEqual([
    ["They never pay.", true],
  ]);
  expect((await read(false)).messages).toEqual([]);
  expect(await ticketRow(base, ticket.id)).toEqual(before);
  const live = await base.db.select().from(liveEvents).where(eq(liveEvents.subject_id, ticket.id));
  expect(live.map(({ audience }) => audience)).toEqual(["staff"]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.org_id, here.id));
  expect(audit).toEqual([]);
});

test("a long conversation is read in parts, without gap or repetition", async () => {
  const { base, here, ticket } = await worldWithTicket();
  await base.db.run(`
    INSERT INTO ticket_messages (id, organization_id, ticket_id, author_name, side, message, created_at, updated_at)
    SELECT 'msg_' || value, '${here.id}', '${ticket.id}', 'Dana Ortiz', 'client', 'Line', value / 3, 0
    FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 53) SELECT value FROM n)`);
  const newest = await readMessages(base.db, ticket.id, { withInternal: false, before: null });
  const before = newest.messages[0]?.id ?? null;
  const earlier = await readMessages(base.db, ticket.id, { withInternal: false, before });
  expect([newest.hasEarlier, earlier.hasEarlier]).toEqual([true, false]);
  const ids = [...earlier.messages, ...newest.messages].map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([53, 53]);
});

test("a draft is kept for its author alone, replaced, and gone when the reply was sent", async () => {
  const { base, ticket, sam, avery, staff } = await worldWithTicket();
  const { ctx, reply } = staff(sam);
  const found = await findTicketForStaff(base.db, ticket.id);
  if (!found) throw new Error("There is no such ticket");
  const draft = { ticket: found, userId: sam.id, kind: "reply" as const, baseMessage: 0 };
  await saveDraft(ctx, { ...draft, text: "Please" });
  await saveDraft(ctx, { ...draft, text: "Please restart" });
  expect((await listDrafts(base.db, ticket.id, sam.id)).map(({ text }) => text)).toEqual(["Please restart"]);
  expect(await listDrafts(base.db, ticket.id, avery.id)).toEqual([]);
  await reply(ticket.id);
  expect(await listDrafts(base.db, ticket.id, sam.id)).toEqual([]);
  await saveDraft(ctx, { ...draft, text: "More" });
  await saveDraft(ctx, { ...draft, text: "  " });
  expect(await listDrafts(base.db, ticket.id, sam.id)).toEqual([]);
});

test("whoever answers a ticket that nobody has gets it, unless they do not want it", async () => {
  const { base, ticket, sam, staff } = await worldWithTicket();
  await staff(sam).reply(ticket.id);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ assigned_to: null });
  await staff(sam).reply(ticket.id, { assignToMe: true, baseMessage: 1 });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ assigned_to: sam.id });
  expect(await historyOf(base, ticket.id)).toEqual([["assignee", null, "Sam Lee", "Sam Lee"]]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, ticket.id));
  const assigned = audit.filter(({ action }) => action === "ticket.assigned");
  expect(assigned.map(({ meta_json: meta }) => JSON.parse(meta ?? ""))).toMatchObject([
    { from: "Unassigned", to: "Sam Lee" },
  ]);
  const told = await base.db.select().from(notifications).where(eq(notifications.user_id, sam.id));
  expect(told.map((row) => row.event)).not.toContain("assigned_to_me");
});

test("what was done, without a message, is an answer too, and a colleague's ticket stays theirs", async () => {
  const { base, here, dana, avery, sam, staff, ticket } = await worldWithTicket();
  const resolution = "Replaced the network cable.";
  await staff(sam).reply(ticket.id, { effect: "resolve", text: "", resolution, assignToMe: true });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "resolved", assigned_to: sam.id });
  const theirs = await makeTicket(base, { organizationId: here.id, createdBy: dana, assignedTo: avery.id });
  await staff(sam).reply(theirs.id, { assignToMe: true });
  expect(await ticketRow(base, theirs.id)).toMatchObject({ assigned_to: avery.id });
});

test("a colleague who takes the ticket while an answer is on its way keeps it", async () => {
  const { base, ticket, avery, sam, staff } = await worldWithTicket();
  const late = staff(sam).interruptedBy(() => staff(avery).assign(ticket.id, avery.id));
  expect((await late.reply(ticket.id, { assignToMe: true })).ok).toBe(true);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ assigned_to: avery.id, public_messages: 1 });
  expect(await historyOf(base, ticket.id)).toEqual([["assignee", null, avery.fullName, avery.fullName]]);
});
