import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { contacts, organizationMemberships } from "~/db/schema/organizations";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import { reviewContact } from "~/features/contacts/commands.server";
import { placeMail } from "~/features/inbound-mail/commands.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { findTicketForStaff } from "~/features/tickets/queries.server";
import { days } from "~/lib/time";
import { ccOf, contactsWith, makeCc, makeContact } from "../../support/contacts";
import { testContext } from "../../support/context";
import { as, memberOf, type Person } from "../../support/factories";
import { clearMail, type MailOptions, mailIn, replyAddress } from "../../support/inbound-mail";
import { collectedMails } from "../../support/ticket-announcements";
import { historyOf, makeTicket, partsOf, ticketRow, ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let ticket: Awaited<ReturnType<typeof makeTicket>>;
let vendor = "";
let count = 0;

/** A ticket of Dana's that ended long ago: Omar is on it, and a vendor is in cc. */
beforeEach(async () => {
  count += 1;
  // A delivery sends twenty at a time: nobody of the tests before is to hear of it, too.
  await testContext().db.delete(userRoles);
  vendor = `vendor${count}@imaging.example`;
  world = await ticketWorld();
  const { base, here, dana, omar } = world;
  await clearMail(base);
  ticket = await makeTicket(base, {
    ...{ organizationId: here.id, createdBy: dana, status: "closed", at: base.now() - days(15) },
  });
  await addPerson(omar);
  await addCopy(vendor);
});

const addPerson = ({ id: user_id }: Person) =>
  world.base.db
    .insert(ticketPeople)
    .values({ organization_id: world.here.id, ticket_id: ticket.id, user_id, added_at: 1 });
const addCopy = (email: string, contact_id: string | null = null) =>
  makeCc(world.base, ticket.id, email, { contact_id });
const addContact = (email: string, full_name: string) => makeContact(world.base, world.here.id, { email, full_name });

/** Makes the ticket that of somebody without an account. */
async function ofContact(email: string, fullName: string) {
  const contactId = await addContact(email, fullName);
  await world.base.db
    .update(tickets)
    .set({ created_by: null, contact_id: contactId, creator_name: fullName, viewers: "" })
    .where(eq(tickets.id, ticket.id));
  await addCopy(email, contactId);
  return contactId;
}

/** Puts a mail on the ticket as staff do, and returns the ticket that goes on. */
async function put(mailId: string) {
  const { ctx, actor } = world.staff(world.sam);
  const placed = await placeMail(ctx, actor, { mailId, destination: { ticket: `T-${ticket.number}` } });
  expect(placed).toMatchObject({ ok: true, value: { as: "follow_up" } });
  return ticketRow(world.base, placed.ok ? placed.value.ticketId : "");
}

async function answer(from: string, readerId: string, files: MailOptions["files"] = []) {
  const to = replyAddress(world.base, ticket, readerId);
  const mail = await mailIn(world.base, { from, to, text: "It is back.", files });
  expect(mail).toMatchObject({ state: "processed", effect: "follow_up" });
  return ticketRow(world.base, mail.ticket_id ?? "");
}

/** Lists the mails about a ticket: those that left with it, and those that were collected. */
async function mailsAbout({ number }: { number: number }) {
  const atOnce = [...world.base.sent];
  return [...atOnce, ...(await collectedMails(world.base))].filter(({ subject }) =>
    subject.startsWith(`[T-${number}]`),
  );
}

const peopleOf = async (ticketId: string) =>
  (await world.base.db.select().from(ticketPeople).where(eq(ticketPeople.ticket_id, ticketId))).map((p) => p.user_id);
const inCc = async (ticketId: string) =>
  (await ccOf(world.base, ticketId)).map(({ email, contact_id: contactId }) => ({ email, contactId }));

async function descriptionFor(person: Person, ticketId: string) {
  const found = await readClientTicket(as(world.base, person), memberOf(world.base, person, world.here, "member"), {
    ...{ ref: ticketId, before: null },
  });
  if (!found) throw new Error("They cannot read it");
  return { author: partsOf(found).messages[0]?.author, people: found.people.map(({ name, note }) => [name, note]) };
}

test("a colleague's late answer goes on in a ticket of its requester, with all people and addresses, in the name of who wrote it", async () => {
  const { base, dana, omar } = world;
  const next = await answer(omar.email, omar.id);
  expect(next).toMatchObject({ created_by: dana.id, creator_name: "Dana Ortiz", follow_up_of: ticket.id });
  expect((await ticketRow(base, ticket.id)).status).toBe("closed");
  expect(await peopleOf(next.id)).toEqual([omar.id]);
  expect(await inCc(next.id)).toEqual([{ email: vendor, contactId: null }]);
  expect(await historyOf(base, next.id)).toEqual([["opened", null, "open", "Omar Reyes"]]);
  const opened = await descriptionFor(dana, next.id);
  expect(opened.author).toBe("Omar Reyes");
  expect(opened.people[0]).toEqual(["You", "Omar Reyes opened it for you"]);
  expect((await findTicketForStaff(base.db, next.id))?.writtenBy).toEqual({ id: omar.id, name: "Omar Reyes" });
  const told = Object.fromEntries((await mailsAbout(next)).map(({ to, text }) => [to, text]));
  expect(told[omar.email]).toContain("We have your ticket");
  for (const to of [dana.email, vendor]) {
    expect(told[to], to).toMatch(/Omar Reyes wrote about a ticket that had ended, so it goes on here:\n> It is back\./);
    expect(told[to], to).not.toContain("Earlier:");
  }
});

test("whoever has no account keeps their ticket when a member answers late, and is mailed what goes on", async () => {
  const { dana } = world;
  const lee = `lee${count}@larkspur.example`;
  const contactId = await ofContact(lee, "Lee Marsh");
  await addPerson(dana);
  const next = await answer(dana.email, dana.id);
  expect(next).toMatchObject({ created_by: null, contact_id: contactId, creator_name: "Lee Marsh" });
  expect((await peopleOf(next.id)).toSorted()).toEqual([dana.id, world.omar.id].toSorted());
  expect(await inCc(next.id)).toEqual([
    { email: lee, contactId },
    { email: vendor, contactId: null },
  ]);
  expect((await mailsAbout(next)).filter(({ to }) => to === lee).map(({ text }) => text)).toEqual([
    expect.stringContaining("Dana Ortiz wrote about a ticket that had ended"),
  ]);
});

test("the files of a late answer are sent to whose ticket it is, counted for an address in cc, and not sent to whoever comes later", async () => {
  const { dana, sam } = world;
  const lee = `lee${count}@larkspur.example`;
  const contactId = await ofContact(lee, "Lee Marsh");
  await addPerson(dana);
  const next = await answer(dana.email, dana.id, [{ name: "stuck.txt", type: "text/plain", bytes: "stuck" }]);
  const mails = await mailsAbout(next);
  const mailTo = (email: string) => mails.find(({ to }) => to === email);
  const own = mailTo(lee);
  expect(own?.files?.map(({ name }) => name)).toEqual(["stuck.txt"]);
  expect(own?.text).toContain("1 file is attached.");
  expect([mailTo(vendor)?.files?.length, mailTo(vendor)?.text.includes("1 file is not in this mail")]).toEqual([
    undefined,
    true,
  ]);
  expect(contactId).toBe(next.contact_id);
  const { ctx, actor } = world.staff(sam);
  const by = { userId: actor.userId, fullName: actor.fullName, side: "staff" } as const;
  await addCc(ctx, { side: "staff", by }, { ticketId: next.id, email: `late-${vendor}`, nonce: "late" });
  const [late] = (await mailsAbout(next)).filter(({ to }) => to === `late-${vendor}`);
  expect(late?.text).toContain("Sam Lee added you to this ticket.");
  expect([late?.files?.length, late?.text.includes("not in this mail")]).toEqual([undefined, false]);
});

test("a contact in cc who answers late stays in cc, is named as who wrote it, and gets the one receipt", async () => {
  const { base, dana } = world;
  const email = `kim${count}@larkspur.example`;
  const contactId = await addContact(email, "Kim West");
  const next = await answer(email, await addCopy(email, contactId));
  expect(next).toMatchObject({ created_by: dana.id, contact_id: null, creator_name: "Dana Ortiz" });
  expect(await inCc(next.id)).toContainEqual({ email, contactId });
  expect((await findTicketForStaff(base.db, next.id))?.writtenBy).toEqual({ id: contactId, name: "Kim West" });
  expect((await mailsAbout(next)).filter(({ to }) => to === email).map(({ text }) => text)).toEqual([
    expect.stringContaining("We have your ticket"),
  ]);
});

test("where its requester has left, the ticket that goes on is that of who wrote", async () => {
  const { base, dana, omar } = world;
  await base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, dana.id));
  const next = await answer(omar.email, omar.id);
  expect(next).toMatchObject({ created_by: omar.id, creator_name: "Omar Reyes" });
  expect(await peopleOf(next.id)).toEqual([]);
  expect((await findTicketForStaff(base.db, next.id))?.writtenBy).toBeNull();
});

test("a member of the organization who was in cc by address is no address of the ticket that goes on", async () => {
  const { omar, dana } = world;
  await addCopy(dana.email);
  const next = await answer(omar.email, omar.id);
  expect((await inCc(next.id)).map(({ email }) => email)).toEqual([vendor]);
});

test("a stranger whom staff put on a ticket that ended long ago is on the one that goes on, which stays its requester's", async () => {
  const { base, here, dana } = world;
  const stranger = `ann${count}@elsewhere.example`;
  const mail = await mailIn(base, { from: `"Ann Poe" <${stranger}>`, text: "It is back." });
  expect(mail.state).toBe("held");
  const next = await put(mail.id);
  expect(next).toMatchObject({ created_by: dana.id, follow_up_of: ticket.id, description: "It is back." });
  const [contact] = await contactsWith(base, stranger);
  expect(contact).toMatchObject({ organization_id: here.id, full_name: "Ann Poe" });
  expect(await inCc(next.id)).toContainEqual({ email: stranger, contactId: contact?.id });
  expect(await inCc(ticket.id)).not.toContainEqual(expect.objectContaining({ email: stranger }));
  expect((await findTicketForStaff(base.db, next.id))?.writtenBy).toEqual({ id: contact?.id, name: "Ann Poe" });
});

test("a stranger whom staff put there is the requester where the former one has left", async () => {
  const { base, dana } = world;
  await base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, dana.id));
  const stranger = `bo${count}@elsewhere.example`;
  const mail = await mailIn(base, { from: stranger, text: "It is back." });
  const next = await put(mail.id);
  const [contact] = await contactsWith(base, stranger);
  expect(next).toMatchObject({ created_by: null, contact_id: contact?.id });
  expect(await inCc(next.id)).toContainEqual({ email: stranger, contactId: contact?.id });
});

test("staff put the mail of a contact who was none of the organization on the ticket that ended, and they are one again", async () => {
  const { base, here, sam } = world;
  const email = `kit${count}@larkspur.example`;
  const contactId = await ofContact(email, "Kit Rowe");
  await base.db.update(contacts).set({ needs_review_at: 1 }).where(eq(contacts.id, contactId));
  const { ctx, actor } = world.staff(sam);
  const review = { contactId, organizationId: here.id, isOurs: false, nonce: "review" };
  expect(await reviewContact(ctx, actor, review)).toMatchObject({ ok: true });
  const mail = await mailIn(base, { from: email, text: "It is back." });
  expect(mail).toMatchObject({ state: "held", reason: "refused_contact" });
  const next = await put(mail.id);
  expect(next).toMatchObject({ created_by: null, contact_id: contactId, description: "It is back." });
  expect(await inCc(next.id)).toContainEqual({ email, contactId });
  expect(await contactsWith(base, email)).toMatchObject([{ refused_at: null }]);
});

test("the mail of a contact who was none of the organization goes on in the ticket of its requester who is one", async () => {
  const { base, here, dana } = world;
  const email = `kit${count}@larkspur.example`;
  const contactId = await makeContact(base, here.id, { email, refused_at: 1 });
  const mail = await mailIn(base, { from: email, text: "It is back." });
  const next = await put(mail.id);
  expect(next).toMatchObject({ created_by: dana.id, organization_id: here.id });
  expect(await inCc(next.id)).toContainEqual({ email, contactId });
});
