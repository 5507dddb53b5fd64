import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { contacts, otherAddresses } from "~/db/schema/organizations";
import { mailAddressHolds } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import { removeAddress } from "~/features/contacts/commands.server";
import { placeMail } from "~/features/inbound-mail/commands.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { findPersonAccount } from "~/features/user-management/queries.server";
import { contactsWith, makeContact } from "../../support/contacts";
import { makeInvitedMember } from "../../support/factories";
import { clearMail, mailIn, mailRows, messagesOf, replyAddress } from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { makeTicket, textsOf, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let ticket: Awaited<ReturnType<typeof makeTicket>>;
let mailbox = "";
let mailboxes = 0;

beforeEach(async () => {
  mailboxes += 1;
  mailbox = `dana-at-home-${mailboxes}@elsewhere.example`;
  world = await ticketWorld();
  const { base, here, dana } = world;
  await clearMail(base);
  for (const table of [blockedSenders, mailAddressHolds, otherAddresses]) await base.db.delete(table);
  ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
});

const held = (options: Partial<Parameters<typeof mailIn>[1]> = {}) =>
  mailIn(world.base, {
    ...{ from: `"Dana" <${mailbox}>`, subject: `Re: [T-${ticket.number}] Scanner`, text: "Come on Tuesday." },
    ...options,
  });

async function take(mailId: string, person = world.dana.email, { ctx, actor } = world.staff(world.sam)) {
  const placed = await placeMail(ctx, actor, { mailId, destination: { person } });
  await world.base.settle();
  return placed.ok ? placed.value.as : placed.code;
}

const remembered = () => world.base.db.select().from(otherAddresses);
const mailedTo = () => world.base.sent.map(({ to }) => to);
const newContact = (email: string, organizationId = world.here.id) =>
  makeContact(world.base, organizationId, { email });
/** Holds a mail for a person to decide, whatever has become of it. */
async function heldAgain(options: Parameters<typeof held>[0]) {
  const { id } = await held(options);
  await world.base.db.update(inboundMail).set({ state: "held", ticket_id: null }).where(eq(inboundMail.id, id));
  return id;
}
const openedBy = async (mailId: string) =>
  ticketRow(world.base, (await mailRows(world.base)).find(({ id }) => id === mailId)?.ticket_id ?? "");
const setEmail = (userId: string, email: string) =>
  world.base.db.update(users).set({ email }).where(eq(users.id, userId));

test("the address of an account, of a contact, of staff, of us, or of somebody invited becomes nobody else's", async () => {
  const { base, here, there, ivy, avery, dana } = world;
  const kim = `kim-${mailboxes}@elsewhere.example`;
  const invited = `lee-${mailboxes}@elsewhere.example`;
  await newContact(kim, there.id);
  await makeInvitedMember(base, here.id, { email: invited });
  const outcomes: unknown[] = [];
  for (const from of [ivy.email, kim, invited, avery.email, dana.email, "no-reply@elsewhere.example"])
    outcomes.push(await take(await heldAgain({ from, subject: "A" })));
  expect(outcomes).toEqual([...Array(5).fill("address_taken"), "no_person"]);
  expect([await remembered(), await textsOf(base, ticket.id)]).toEqual([[], []]);
});

test("nobody becomes a colleague, a stranger, or somebody shut out by a mail, and nobody of several organizations", async () => {
  const { base, here, there, avery, ivy } = world;
  const { id } = await held();
  const [refused, both] = ["refused", "both"].map((name) => `${name}-${mailboxes}@larkspur.example`) as [
    string,
    string,
  ];
  await makeContact(base, here.id, { email: refused, refused_at: 1 });
  for (const organization of [here, there]) await newContact(both, organization.id);
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, ivy.id));
  for (const person of [avery.email, "unknown@elsewhere.example", refused, ivy.email])
    expect(await take(id, person), person).toBe("person_not_found");
  expect(await take(id, both)).toBe("person_of_several");
  expect([await remembered(), await textsOf(base, ticket.id)]).toEqual([[], []]);
});

test("an address that is blocked or bounces is taken for nobody's, nor for theirs who could not be told", async () => {
  const { base, dana } = world;
  const { id } = await held();
  for (const email of [mailbox, dana.email]) {
    await base.db.insert(mailAddressHolds).values({ to_hash: recipientHash(base, email), reason: "b", since: 1 });
    expect(await take(id)).toBe("address_bounces");
    await base.db.delete(mailAddressHolds);
    await base.db.insert(blockedSenders).values({ email, blocked_by: "x", blocked_at: 0 });
    expect(await take(id)).toBe("blocked");
    await base.db.delete(blockedSenders);
  }
  const { ctx, actor } = world.staff(world.avery);
  const meanwhile = interruptedBeforeCommit(ctx as never, () =>
    base.db.insert(blockedSenders).values({ email: mailbox, blocked_by: "x", blocked_at: 0 }),
  );
  expect(await placeMail(meanwhile, actor, { mailId: id, destination: { person: dana.email } })).toMatchObject({
    code: "blocked",
  });
  expect([await remembered(), await textsOf(base, ticket.id)]).toEqual([[], []]);
});

test("pressed twice, and by two at once for two people, the mail becomes one message of one of them", async () => {
  const { base, dana, here } = world;
  const kim = `kim-${mailboxes}@larkspur.example`;
  await newContact(kim);
  const { id } = await held();
  const outcomes = await Promise.all([take(id), take(id, kim, world.staff(world.avery)), take(id)]);
  expect(outcomes.filter((as) => as === "decided")).toHaveLength(2);
  expect(await remembered()).toHaveLength(1);
  const opened = await base.db.select().from(tickets).where(eq(tickets.organization_id, here.id));
  expect((await textsOf(base, ticket.id)).length + opened.length).toBe(2);
  // Another mail from there cannot be somebody else's.
  const [whose] = await remembered();
  const other = whose?.user_id === dana.id ? kim : dana.email;
  expect(await take(await heldAgain({ subject: "A" }), other)).toBe("address_taken");
});

test("a mail lands on no ticket that the person cannot see, however often it names it: it opens one of theirs", async () => {
  const { base, here, there, dana, ivy } = world;
  const foreign = await makeTicket(base, { organizationId: there.id, createdBy: ivy });
  const { id } = await held({ subject: `Re: [T-${foreign.number}] A` });
  expect(await take(id)).toBe("ticket");
  expect(await textsOf(base, foreign.id)).toEqual([]);
  for (const table of [ticketPeople, ticketCopies])
    expect(await base.db.select().from(table).where(eq(table.ticket_id, foreign.id))).toEqual([]);
  expect(await openedBy(id)).toMatchObject({ organization_id: here.id, created_by: dana.id });
});

test("it becomes their message, they are told where they are known, and nothing ever leaves for the new address", async () => {
  const { base, dana, sam } = world;
  const { id } = await held();
  expect(await take(id)).toBe("message");
  expect(await messagesOf(base, ticket.id)).toMatchObject([{ user_id: dana.id, message: "Come on Tuesday." }]);
  const told = base.sent.filter(({ subject }) => subject === "A mail was taken as yours");
  expect(told).toMatchObject([{ to: dana.email }]);
  expect(told[0]?.text).toContain(mailbox);
  // Mail from there is theirs now, also to their own reply address.
  const next = await held({ subject: "Another thing", text: "And the printer." });
  expect(next).toMatchObject({
    state: "processed",
    effect: "opened",
    from_address: mailbox,
    original_address: dana.email,
  });
  const answer = await held({ subject: "Re: A", to: replyAddress(base, ticket, dana.id), text: "Still." });
  expect(answer).toMatchObject({ state: "processed", ticket_id: ticket.id });
  valueOf(await world.staff(sam).reply(ticket.id, { text: "We come.", baseMessage: 3 }));
  await base.settle();
  expect(mailedTo()).not.toContain(mailbox);
  expect(mailedTo()).toContain(dana.email);
  expect(await contactsWith(base, mailbox)).toEqual([]);
  expect(await base.db.select().from(ticketCopies).where(eq(ticketCopies.email, mailbox))).toEqual([]);
});

test("an address that is taken off is held again, and one that turns out to be an account's own is its own", async () => {
  const { ivy, sam } = world;
  expect(await take((await held()).id)).toBe("message");
  const { ctx, actor } = world.staff(sam);
  await setEmail(ivy.id, mailbox);
  expect(await remembered()).toEqual([]);
  expect((await openedBy((await held({ subject: "Mine" })).id)).created_by).toBe(ivy.id);
  await setEmail(ivy.id, `ivy-${mailboxes}@back.example`);
  for (const nonce of ["1", "1", "2"])
    expect((await removeAddress(ctx, actor, { email: mailbox, nonce })).ok).toBe(true);
  expect(await held({ subject: "Again" })).toMatchObject({ state: "held", reason: "unknown_sender" });
});

test("whoever becomes known by a further address has it for themselves, and it is shown at nobody else", async () => {
  const { base, here, dana, ivy, sam } = world;
  expect(await take((await held()).id)).toBe("message");
  const contact = { email: mailbox, fullName: "Kim", phone: "" };
  valueOf(await world.staff(sam).open(here.id, { requester: { contact } }));
  expect([await remembered(), (await findPersonAccount(base.db, dana.id, 0))?.otherAddresses]).toEqual([[], []]);
  // The same for one who is here already, and takes the address.
  const second = `second-${mailboxes}@elsewhere.example`;
  await base.db.insert(otherAddresses).values({ email: second, user_id: ivy.id, added_by: sam.id, added_at: 0 });
  const kim = await newContact(`kim-${mailboxes}@larkspur.example`);
  await base.db.update(contacts).set({ email: second }).where(eq(contacts.id, kim));
  expect(await remembered()).toEqual([]);
});

test("somebody without an account keeps their further address when they get one, and when their ticket is moved", async () => {
  const { base, there, dana, sam } = world;
  const kim = `kim-${mailboxes}@larkspur.example`;
  const contactId = await newContact(kim);
  const { id } = await held({ subject: "Scanner" });
  expect(await take(id, kim)).toBe("ticket");
  expect(await remembered()).toMatchObject([{ email: mailbox, contact_id: contactId, user_id: null }]);
  const { id: ticketId } = await openedBy(id);
  valueOf(await world.staff(sam).moveTo(ticketId, there.id));
  const moved = (await contactsWith(base, kim)).find(({ organization_id }) => organization_id === there.id);
  expect(moved).toBeTruthy();
  expect(await remembered()).toMatchObject([{ email: mailbox, contact_id: moved?.id }]);
  await base.db.update(contacts).set({ member_id: dana.id }).where(sql`id = ${moved?.id}`);
  expect(await remembered()).toMatchObject([{ email: mailbox, contact_id: null, user_id: dana.id }]);
});
