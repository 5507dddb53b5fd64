import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import { blockSender, placeMail, retryMail } from "~/features/inbound-mail/commands.server";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { listCc } from "~/features/tickets/cc/queries.server";
import { takeTicket } from "~/features/tickets/commands.server";
import { minutes } from "~/lib/time";
import { ccOf, contactsWith, makeCc, makeContact } from "../../support/contacts";
import { clearMail, deliver, mailIn, mailRows, messagesOf, rawMail, replyAddress } from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { historyOf, makeTicket, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let ticket: Awaited<ReturnType<typeof makeTicket>>;
let stranger = "";
let strangers = 0;

beforeEach(async () => {
  strangers += 1;
  stranger = `stranger-${strangers}@elsewhere.example`;
  world = await ticketWorld();
  const { base, here, dana } = world;
  await clearMail(base);
  await base.db.delete(blockedSenders);
  ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana, status: "waiting_for_customer" });
});

const ref = () => `T-${ticket.number}`;
const held = (options: Partial<Parameters<typeof mailIn>[1]> = {}) =>
  mailIn(world.base, { from: `"Lee Moss" <${stranger}>`, text: "It blinks again.", ...options });
const messages = () => messagesOf(world.base, ticket.id);
const people = async () =>
  (await world.base.db.select().from(ticketPeople).where(eq(ticketPeople.ticket_id, ticket.id))).map(
    ({ user_id }) => user_id,
  );
const showOwn = () =>
  world.base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, world.here.id));
const rowOf = async (id: string) => (await mailRows(world.base)).find((row) => row.id === id);

/** Places a mail as somebody of the staff. `meanwhile`: what happens between reading and writing. */
async function place(
  mailId: string,
  destination: Parameters<typeof placeMail>[2]["destination"],
  { ctx, actor } = world.staff(world.sam),
  meanwhile?: () => unknown,
) {
  const own = meanwhile ? interruptedBeforeCommit(ctx, async () => meanwhile()) : ctx;
  const placed = await placeMail(own, actor, { mailId, destination });
  await world.base.settle();
  return placed;
}

const AUTOMATIC = { "Auto-Submitted": "auto-replied" };
const onTicket = (mailId: string, as = world.staff(world.sam), meanwhile?: () => unknown) =>
  place(mailId, { ticket: ref() }, as, meanwhile);

test("a colleague who is faster between reading and writing leaves the slower one without a message", async () => {
  const { id } = await held();
  const slower = place(id, { organizationId: world.there.id }, world.staff(world.avery), () => onTicket(id));
  expect(await slower).toEqual({ ok: false, code: "decided" });
  expect(await onTicket(id)).toEqual({ ok: false, code: "decided" });
  expect(await messages()).toHaveLength(1);
  expect(await world.base.db.$count(contacts, eq(contacts.organization_id, world.there.id))).toBe(0);
});

test("a mail that is erased before it is written leaves nothing: no message, no contact, no copy", async () => {
  const { id } = await held();
  const erased = onTicket(id, undefined, () => world.base.db.delete(inboundMail));
  expect(await erased).toEqual({ ok: false, code: "mail_not_found" });
  expect([await messages(), await contactsWith(world.base, stranger)]).toEqual([[], []]);
  expect(await onTicket(id)).toEqual({ ok: false, code: "mail_not_found" });
});

test("whoever is staff no more when it is written puts nothing anywhere", async () => {
  const { id } = await held();
  const demoted = onTicket(id, undefined, () =>
    world.base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, world.sam.id)),
  );
  expect((await demoted).ok).toBe(false);
  expect(await messages()).toEqual([]);
});

test("a member of another organization, and a contact of one, is put on no ticket of this one", async () => {
  const { base, ivy, there } = world;
  const kim = `kim-${strangers}@elsewhere.example`;
  await makeContact(base, there.id, { email: kim });
  for (const from of [ivy.email, kim]) {
    const mail = await held({ from, subject: "A", headers: AUTOMATIC });
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
  const [contact] = await contactsWith(world.base, stranger);
  expect(contact).toMatchObject({ organization_id: world.here.id, full_name: "Lee Moss" });
  const [message] = await messages();
  expect(message).toMatchObject({
    ...{ contact_id: contact?.id, user_id: null, author_name: "Lee Moss", side: "client", is_internal: false },
  });
  const row = await ticketRow(world.base, ticket.id);
  expect([row.status, row.last_message_at]).toEqual(["open", mail.received_at]);
  expect(await rowOf(mail.id)).toMatchObject({ state: "processed", reason: "placed", message_id: message?.id });
  const [copy] = await ccOf(world.base, ticket.id);
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
    valueOf(await world.staff(world.avery).reply(ticket.id, { baseMessage: 100 }));
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
  const { base } = world;
  for (let count = 0; count < 9; count += 1) await makeCc(base, ticket.id, `p${count}@landlord.example`);
  const [first, second] = [await held({ from: `a-${stranger}` }), await held({ from: `b-${stranger}` })];
  const placed = await Promise.all([onTicket(first.id), onTicket(second.id, world.staff(world.avery))]);
  expect(placed.filter(({ ok }) => !ok)).toEqual([{ ok: false, code: "too_many_copies" }]);
  expect(await onTicket((await held({ from: `c-${stranger}` })).id)).toEqual({ ok: false, code: "too_many_copies" });
  const copies = await ccOf(base, ticket.id);
  expect(copies).toHaveLength(10);
  const listed = (await listCc(base.db, ticket.id)).map(({ email }) => email);
  expect(listed.toSorted()).toEqual(copies.map(({ email }) => email));
  // Whoever is among them goes on writing.
  const joined = copies.find(({ contact_id }) => contact_id !== null)?.email ?? "";
  expect(await onTicket((await held({ from: joined, headers: AUTOMATIC })).id)).toMatchObject({ ok: true });
});

test("that staff have put somebody on a ticket is staff's act in history and activity, what they wrote is not", async () => {
  const { base, sam, omar } = world;
  const unknown = await held();
  await showOwn();
  const colleague = await held({ from: omar.email, headers: AUTOMATIC });
  for (const { id } of [colleague, unknown]) expect(await onTicket(id)).toMatchObject({ value: { as: "joined" } });
  expect(await people()).toEqual([omar.id]);
  // A program wrote the colleague's, so that the ticket still waits.
  expect(await historyOf(base, ticket.id)).toEqual([
    ["person_added", null, "Omar Reyes", "Sam Lee"],
    ["person_added", null, expect.stringMatching(/^s…@/), "Sam Lee"],
    ["status", "waiting_for_customer", "open", "Lee Moss"],
  ]);
  const acts = await base.db
    .select({ action: auditEvents.action, id: auditEvents.actor_id, name: auditEvents.actor_name })
    .from(auditEvents)
    .where(sql`subject_id = ${ticket.id} AND action IN ('ticket.person_added', 'ticket.replied')`)
    .orderBy(auditEvents.id);
  expect(acts).toEqual([
    { action: "ticket.person_added", id: sam.id, name: "Sam Lee" },
    { action: "ticket.replied", id: omar.id, name: "Omar Reyes" },
    { action: "ticket.person_added", id: sam.id, name: "Sam Lee" },
    { action: "ticket.replied", id: null, name: "A contact" },
  ]);
});

test("an address in cc becomes a person who answers", async () => {
  const id = await makeCc(world.base, ticket.id, stranger);
  const first = await held({ subject: `Re: [${ref()}] Printer` });
  expect(first.reason).toBe("cc_address");
  expect(await onTicket(first.id)).toMatchObject({ ok: true });
  expect(await ccOf(world.base, ticket.id)).toMatchObject([{ id, email: stranger, contact_id: expect.any(String) }]);
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
  await world.base.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, ticket.id));
  const mails = [await held(), await held({ from: world.omar.email, headers: AUTOMATIC })];
  for (const { id } of mails) expect(await onTicket(id)).toEqual({ ok: false, code: "is_private" });
  expect([await people(), await messages()]).toEqual([[], []]);
  const own = await held({ from: world.dana.email, headers: AUTOMATIC });
  expect(await onTicket(own.id)).toMatchObject({ ok: true, value: { as: "message" } });
});

test("a ticket that becomes private between reading and writing takes nobody in by mail", async () => {
  const { base, omar } = world;
  await showOwn();
  for (const from of [stranger, omar.email]) {
    const mail = await held({ from, headers: AUTOMATIC });
    const set = (isPrivate: boolean) =>
      base.db.update(tickets).set({ is_private: isPrivate }).where(eq(tickets.id, ticket.id));
    await set(false);
    const placed = await onTicket(mail.id, undefined, () => set(true));
    expect(placed, from).toEqual({ ok: false, code: "is_private" });
    expect([await messages(), await people(), await contactsWith(base, stranger)]).toEqual([[], [], []]);
  }
});

test("a suspended member writes nothing in their own name", async () => {
  const { base, here, omar } = world;
  await base.db.run(sql`UPDATE organization_memberships SET status = 'suspended' WHERE user_id = ${omar.id}`);
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
  const states = async () => (await mailRows(world.base)).map(({ state }) => state);
  const { id } = await deliver(world.base, raw, { from: stranger });
  await deliver(world.base, raw, { from: stranger });
  expect(await states()).toEqual(["held", "dropped"]);
  expect(await onTicket(id)).toMatchObject({ ok: true });
  await deliver(world.base, raw, { from: stranger });
  expect(await states()).toEqual(["processed", "dropped", "dropped"]);
  expect(await messages()).toHaveLength(1);
});

test("of a mail that failed and came a second time one message is made", async () => {
  const envelope = { from: world.dana.email, to: replyAddress(world.base, ticket, world.dana.id) };
  const raw = rawMail(envelope);
  const first = await deliver(world.base, raw, envelope);
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
