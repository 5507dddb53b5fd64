import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { contacts, organizationMemberships } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { personErasures } from "~/db/schema/privacy";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketEvents, ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import type { NamedContact } from "~/features/contacts/commands.server";
import { listContacts } from "~/features/contacts/queries.server";
import { erasePerson, eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { findPeople } from "~/features/privacy/queries.server";
import { listCc } from "~/features/tickets/cc/queries.server";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { insertTicket, type Requester } from "~/features/tickets/opening/open-ticket.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { fail, ok } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { addDomain, ccOf, contactsWith, makeCc, makeContact } from "../../support/contacts";
import { testContext } from "../../support/context";
import { makeInvitedMember, makeMember, makePerson } from "../../support/factories";
import { mailIn, messagesOf, replyAddress } from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { storeFile } from "../../support/stored-files";
import { collectedMails } from "../../support/ticket-announcements";
import { makeMessage, makeTicket, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let lee: NamedContact;
let count = 0;

beforeEach(async () => {
  // A delivery sends twenty at a time: nothing and nobody of the tests before is to be in the way.
  const { db } = testContext();
  await db.batch([db.delete(outbox), db.delete(userRoles)]);
  world = await ticketWorld();
  count += 1;
  lee = { email: `lee${count}@larkspur.example`, fullName: `Lee Marsh ${count}`, phone: "+1 555 0100" };
});

// The rest of an erasure goes on after the answer.
afterEach(() => world.base.settle());

const nonce = () => crypto.randomUUID();

const open = (requester: Requester = { contact: lee }, organizationId = world.here.id, by = world.staff(world.sam)) =>
  by.open(organizationId, { title: "Scanner", description: "Lee called: it does not scan.", requester });

const opened = async (requester?: Requester, organizationId?: string) =>
  ticketRow(world.base, valueOf(await open(requester, organizationId)).id);

const known = (email: string) => contactsWith(world.base, email);
const mailsTo = async (email: string) => (await collectedMails(world.base)).filter(({ to }) => to === email);

const reply = async (ticketId: string, text: string, files: StoredFile[] = []) =>
  valueOf(await world.staff(world.sam).reply(ticketId, { text, files, baseMessage: 1_000 }));

/** Moves a ticket to another organization, as staff do. */
const move = (ticketId: string, { id }: { id: string }) => world.staff(world.sam).moveTo(ticketId, id);

/** Gives somebody an account in an organization, by which they are a contact no longer. */
async function joins({ id } = world.here, email = lee.email, status: "active" | "suspended" = "active") {
  const person = await makePerson(world.base, { email });
  await makeMember(world.base, id, person, "member", status);
  return person;
}

/** Puts a contact of its organization in cc of a ticket. */
async function inCc(ticketId: string, email: string, created_at = 1) {
  const contactId = await makeContact(world.base, world.here.id, { email, created_at });
  return { contactId, copyId: await makeCc(world.base, ticketId, email, { contact_id: contactId }) };
}

const setEmail = ({ id }: { id: string }, email: string) =>
  world.base.db.update(users).set({ email }).where(eq(users.id, id));

/** Opens a ticket as their first mail does, which makes them known. */
async function openedByMail() {
  const { base, here } = world;
  const mail = { title: "Door", description: "It sticks.", category: null, impact: null, nonce: nonce() };
  const by = { userId: null, fullName: lee.fullName, side: "client" } as const;
  const id = await insertTicket(base, by, {
    ...{ ...mail, organizationId: here.id, priority: "medium", requester: { contact: lee } },
  });
  if (!id.ok) throw new Error(id.code);
  return ticketRow(base, id.value);
}

/** Answers as a contact by mail, which opens a ticket again. */
async function answer({ id, contact_id: contactId }: Awaited<ReturnType<typeof opened>>, ctx: Ctx = world.base) {
  await world.base.db.update(tickets).set({ status: "waiting_for_customer" }).where(eq(tickets.id, id));
  const author = { contactId: contactId ?? "", fullName: lee.fullName };
  return replyAsClient(ctx, author, { ticketId: id, text: "Still", nonce: nonce() });
}

const actorsOf = async (ticketId: string) =>
  (await world.base.db.select().from(ticketEvents).where(eq(ticketEvents.ticket_id, ticketId)).orderBy(sql`rowid`)).map(
    (event) => [event.kind, event.actor_id],
  );

async function erase(contactId: string | null) {
  const { ctx, actor } = world.staff(world.avery);
  expect(await erasePerson(ctx, actor, { personId: contactId ?? "", nonce: nonce() })).toEqual(ok(null));
}

/** Returns what the database still says of an erased contact. */
async function tracesOf({ fullName, email }: NamedContact) {
  const stored = await Promise.all(
    [contacts, tickets, ticketMessages, ticketCopies, ticketEvents, personErasures, outbox].map((table) =>
      world.base.db.select().from(table),
    ),
  );
  return JSON.stringify(stored).match(new RegExp(`${fullName}|${email}`, "gi")) ?? [];
}

test("somebody without an account gets a ticket and what is answered by mail, nothing internal, and no link that needs an account", async () => {
  const ticket = await opened();
  expect(ticket).toMatchObject({ created_by: null, creator_name: lee.fullName, viewers: "" });
  const all = await collectedMails(world.base);
  // Not who owns the organization, instead of them.
  expect(all.map(({ to }) => to)).not.toContain(world.dana.email);
  const [first] = all.filter(({ to }) => to === lee.email);
  expect(first?.subject).toBe(`[T-${ticket.number}] Scanner`);
  expect(first?.text).toMatch(/opened this ticket for you[\s\S]*it does not scan/);
  await world.staff(world.sam).note(ticket.id, "the safe is 4711");
  await reply(ticket.id, "See https://support.example/driver");
  const mails = await mailsTo(lee.email);
  expect(mails.at(-1)?.text).toContain("> See https://support.example/driver");
  expect(JSON.stringify(mails)).not.toMatch(/4711|\/client\/|\/admin\/|\/solved|stop-copies/);
  // They are whose ticket it is, not an address in cc.
  expect(await listCc(world.base.db, ticket.id)).toEqual([]);
});

test("somebody without an account is mailed the files of a message, never those of a note; what does not fit is counted", async () => {
  const { base, sam, staff } = world;
  const { ctx, actor } = staff(sam);
  const ticket = await opened();
  const file = (name: string, bytes = Buffer.from(name)) => storeFile(base, { name, kind: "txt", bytes });
  const note = { ticketId: ticket.id, text: "For us", files: [await file("note.txt")], nonce: nonce() };
  await addInternalNote(ctx, actor, note);
  await reply(ticket.id, "Without");
  const without = (await mailsTo(lee.email)).at(-1);
  expect([without?.files, without?.text.includes("not in this mail")]).toEqual([undefined, false]);
  const large = Buffer.alloc(3_000_000, "a");
  await reply(ticket.id, "", [await file("a.txt"), await file("b.txt", large), await file("c.txt", large)]);
  const mail = (await mailsTo(lee.email)).at(-1);
  expect(mail?.files?.map(({ name, bytes }) => [name, bytes.byteLength])).toEqual([
    ["a.txt", 5],
    ["b.txt", large.byteLength],
  ]);
  expect(mail?.text).toMatch(/added files\.[\s\S]*2 files are attached\.[\s\S]*1 file is not in this mail/);
});

test("a file that is gone, or cannot be read now, keeps no mail from being sent", async () => {
  const { base } = world;
  const ticket = await opened();
  await mailsTo(lee.email);
  const [gone, stays] = await Promise.all(
    ["gone.txt", "stays.txt"].map((name) => storeFile(base, { name, kind: "txt", bytes: Buffer.from(name) })),
  );
  if (!gone || !stays) throw new Error("Nothing was stored");
  await reply(ticket.id, "Both", [gone, stays]);
  await base.files.delete([gone.key]);
  const { get } = base.files;
  base.files.get = () => Promise.reject(new Error("R2 is down"));
  expect(await mailsTo(lee.email)).toEqual([]);
  base.files.get = get;
  const [mail] = await mailsTo(lee.email);
  expect(mail?.files?.map(({ name }) => name)).toEqual(["stays.txt"]);
  expect(mail?.text).toMatch(/1 file is attached\.[\s\S]*1 file is not in this mail/);
});

test("files that make a mail too large, by its text or for its provider, are left out and counted, and it is sent", async () => {
  const { base } = world;
  const ticket = await opened();
  await mailsTo(lee.email);
  const large = () => storeFile(base, { name: "a.txt", kind: "txt", bytes: Buffer.alloc(3_400_000, "a") });
  const printers = "\u{1f5a8}".repeat(20_000);
  await reply(ticket.id, printers);
  await reply(ticket.id, printers, [await large()]);
  await reply(ticket.id, printers);
  const [long] = await mailsTo(lee.email);
  expect([long?.files?.length, long?.text.includes("1 file is not in this mail")]).toEqual([undefined, true]);
  await reply(ticket.id, "Short", [await large()]);
  base.outcomes.push({ kind: "permanent", reason: "E_CONTENT_TOO_LARGE" });
  const [refused] = (await mailsTo(lee.email)).slice(-1);
  expect([refused?.files?.length, refused?.text.includes("1 file is not in this mail")]).toEqual([undefined, true]);
  expect(refused?.text).not.toContain("attached");
  expect(await base.db.select().from(outbox).where(eq(outbox.status, "dead"))).toEqual([]);
});

test("an address in cc that is no contact is told of files and gets none, nor what was attached for a contact", async () => {
  const { base } = world;
  const ticket = await opened();
  await makeCc(base, ticket.id, `vendor${count}@imaging.example`);
  await mailsTo(lee.email);
  await reply(ticket.id, "Look", [await storeFile(base, { name: "a.txt", kind: "txt", bytes: Buffer.from("a") })]);
  const mails = await collectedMails(base);
  const filesTo = (email: string) => mails.filter(({ to }) => to === email).map(({ files }) => files?.length ?? 0);
  expect([filesTo(lee.email), filesTo(`vendor${count}@imaging.example`)]).toEqual([[1], [0]]);
  expect(mails.find(({ to }) => to.startsWith("vendor"))?.text).toContain("1 file is not in this mail");
});

test("an address that has an account in the organization is that member's ticket, of a suspended, deactivated or a colleague's it is none", async () => {
  const { dana, here, sam } = world;
  const ofMember = await opened({ contact: { ...lee, email: dana.email } });
  expect([ofMember.created_by, ofMember.contact_id]).toEqual([dana.id, null]);
  expect(await known(dana.email)).toEqual([]);
  expect(await open({ contact: { ...lee, email: sam.email } })).toEqual(fail("is_colleague"));
  await joins(here, lee.email, "suspended");
  expect(await open()).toEqual(fail("is_suspended"));
  const shutOut = await makePerson(world.base, { status: "deactivated" });
  await makeMember(world.base, here.id, shutOut, "member");
  expect(await open({ contact: { ...lee, email: shutOut.email } })).toEqual(fail("is_suspended"));
  expect(await known(shutOut.email)).toEqual([]);
});

test("a member who reads a contact's ticket is told that the contact gets what they write by mail", async () => {
  const ticket = await opened();
  const { ctx, actor } = world.client(world.dana, world.here, "owner");
  const page = async () => readClientTicket(ctx, actor, { ref: ticket.id, before: null });
  expect((await page())?.readers).toMatch(new RegExp(`${lee.fullName} gets it by mail`));
  expect((await page())?.people[0]).toMatchObject({
    fullName: lee.fullName,
    note: "we opened it for them, gets it by mail",
  });
});

test("one address is one contact of an organization, and its own of another; a contact of another one opens nothing", async () => {
  const first = await opened();
  const again = await opened({ contact: { ...lee, fullName: "Lee M.", phone: "" } });
  expect(again.contact_id).toBe(first.contact_id);
  const elsewhere = await opened({ contact: lee }, world.there.id);
  expect(elsewhere.contact_id).not.toBe(first.contact_id);
  expect((await known(lee.email)).map((one) => [one.organization_id, one.full_name, one.phone])).toEqual([
    [world.here.id, "Lee M.", lee.phone],
    [world.there.id, lee.fullName, lee.phone],
  ]);
  expect(await open({ contactId: first.contact_id ?? "" }, world.there.id)).toEqual(fail("person_not_found"));
  expect((await opened({ contactId: first.contact_id ?? "" })).contact_id).toBe(first.contact_id);
});

test("whoever joins keeps what they have asked and written, and is a contact no longer; a namesake elsewhere stays one", async () => {
  const ticket = await opened();
  const elsewhere = await opened({ contact: lee }, world.there.id);
  const { contact_id } = ticket;
  await makeMessage(world.base, ticket.id, { contact_id, author_name: lee.fullName, side: "client" });
  const person = await joins();
  expect(await ticketRow(world.base, ticket.id)).toMatchObject({
    ...{ created_by: person.id, contact_id: null, viewers: `~${person.id}.` },
  });
  const [message] = await messagesOf(world.base, ticket.id);
  expect([message?.user_id, message?.contact_id]).toEqual([person.id, null]);
  expect((await known(lee.email)).map(({ organization_id }) => organization_id)).toEqual([world.there.id]);
  expect((await ticketRow(world.base, elsewhere.id)).created_by).toBeNull();
  await collectedMails(world.base);
  await reply(ticket.id, "Now in the portal");
  const [mail, ...more] = await mailsTo(lee.email);
  expect([mail?.text.includes("/client/"), more]).toEqual([true, []]);
});

test("whoever joins gets the mails that wait for them, and their former reply address goes on working, for them only", async () => {
  const { base } = world;
  const ticket = await opened();
  const [copy] = await ccOf(base, ticket.id);
  await reply(ticket.id, "Waits for Lee");
  const person = await joins();
  const mails = await mailsTo(lee.email);
  expect(mails.map(({ text }) => [text.includes("> Waits for Lee"), text.includes("/client/")])).toEqual([
    [true, true],
  ]);
  const to = replyAddress(base, ticket, copy?.id ?? "");
  expect(await mailIn(base, { from: lee.email, to })).toMatchObject({ state: "processed", ticket_id: ticket.id });
  expect((await messagesOf(base, ticket.id)).at(-1)).toMatchObject({ side: "client", user_id: person.id });
  expect(await mailIn(base, { from: world.omar.email, to })).toMatchObject({ reason: "token_of_another" });
  // A new address of the account is no reason to lose it.
  await setEmail(person, `new-${lee.email}`);
  expect(await mailIn(base, { from: `new-${lee.email}`, to })).toMatchObject({ state: "processed" });
  expect(await mailIn(base, { from: lee.email, to })).toMatchObject({ reason: "token_of_another" });
  await move(ticket.id, world.there);
  expect(await mailIn(base, { from: `new-${lee.email}`, to })).toMatchObject({ state: "held", reason: "no_member" });
});

test("whoever was taken off a ticket does not come back to it by joining", async () => {
  const { base, here, dana } = world;
  const ticket = await opened();
  const other = await makeTicket(base, { organizationId: here.id, createdBy: dana, isPrivate: true });
  const taken = { contact_id: ticket.contact_id, added_by: world.sam.id, removed_at: base.now() };
  await makeCc(base, other.id, lee.email, taken);
  const person = await joins();
  expect(await base.db.select().from(ticketPeople).where(eq(ticketPeople.user_id, person.id))).toEqual([]);
});

test("one address gets one receipt an hour, as a contact and as the member they have become", async () => {
  const { base, here } = world;
  await addDomain(base, here.id, `d${count}.example`);
  const from = `ann@d${count}.example`;
  await mailIn(base, { from, subject: "Door" });
  await joins(here, from);
  await mailIn(base, { from, subject: "Window" });
  const receipts = await base.db.select().from(outbox).where(eq(outbox.kind, "ticket-received"));
  expect(receipts).toHaveLength(1);
  expect(base.sent.filter(({ to }) => to === from)).toHaveLength(1);
});

test("a member whose account gets the address of a contact takes over what that has asked, and nobody else does", async () => {
  const { base, dana, ivy } = world;
  const ticket = await opened();
  await setEmail(ivy, lee.email);
  expect((await ticketRow(base, ticket.id)).contact_id).not.toBeNull();
  await setEmail(ivy, `gone-${lee.email}`);
  await setEmail(dana, lee.email);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ contact_id: null, created_by: dana.id });
  expect(await known(lee.email)).toEqual([]);
});

test("a ticket that moves to where its person has an account becomes that account's, and moves nowhere where it is shut out", async () => {
  const { base, here, there } = world;
  const person = await joins(there);
  const ticket = await opened({ contact: lee }, here.id);
  await answer(ticket);
  expect((await move(ticket.id, there)).ok).toBe(true);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ created_by: person.id, contact_id: null });
  expect(await messagesOf(base, ticket.id)).toMatchObject([
    { user_id: person.id, contact_id: null, organization_id: there.id },
  ]);
  expect((await known(lee.email)).map(({ organization_id }) => organization_id)).toEqual([]);

  const another = await opened({ contact: lee }, here.id);
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, person.id));
  expect(await move(another.id, there)).toEqual(fail("is_suspended"));
  expect(await ticketRow(base, another.id)).toMatchObject({ organization_id: here.id, contact_id: another.contact_id });
});

test("no row of one organization can name a contact of another", async () => {
  const { base, here, there, dana } = world;
  const ticket = await opened({ contact: lee }, there.id);
  const own = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { contact_id } = ticket;
  const row = { organization_id: here.id, ticket_id: own.id, contact_id };
  const told = { author_name: "Lee", side: "client" as const, message: "Hi", created_at: 1, updated_at: 1 };
  for (const write of [
    () => base.db.update(tickets).set({ contact_id }).where(eq(tickets.id, own.id)),
    () => base.db.insert(ticketMessages).values({ id: "tmg_foreign", ...row, ...told }),
    () => base.db.insert(ticketCopies).values({ id: "cpy_foreign", ...row, email: lee.email, added_at: 1 }),
  ]) {
    await expect(write()).rejects.toThrow();
  }
});

test("a ticket that moves takes its person along, who is then known there and goes on getting its mail", async () => {
  const ticket = await opened();
  await collectedMails(world.base);
  expect((await move(ticket.id, world.there)).ok).toBe(true);
  const { contact_id: contactId } = await ticketRow(world.base, ticket.id);
  expect((await known(lee.email)).find(({ id }) => id === contactId)?.organization_id).toBe(world.there.id);
  expect((await ccOf(world.base, ticket.id)).map((row) => [row.contact_id, row.organization_id])).toEqual([
    [contactId, world.there.id],
  ]);
  await reply(ticket.id, "Moved");
  expect((await mailsTo(lee.email)).at(-1)?.text).toContain("> Moved");
});

test("a contact in copy of a ticket that moves is sent nothing of it, not even what waits, and answers it no more", async () => {
  const { base, there } = world;
  const ticket = await opened();
  const kim = `copied${count}@larkspur.example`;
  const { copyId } = await inCc(ticket.id, kim);
  await reply(ticket.id, "Before");
  expect((await move(ticket.id, there)).ok).toBe(true);
  await reply(ticket.id, "After");
  expect(await mailsTo(kim)).toEqual([]);
  const answered = await mailIn(base, { from: kim, to: replyAddress(base, ticket, copyId) });
  expect(answered).toMatchObject({ state: "held", reason: "token_of_another", ticket_id: null });
});

test("a ticket that moves leaves no one in doubt: the next mail of each who wrote on it opens a ticket where they belong", async () => {
  const { base, here, there } = world;
  // Known by their first mail, which was put with the wrong organization.
  const ticket = await opened();
  const kim = `kim${count}@larkspur.example`;
  const { contactId } = await inCc(ticket.id, kim);
  await answer({ ...ticket, contact_id: contactId });
  expect((await move(ticket.id, there)).ok).toBe(true);
  expect((await known(lee.email)).map(({ organization_id }) => organization_id)).toEqual([there.id]);
  for (const [email, organization] of [
    [lee.email, there],
    [kim, here],
  ] as const) {
    const mail = await mailIn(base, { from: email, subject: "Something else" });
    expect(mail).toMatchObject({ state: "processed", effect: "opened" });
    expect((await ticketRow(base, mail.ticket_id ?? "")).organization_id).toBe(organization.id);
  }
  // With a second ticket there, they are at home in both, and people decide.
  const other = await mailIn(base, { from: lee.email, subject: "Once more" });
  await move(other.ticket_id ?? "", here);
  expect((await known(lee.email)).length).toBe(2);
  expect(await mailIn(base, { from: lee.email, subject: "And again" })).toMatchObject({
    reason: "several_organizations",
  });
});

test("a ticket that was with the wrong organization takes along who writes from a domain of the right one", async () => {
  const { base, there } = world;
  await addDomain(base, there.id, `domain${count}.example`);
  const ticket = await opened();
  const kim = `kim@domain${count}.example`;
  const { contactId } = await inCc(ticket.id, kim, base.now());
  await answer({ ...ticket, contact_id: contactId });
  // That they are none of the former organization says nothing of the next.
  await base.db.update(contacts).set({ refused_at: 1 }).where(sql`id = ${ticket.contact_id}`);
  expect((await move(ticket.id, there)).ok).toBe(true);
  for (const email of [kim, lee.email])
    expect(await known(email)).toMatchObject([{ organization_id: there.id, refused_at: null }]);
});

test("a ticket that moves keeps no contact of the former organization: not in cc, nor as who wrote on it or did something", async () => {
  const { base, here, there } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: world.dana });
  const kim = `kim${count}@larkspur.example`;
  const { contactId, copyId } = await inCc(ticket.id, kim);
  await answer({ ...(await ticketRow(base, ticket.id)), contact_id: contactId });
  await base.db.update(ticketCopies).set({ stopped_mailbox: kim }).where(eq(ticketCopies.id, copyId));
  for (const organization of [there, here, there]) expect((await move(ticket.id, organization)).ok).toBe(true);
  const rows = await known(kim);
  expect(rows.map(({ organization_id }) => organization_id).toSorted()).toEqual([here.id, there.id].toSorted());
  const moved = rows.find(({ organization_id }) => organization_id === there.id)?.id;
  expect(await messagesOf(base, ticket.id)).toMatchObject([{ contact_id: moved, author_name: lee.fullName }]);
  expect(
    (await ccOf(base, ticket.id)).map((row) => [row.contact_id, row.organization_id, row.removed_at !== null]),
  ).toEqual([[moved, there.id, true]]);
  expect((await actorsOf(ticket.id)).filter(([kind]) => kind === "status")).toEqual([["status", moved]]);
  expect(await listCc(base.db, ticket.id)).toEqual([]);
});

test("what a contact does by mail is in the history under their own id, and after an erasure no table keeps their name", async () => {
  const first = await openedByMail();
  await answer(first);
  expect(await actorsOf(first.id)).toEqual([
    ["opened", first.contact_id],
    ["status", first.contact_id],
  ]);
  await collectedMails(world.base);
  const [found] = await findPeople(world.base.db, lee.email);
  expect(found).toMatchObject({ id: first.contact_id, userId: null, name: lee.fullName });
  await erase(first.contact_id);
  await world.base.settle();
  expect(await tracesOf(lee)).toEqual([]);
  expect(await ticketRow(world.base, first.id)).toMatchObject({ title: "Door", contact_id: null });
});

test("whoever joins is found in the history by their account, and a ticket that moves takes its history along", async () => {
  const { base, there, sam } = world;
  const [staying, moving] = [await openedByMail(), await openedByMail()];
  await move(moving.id, there);
  const moved = await ticketRow(base, moving.id);
  expect(moved.contact_id).not.toBe(moving.contact_id);
  expect(await actorsOf(moving.id)).toEqual([
    ["opened", moved.contact_id],
    ["moved", sam.id],
  ]);
  const person = await joins();
  expect(await actorsOf(staying.id)).toEqual([["opened", person.id]]);
  const invited = await makeInvitedMember(base, there.id, { email: lee.email });
  await base.db
    .update(organizationMemberships)
    .set({ user_id: person.id, status: "active" })
    .where(eq(organizationMemberships.id, invited.id));
  expect((await ticketRow(base, moving.id)).created_by).toBe(person.id);
  expect(await actorsOf(moving.id)).toEqual([
    ["opened", person.id],
    ["moved", sam.id],
  ]);
});

test("while somebody is erased nobody can choose them, and what began before brings nothing of them back", async () => {
  const { base, here, there, sam, avery, staff } = world;
  const ticket = await opened();
  await collectedMails(base);
  const id = ticket.contact_id ?? "";
  const erasing = async () => {
    const { ctx, actor } = staff(avery);
    // What follows an erasure waits for the job.
    await erasePerson({ ...ctx, after: () => undefined }, actor, { personId: id, nonce: nonce() });
  };
  expect(await open({ contactId: id }, here.id, staff(sam).interruptedBy(erasing))).toEqual(fail("person_not_found"));
  expect((await listContacts(base.db, here.id)).contacts.map((each) => each.id)).not.toContain(id);
  expect(await open({ contactId: id })).toEqual(fail("person_not_found"));
  expect((await move(ticket.id, there)).ok).toBe(true);
  expect(await base.db.$count(contacts, sql`organization_id = ${there.id} AND email LIKE '%@erased.invalid'`)).toBe(0);
  for (let run = 0; run < 3; run += 1) await eraseRestOfPeople(base);
  expect(await tracesOf(lee)).toEqual([]);
  expect((await ticketRow(base, ticket.id)).contact_id).toBeNull();
});

test("an answer that arrives while its contact is erased is not written", async () => {
  const ticket = await opened();
  await collectedMails(world.base);
  const ctx = interruptedBeforeCommit(world.base, () => erase(ticket.contact_id));
  expect(await answer(ticket, ctx)).toEqual(fail("ticket_not_found"));
  await world.base.settle();
  expect(await tracesOf(lee)).toEqual([]);
});

test("contacts count nowhere: neither as accounts nor as members", async () => {
  const counted = () =>
    world.base.db.all(sql`SELECT (SELECT count(*) FROM ${users}) AS accounts,
      (SELECT sum(value) FROM totals WHERE name LIKE 'user.%' OR name LIKE 'membership.%') AS totals,
      (SELECT all_members FROM organizations WHERE id = ${world.here.id}) AS members`);
  const before = await counted();
  await opened();
  expect(await counted()).toEqual(before);
});
