import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import { blockSender, placeMail, retryMail } from "~/features/inbound-mail/commands.server";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { listCc } from "~/features/tickets/cc/queries.server";
import { takeTicket } from "~/features/tickets/commands.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { days, minutes } from "~/lib/time";
import { handOver, mailIn, mailRows, rawMail, replyAddress } from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { historyOf, makeTicket, ticketRow, ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let ticket: Awaited<ReturnType<typeof makeTicket>>;
let stranger = "";
let strangers = 0;

beforeEach(async () => {
  strangers += 1;
  stranger = `stranger-${strangers}@elsewhere.example`;
  world = await ticketWorld();
  const { base, here, dana } = world;
  await base.db.batch([
    ...[inboundMail, blockedSenders, outbox, rateLimitAttempts].map((table) => base.db.delete(table)),
  ] as never);
  ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana, status: "waiting_for_customer" });
});

const ref = () => `T-${ticket.number}`;
const held = (options: Partial<Parameters<typeof mailIn>[1]> = {}) =>
  mailIn(world.base, { from: `"Lee Moss" <${stranger}>`, text: "It blinks again.", ...options });
const messages = (ticketId = ticket.id) =>
  world.base.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticketId)).orderBy(asc(sql`rowid`));
const rowOf = async (id: string) => (await mailRows(world.base)).find((row) => row.id === id);

/** Places a mail as somebody of the staff. */
async function place(
  mailId: string,
  destination: Parameters<typeof placeMail>[2]["destination"],
  { ctx, actor } = world.staff(world.sam),
) {
  const placed = await placeMail(ctx, actor, { mailId, destination });
  await world.base.settle();
  return placed;
}

const AUTOMATIC = { "Auto-Submitted": "auto-replied" };
const onTicket = (mailId: string, as = world.staff(world.sam)) => place(mailId, { ticket: ref() }, as);

test("two who decide about one mail at once, each otherwise, make one message, and the slower one learns it", async () => {
  const { id } = await held();
  const [first, second] = await Promise.all([
    onTicket(id),
    place(id, { organizationId: world.there.id }, world.staff(world.avery)),
  ]);
  expect([first.ok, second.ok].toSorted()).toEqual([false, true]);
  expect([first, second].find(({ ok }) => !ok)).toEqual({ ok: false, code: "decided" });
  const opened = await world.base.db.select().from(tickets).where(eq(tickets.organization_id, world.there.id));
  expect((await messages()).length + opened.length).toBe(1);
  expect(await onTicket(id)).toEqual({ ok: false, code: "decided" });
});

test("a colleague who is faster between reading and writing leaves the slower one without a message", async () => {
  const { id } = await held();
  const { ctx, actor } = world.staff(world.avery);
  const slower = interruptedBeforeCommit(ctx as never, () => onTicket(id));
  const placed = await placeMail(slower, actor, { mailId: id, destination: { organizationId: world.there.id } });
  expect(placed).toEqual({ ok: false, code: "decided" });
  expect(await messages()).toHaveLength(1);
  expect(await world.base.db.select().from(contacts).where(eq(contacts.organization_id, world.there.id))).toEqual([]);
});

test("a mail that is erased before it is written leaves nothing: no message, no contact, no copy", async () => {
  const { id } = await held();
  const { ctx, actor } = world.staff(world.sam);
  const erased = interruptedBeforeCommit(ctx as never, () => world.base.db.delete(inboundMail));
  expect(await placeMail(erased, actor, { mailId: id, destination: { ticket: ref() } })).toEqual({
    ok: false,
    code: "mail_not_found",
  });
  expect(await messages()).toEqual([]);
  expect(await world.base.db.select().from(contacts).where(eq(contacts.email, stranger))).toEqual([]);
  expect(await onTicket(id)).toEqual({ ok: false, code: "mail_not_found" });
});

test("whoever is staff no more when it is written puts nothing anywhere", async () => {
  const { id } = await held();
  const { ctx, actor } = world.staff(world.sam);
  const demoted = interruptedBeforeCommit(ctx as never, () =>
    world.base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, world.sam.id)),
  );
  expect((await placeMail(demoted, actor, { mailId: id, destination: { ticket: ref() } })).ok).toBe(false);
  expect(await messages()).toEqual([]);
});

test("a member of another organization, and a contact of one, is put on no ticket of this one", async () => {
  const { base, ivy, there } = world;
  const contact = { id: base.newId("con"), organization_id: there.id, email: `kim-${strangers}@elsewhere.example` };
  await base.db.insert(contacts).values({ ...contact, full_name: "Kim", created_at: 0 });
  for (const from of [ivy.email, contact.email]) {
    const mail = await held({ from, subject: "A", headers: { "Auto-Submitted": "auto-replied" } });
    expect([mail.state, await onTicket(mail.id)]).toEqual(["automatic", { ok: false, code: "elsewhere" }]);
  }
  expect(await messages()).toEqual([]);
});

test("the mail of a blocked sender goes nowhere until they are unblocked, and blocking takes it off the held list", async () => {
  const { id } = await held();
  const other = await held({ subject: "Another" });
  const { ctx, actor } = world.staff(world.sam);
  for (const nonce of ["1", "2"]) expect((await blockSender(ctx, actor, { mailId: id, nonce })).ok).toBe(true);
  expect(await rowOf(other.id)).toMatchObject({ state: "dropped", reason: "blocked" });
  expect(await onTicket(id)).toEqual({ ok: false, code: "blocked" });
  await world.base.db.delete(blockedSenders);
  expect(await onTicket(id)).toMatchObject({ ok: true });
  const written = await world.base.db
    .select({ action: auditEvents.action, who: auditEvents.actor_id })
    .from(auditEvents)
    .where(sql`meta_json LIKE ${`%${id}%`}`);
  expect(written).toEqual([
    { action: "ticket.sender_blocked", who: world.sam.id },
    { action: "ticket.mail_placed", who: world.sam.id },
  ]);
});

test("a stranger becomes a contact of the ticket's organization, is on the ticket, and goes on by mail", async () => {
  const mail = await held();
  world.base.clock.advance(minutes(90));
  expect(await onTicket(mail.id)).toMatchObject({ ok: true, value: { as: "joined", reference: ref() } });
  const [contact] = await world.base.db.select().from(contacts).where(eq(contacts.email, stranger));
  expect(contact).toMatchObject({ organization_id: world.here.id, full_name: "Lee Moss" });
  const [message] = await messages();
  expect(message).toMatchObject({
    ...{ contact_id: contact?.id, user_id: null, author_name: "Lee Moss", side: "client", is_internal: false },
  });
  const row = await ticketRow(world.base, ticket.id);
  expect([row.status, row.last_message_at]).toEqual(["open", mail.received_at]);
  expect(await rowOf(mail.id)).toMatchObject({ state: "processed", reason: "placed", message_id: message?.id });
  const [copy] = await world.base.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticket.id));
  const answer = { from: stranger, to: replyAddress(world.base, ticket, copy?.id ?? ""), text: "Thank you." };
  expect(await mailIn(world.base, answer)).toMatchObject({ state: "processed", ticket_id: ticket.id });
});

/** What staff have done while a mail was held. */
const meanwhile = {
  note: async () => {
    const { ctx, actor } = world.staff(world.avery);
    expect((await takeTicket(ctx, actor, { ticketId: ticket.id, nonce: "take" })).ok).toBe(true);
  },
  reply: async () => {
    const { ctx, actor } = world.staff(world.avery);
    const sent = { ticketId: ticket.id, text: "We ask again.", effect: "send", baseMessage: 100, nonce: "r" } as const;
    expect((await replyAsStaff(ctx, actor, sent)).ok).toBe(true);
  },
};

test("the clock of a mail that was held begins when it arrived, whatever else has changed, but not before a later reply", async () => {
  const { base } = world;
  for (const [what, isReply] of [
    ["note", false],
    ["reply", true],
  ] as const) {
    const mail = await held({ from: `${what}-${stranger}` });
    base.clock.advance(minutes(30));
    const changedAt = base.now();
    await meanwhile[what]();
    base.clock.advance(minutes(60));
    expect(await onTicket(mail.id)).toMatchObject({ ok: true });
    const { promise_json: json } = await ticketRow(base, ticket.id);
    const { startedAt } = (JSON.parse(json) as { running: { startedAt: number } }).running;
    expect([what, startedAt]).toEqual([what, isReply ? changedAt : mail.received_at]);
    const written = (await messages()).at(-1);
    expect([what, written?.created_at]).toEqual([what, mail.received_at]);
    expect(written?.id).toBe((await rowOf(mail.id))?.message_id);
  }
});

test("a mail that is put on a ticket after its client was answered and wrote again leaves the clock that runs", async () => {
  const { base, dana } = world;
  const mail = await held();
  base.clock.advance(minutes(10));
  await meanwhile.reply();
  base.clock.advance(minutes(10));
  const later = await mailIn(base, { from: dana.email, to: replyAddress(base, ticket, dana.id), text: "Still." });
  base.clock.advance(minutes(10));
  const before = (await ticketRow(base, ticket.id)).promise_json;
  expect(await onTicket(mail.id)).toMatchObject({ ok: true });
  const { promise_json: json } = await ticketRow(base, ticket.id);
  expect(JSON.parse(json)).toEqual(JSON.parse(before));
  expect(JSON.parse(json).running.startedAt).toBe(later.received_at);
});

test("ten addresses are in cc of a ticket, however many are put there at once, and each of them is listed", async () => {
  const { base, here } = world;
  const row = { organization_id: here.id, ticket_id: ticket.id };
  for (let count = 0; count < 9; count += 1)
    await base.db
      .insert(ticketCopies)
      .values({ ...row, id: base.newId("cpy"), email: `p${count}@landlord.example`, added_at: 1 });
  const [first, second] = [await held({ from: `a-${stranger}` }), await held({ from: `b-${stranger}` })];
  const placed = await Promise.all([onTicket(first.id), onTicket(second.id, world.staff(world.avery))]);
  expect(placed.filter(({ ok }) => !ok)).toEqual([{ ok: false, code: "too_many_copies" }]);
  expect(await onTicket((await held({ from: `c-${stranger}` })).id)).toEqual({ ok: false, code: "too_many_copies" });
  const copies = await base.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticket.id));
  expect(copies).toHaveLength(10);
  expect((await listCc(base.db, ticket.id)).map(({ email }) => email).toSorted()).toEqual(
    copies.map(({ email }) => email).toSorted(),
  );
  // Whoever is among them goes on writing.
  const joined = copies.find(({ contact_id }) => contact_id !== null)?.email ?? "";
  expect(await onTicket((await held({ from: joined, headers: AUTOMATIC })).id)).toMatchObject({ ok: true });
});

test("that staff have put somebody on a ticket is staff's act in history and activity, what they wrote is not", async () => {
  const { base, sam, omar } = world;
  const unknown = await held();
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, world.here.id));
  const colleague = await held({ from: omar.email, headers: AUTOMATIC });
  for (const { id } of [unknown, colleague]) expect(await onTicket(id)).toMatchObject({ value: { as: "joined" } });
  expect(await historyOf(base, ticket.id)).toEqual([
    ["person_added", null, expect.stringMatching(/^s…@/), "Sam Lee"],
    ["status", "waiting_for_customer", "open", "Lee Moss"],
    ["person_added", null, "Omar Reyes", "Sam Lee"],
  ]);
  const acts = await base.db
    .select({ action: auditEvents.action, id: auditEvents.actor_id, name: auditEvents.actor_name })
    .from(auditEvents)
    .where(sql`subject_id = ${ticket.id} AND action IN ('ticket.person_added', 'ticket.replied')`)
    .orderBy(auditEvents.id);
  expect(acts).toEqual([
    { action: "ticket.person_added", id: sam.id, name: "Sam Lee" },
    { action: "ticket.replied", id: null, name: "A contact" },
    { action: "ticket.person_added", id: sam.id, name: "Sam Lee" },
    { action: "ticket.replied", id: omar.id, name: "Omar Reyes" },
  ]);
});

test("an address in cc becomes a person who answers, and a long-ended ticket goes on in a new one", async () => {
  const copy = { id: world.base.newId("cpy"), organization_id: world.here.id, ticket_id: ticket.id, email: stranger };
  await world.base.db.insert(ticketCopies).values({ ...copy, added_at: 0 });
  const first = await held({ subject: `Re: [${ref()}] Printer` });
  expect(first.reason).toBe("cc_address");
  expect(await onTicket(first.id)).toMatchObject({ ok: true });
  const copies = await world.base.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticket.id));
  expect(copies).toMatchObject([{ id: copy.id, email: stranger }]);
  expect(copies[0]?.contact_id).not.toBeNull();
  const ended = world.base.now() - days(60);
  await world.base.db
    .update(tickets)
    .set({ status: "closed", resolved_at: ended, closed_at: ended })
    .where(eq(tickets.id, ticket.id));
  const late = await held({ from: `ann-${strangers}@elsewhere.example` });
  expect(await onTicket(late.id)).toMatchObject({ ok: true, value: { as: "follow_up" } });
  const placed = await rowOf(late.id);
  expect(placed).toMatchObject({ state: "processed", effect: "follow_up" });
  expect(await ticketRow(world.base, placed?.ticket_id ?? "")).toMatchObject({ follow_up_of: ticket.id });
});

test("mail that claims to be a colleague's becomes an internal note: no reply, no clock, no word to the client", async () => {
  const mail = await held({ from: `"Avery Quinn" <${world.avery.email}>`, subject: `Re: [${ref()}] Printer` });
  expect(mail).toMatchObject({ state: "held", reason: "staff_unproven" });
  const before = await ticketRow(world.base, ticket.id);
  expect(await onTicket(mail.id)).toMatchObject({ ok: true, value: { as: "note" } });
  const [note] = await messages();
  expect(note).toMatchObject({ is_internal: true, user_id: null, author_name: "Mail" });
  expect(note?.message).toContain(world.avery.email);
  expect(note?.message).toContain("which nothing proves");
  const after = await ticketRow(world.base, ticket.id);
  expect([after.status, after.last_message_at, after.version]).toEqual([
    ...[before.status, before.last_message_at, before.version],
  ]);
  expect(await world.base.db.select().from(outbox)).toEqual([]);
  const again = await held({ from: world.avery.email, subject: "New" });
  expect(await place(again.id, { organizationId: world.here.id })).toEqual({ ok: false, code: "is_colleague" });
});

test("no stranger and no colleague gets onto a private ticket by mail; whoever is on it writes there", async () => {
  const people = () => world.base.db.select().from(ticketPeople).where(eq(ticketPeople.ticket_id, ticket.id));
  await world.base.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, ticket.id));
  const mails = [await held(), await held({ from: world.omar.email, headers: AUTOMATIC })];
  for (const { id } of mails) expect(await onTicket(id)).toEqual({ ok: false, code: "is_private" });
  expect([await people(), await messages()]).toEqual([[], []]);
  const own = await held({ from: world.dana.email, headers: AUTOMATIC });
  expect(await onTicket(own.id)).toMatchObject({ ok: true, value: { as: "message" } });
});

test("a ticket that becomes private between reading and writing takes nobody in by mail", async () => {
  const { base, here, omar } = world;
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  for (const from of [stranger, omar.email]) {
    const mail = await held({ from, headers: AUTOMATIC });
    const set = (isPrivate: boolean) =>
      base.db.update(tickets).set({ is_private: isPrivate }).where(eq(tickets.id, ticket.id));
    await set(false);
    const { ctx, actor } = world.staff(world.sam);
    const late = interruptedBeforeCommit(ctx as never, () => set(true));
    const placed = await placeMail(late, actor, { mailId: mail.id, destination: { ticket: ref() } });
    expect([from, placed]).toEqual([from, { ok: false, code: "is_private" }]);
    expect(await messages()).toEqual([]);
    const people = await base.db.select().from(ticketPeople).where(eq(ticketPeople.ticket_id, ticket.id));
    const known = await base.db.select().from(contacts).where(eq(contacts.email, stranger));
    expect([people, known]).toEqual([[], []]);
  }
});

test("a colleague who could not read a ticket is put on it", async () => {
  const { base, here } = world;
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  const colleague = await held({ from: world.omar.email, headers: AUTOMATIC });
  expect(await onTicket(colleague.id)).toMatchObject({ ok: true, value: { as: "joined" } });
  const people = await world.base.db.select().from(ticketPeople).where(eq(ticketPeople.ticket_id, ticket.id));
  expect(people.map(({ user_id }) => user_id)).toEqual([world.omar.id]);
  // A program wrote it, so that the ticket still waits.
  expect((await ticketRow(world.base, ticket.id)).status).toBe("waiting_for_customer");
});

test("a suspended member writes nothing in their own name", async () => {
  const { base, here, omar } = world;
  await base.db.run(
    sql`UPDATE organization_memberships SET status = 'suspended' WHERE user_id = ${omar.id} AND organization_id = ${here.id}`,
  );
  const mail = await held({ from: omar.email });
  expect(await place(mail.id, { organizationId: here.id })).toEqual({ ok: false, code: "is_shut_out" });
  expect(await onTicket(mail.id)).toMatchObject({ ok: true, value: { as: "note" } });
});

test("an organization that staff choose gets the sender as a contact and the mail as a ticket of its time", async () => {
  const mail = await held({ subject: "The tablet", text: "Since Friday." });
  world.base.clock.advance(minutes(200));
  expect(await place(mail.id, { organizationId: "org_missing" })).toEqual({
    ok: false,
    code: "organization_not_found",
  });
  expect(await place(mail.id, { organizationId: world.there.id })).toMatchObject({ ok: true, value: { as: "ticket" } });
  const row = await ticketRow(world.base, (await rowOf(mail.id))?.ticket_id ?? "");
  expect(row).toMatchObject({
    ...{ title: "The tablet", description: "Since Friday.", organization_id: world.there.id, created_by: null },
    ...{ creator_name: "Lee Moss", created_at: mail.received_at, opened_by: null },
  });
  expect(await held({ subject: "And another" })).toMatchObject({ state: "processed", effect: "opened" });
});

test("an organization is made only once nothing stands against the ticket", async () => {
  let made = 0;
  const create = async () => {
    made += 1;
    return world.there.id;
  };
  const colleague = await held({ from: world.avery.email });
  expect(await place(colleague.id, { create })).toEqual({ ok: false, code: "is_colleague" });
  const none = await held({ from: "no address at all", envelopeFrom: stranger });
  expect(await place(none.id, { create })).toEqual({ ok: false, code: "no_person" });
  expect(made).toBe(0);
  expect(await place((await held()).id, { create })).toMatchObject({ ok: true });
  expect(made).toBe(1);
});

test("a mail that is held and delivered again stays one row to decide, and one message whatever comes after", async () => {
  const raw = rawMail({ from: stranger, text: "Once." });
  const envelope = { from: stranger, to: "support@wrenfield.example" };
  const deliver = async () => {
    await handOver(world.base, raw, envelope);
    await world.base.settle();
  };
  await deliver();
  await deliver();
  const [mail] = await mailRows(world.base);
  expect((await mailRows(world.base)).map(({ state }) => state)).toEqual(["held", "dropped"]);
  expect(await onTicket(mail?.id ?? "")).toMatchObject({ ok: true });
  await deliver();
  expect((await mailRows(world.base)).map(({ state }) => state)).toEqual(["processed", "dropped", "dropped"]);
  expect(await messages()).toHaveLength(1);
});

test("of a mail that failed and came a second time one message is made", async () => {
  const raw = rawMail({ from: world.dana.email, to: replyAddress(world.base, ticket, world.dana.id) });
  const envelope = { from: world.dana.email, to: replyAddress(world.base, ticket, world.dana.id) };
  await handOver(world.base, raw, envelope);
  await world.base.settle();
  const [first] = await mailRows(world.base);
  const copy = { ...first, id: world.base.newId("inm"), object_key: "mail/copy", state: "failed" as const };
  await world.base.files.put("mail/copy", new TextEncoder().encode(raw));
  await world.base.db.insert(inboundMail).values({ ...copy, message_id: null, ticket_id: null } as never);
  expect(await onTicket(copy.id)).toEqual({ ok: false, code: "seen" });
  expect(await messages()).toHaveLength(1);
});

test("a retry counts once, is read again, and leaves what a colleague has decided meanwhile", async () => {
  const mail = await held();
  const { ctx, actor } = world.staff(world.sam);
  const retried = await Promise.all([1, 2].map(() => retryMail(ctx, actor, { mailId: mail.id, nonce: "same" })));
  expect(retried.every(({ ok }) => ok)).toBe(true);
  expect(await onTicket(mail.id)).toEqual({ ok: false, code: "decided" });
  expect(await processWaitingMail(world.base)).toBe(1);
  expect(await rowOf(mail.id)).toMatchObject({ state: "held", reason: "unknown_sender" });
  expect(await onTicket(mail.id)).toMatchObject({ ok: true });
  expect(await retryMail(ctx, actor, { mailId: mail.id, nonce: "late" })).toEqual({ ok: false, code: "decided" });
});
