import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { commit } from "~/db/client.server";
import { inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizationDomains, organizationMemberships, otherAddresses } from "~/db/schema/organizations";
import { capturedMails, outbox } from "~/db/schema/outbox";
import { erasedAddresses, personErasures } from "~/db/schema/privacy";
import { contactSubmissions } from "~/db/schema/submissions";
import { confirmEmailChange } from "~/features/account/change-email.server";
import { enqueueMail, recipientHash } from "~/features/mail/enqueue-mail.server";
import { findHeldSubject, placeHold } from "~/features/privacy/actions.server";
import { erasePerson, eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { exportPerson } from "~/features/privacy/person-files.server";
import { countPerson, findPeople, findPersonalData } from "~/features/privacy/queries.server";
import { fail, ok } from "~/lib/errors";
import { addDomain, makeContact } from "../../support/contacts";
import { derive, type TestContext } from "../../support/context";
import { emailChangeLink, requestChange } from "../../support/email-change";
import { makeInvitedMember, makePerson, makeSubmission, type Person } from "../../support/factories";
import { clearMail, mailIn, messagesOf } from "../../support/inbound-mail";
import { signedMailIn, stubDns } from "../../support/staff-mail";
import { ticketRow, ticketWorld } from "../../support/tickets";
import { unzip } from "../../support/unzip";

beforeEach(() => stubDns());
afterEach(() => {
  vi.unstubAllGlobals();
});

const forwarded = (sender: string) =>
  `\n\n---------- Forwarded message ---------\nFrom: ${sender}\nDate: Wed, Nov 18, 2026 at 2:55 PM\nSubject: Scanner\nTo: <tess@wrenfield.example>\n\n\nIt jams.\n`;

async function world() {
  const { base, here, avery, staff } = await ticketWorld();
  const tech = await makePerson(base, { role: "moderator", fullName: "Tess Hale", withTotp: true });
  await clearMail(base);
  for (const table of [organizationDomains, erasedAddresses, personErasures]) await base.db.delete(table);
  await addDomain(base, here.id, "larkspur.example");
  const forward = (sender: string, isForged = false) =>
    signedMailIn(base, { from: tech.email, subject: "Fwd: Scanner", text: forwarded(sender), isForged });
  const personNamed = async (email: string) => {
    const [found] = await findPeople(base.db, email);
    if (!found) throw new Error(`Nobody has ${email}`);
    return found;
  };
  /** Erases what goes at once, with all mail. Their name in what they have written would follow. */
  const erase = async (personId: string) => {
    const { ctx, actor } = staff(avery);
    const brief = derive(ctx, { budget: { isUsedUp: () => true } });
    const erased = await erasePerson(brief, actor, { personId, nonce: crypto.randomUUID() });
    await base.settle();
    return erased;
  };
  const exported = async (personId: string) => {
    const { ctx, actor } = staff(avery);
    const result = await exportPerson(ctx, actor, { personId, after: "" });
    if (result.outcome !== "download") throw new Error(result.outcome);
    return unzip(new Uint8Array(await new Response(result.content as BodyInit).arrayBuffer()));
  };
  return { base, here, avery, tech, staff, forward, personNamed, erase, exported };
}

async function changeTo(base: TestContext, person: Person, email: string): Promise<void> {
  await requestChange(base, person, email);
  await confirmEmailChange(base, await emailChangeLink(base, email, /confirm/i));
}

const referenceOf = async (ctx: TestContext, ticketId: string | null) =>
  `T-${(await ticketRow(ctx, ticketId ?? "")).number}`;

/** Somebody's program answers a mail about a ticket. */
const answersItself = async (ctx: TestContext, from: string, ticketId: string | null, text: string) => {
  const subject = `Re: [${await referenceOf(ctx, ticketId)}] Scanner`;
  return mailIn(ctx, { from, subject, text, headers: { "Auto-Submitted": "auto-replied" } });
};

const erasedHashes = async ({ db }: TestContext) =>
  (await db.select().from(erasedAddresses)).map(({ email_hash }) => email_hash);

const mailsWith = async (db: Awaited<ReturnType<typeof world>>["base"]["db"], text: string) =>
  (await db.select().from(inboundMail)).filter((row) => JSON.stringify(row).toLowerCase().includes(text));

test("mails that colleagues forwarded go with the person who wrote them, in every state and with their bytes", async () => {
  const { base, forward, personNamed, erase, tech } = await world();
  const opened = await forward("Lee Moss <Lee@Larkspur.example>");
  expect(opened).toMatchObject({ state: "processed", original_address: "lee@larkspur.example" });
  // It is not proven, so nothing was opened; what is in it is theirs all the same.
  const unproven = await forward("Lee Moss <lee@larkspur.example>", true);
  expect(unproven).toMatchObject({ reason: "staff_unproven", original_address: "lee@larkspur.example" });
  const other = await forward("Max Roe <max@stranger.example>");
  const { id } = await personNamed("lee@larkspur.example");
  expect(await erase(id)).toEqual(ok(null));
  expect(await mailsWith(base.db, "lee@larkspur.example")).toEqual([]);
  expect(await base.files.get(opened.object_key)).toBeNull();
  expect(await base.files.get(unproven.object_key)).toBeNull();
  expect(await base.files.get(other.object_key)).not.toBeNull();
  expect(await mailsWith(base.db, tech.email)).toHaveLength(1);
  // An old mail that a colleague forwards does not bring them back; they themselves may write again.
  expect(await forward("Lee Moss <lee@larkspur.example>")).toMatchObject({ reason: "unknown_original_sender" });
  expect(await mailIn(base, { from: "lee@larkspur.example", subject: "Me again" })).toMatchObject({
    state: "processed",
  });
  expect(await erase((await personNamed("lee@larkspur.example")).id)).toEqual(ok(null));
});

test("who is known by a held mail only, their own or a forwarded one, is found, exported and erased", async () => {
  const { base, forward, personNamed, erase, exported } = await world();
  await forward("Max Roe <max@stranger.example>");
  await mailIn(base, { from: "Ann Other <ann@elsewhere.example>", subject: "Quote please" });
  const max = await personNamed("max@stranger.example");
  expect(max).toMatchObject({ userId: null, email: "max@stranger.example" });
  const ann = await personNamed("ann@elsewhere.example");
  expect(ann).toMatchObject({ name: "Ann Other" });
  for (const person of [max, ann]) {
    expect(await findPersonalData(base.db, person.id)).toEqual(person);
    expect(await countPerson(base.db, person, sql`0`)).toMatchObject({ mails: 1 });
  }
  const ofMax = await exported(max.id);
  expect(JSON.parse(ofMax.get("mails-that-we-forwarded.ndjson") ?? "")).toMatchObject({ subject: "Fwd: Scanner" });
  // Who of us forwarded it is no data of theirs.
  expect([...ofMax.values()].join()).not.toContain("Tess");
  expect((await exported(ann.id)).get("mails.ndjson")).toContain("Quote please");
  expect([await erase(max.id), await erase(ann.id)]).toEqual([ok(null), ok(null)]);
  expect(await base.db.$count(inboundMail)).toBe(0);
  expect(await findPeople(base.db, "max@stranger.example")).toEqual([]);
});

test("mail from a further address of theirs is theirs in the export, and goes with them, with the address", async () => {
  const { base, here, avery, personNamed, erase, exported } = await world();
  const email = "kim@willow.example";
  const other = { email: "kim.at.home@elsewhere.example", contact_id: await makeContact(base, here.id, { email }) };
  const before = await mailIn(base, { from: other.email, subject: "Before" });
  await base.db.insert(otherAddresses).values({ ...other, added_by: avery.id, added_at: 0 });
  expect(await mailIn(base, { from: other.email, subject: "After" })).toMatchObject({ state: "processed" });
  const invited = await makeInvitedMember(base, here.id, other);
  await commit(base.db, [enqueueMail(base, "account-exists", { to: other.email, about: null, data: {} })]);
  const person = await personNamed(other.email);
  expect(person.email).toBe(email);
  const files = await exported(person.id);
  const text = JSON.stringify([...files.values()]);
  for (const part of [other.email, "Before", "After"]) expect(text).toContain(part);
  expect(await erase(person.id)).toEqual(ok(null));
  expect(await mailsWith(base.db, "elsewhere.example")).toEqual([]);
  expect(await base.db.$count(otherAddresses)).toBe(0);
  expect(await base.files.get(before.object_key)).toBeNull();
  expect(await base.db.$count(organizationMemberships, eq(organizationMemberships.id, invited.id))).toBe(0);
  const isMail = sql`to_hash = ${recipientHash(base, other.email)} AND params_enc IS NOT NULL`;
  expect(await base.db.$count(outbox, isMail)).toBe(0);
});

test("a further address that is another's own by now is theirs alone, and what we had noted of it is erased", async () => {
  const { base, here, avery, forward, personNamed, erase, exported } = await world();
  const kim = await makeContact(base, here.id, { email: "kim@willow.example" });
  const lee = await makeContact(base, here.id, { email: "lee@willow.example" });
  const [mine, theirs] = ["kim.at.home@larkspur.example", "shared@elsewhere.example"];
  const { ticket_id } = await forward(`Kim <${mine}>`);
  await answersItself(base, mine, ticket_id, "Away.");
  await base.db.delete(contacts).where(eq(contacts.email, mine));
  for (const email of [mine, theirs])
    await base.db.insert(otherAddresses).values({ email, contact_id: kim, added_by: avery.id, added_at: 0 });
  await base.db.update(contacts).set({ email: theirs }).where(eq(contacts.id, lee));
  await mailIn(base, { from: theirs, subject: "Of another" });
  const person = await personNamed("kim@willow.example");
  expect(JSON.stringify([...(await exported(person.id)).values()])).not.toContain("Of another");
  expect(await erase(person.id)).toEqual(ok(null));
  expect(await mailsWith(base.db, mine)).toEqual([]);
  expect(await mailsWith(base.db, theirs)).toHaveLength(1);
  expect(await base.db.select().from(otherAddresses)).toEqual([]);
  expect(await messagesOf(base, ticket_id ?? "")).toMatchObject([{ message: "Former member\n\nAway." }]);
});

test("who has more further addresses than a statement takes values is erased with all of them", async () => {
  const { base, here, avery, erase } = await world();
  const kim = await makeContact(base, here.id, { email: "kim@willow.example" });
  await base.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 120)
    INSERT INTO other_addresses(email, contact_id, added_by, added_at)
    SELECT 'kim' || i || '@elsewhere.example', ${kim}, ${avery.id}, 0 FROM n`);
  await base.db.insert(capturedMails).values(
    ["kim1@elsewhere.example", "kim120@elsewhere.example", "other@elsewhere.example"].map((to) => ({
      ...{ id: to, from: "a@b.example", to, subject: "Hello", text: "", html: "", headers_json: "{}", created_at: 0 },
    })),
  );
  expect(await erase(kim)).toEqual(ok(null));
  const hashes = await erasedHashes(base);
  expect(hashes).toHaveLength(121);
  expect(hashes).toContain(recipientHash(base, "kim120@elsewhere.example"));
  expect((await base.db.select().from(capturedMails)).map(({ to }) => to)).toEqual(["other@elsewhere.example"]);
});

test("an address that the account had before goes with it, and nobody brings it back", async () => {
  const { base, forward, personNamed, erase } = await world();
  const lee = await makePerson(base, { fullName: "Lee Moss", email: "lee@larkspur.example" });
  await makeSubmission(base, { email: lee.email, firstName: "Lee", lastName: "Moss" });
  const arrived = await forward(`Lee Moss <${lee.email}>`);
  await changeTo(base, lee, "moss@willow.example");
  await changeTo(base, { ...lee, email: "moss@willow.example" }, "lee.moss@willow.example");
  await base.db.delete(contacts).where(eq(contacts.email, lee.email));
  const person = await personNamed("lee.moss@willow.example");
  expect(await countPerson(base.db, person, sql`0`)).toMatchObject({ submissions: 1, mails: 1 });
  expect(await erase(person.id)).toEqual(ok(null));
  while ((await eraseRestOfPeople(base)).more);
  expect(await mailsWith(base.db, lee.email)).toEqual([]);
  expect(await base.files.get(arrived.object_key)).toBeNull();
  expect(await base.db.$count(contactSubmissions, eq(contactSubmissions.email, lee.email))).toBe(0);
  const hashes = await erasedHashes(base);
  const had = ["lee@larkspur.example", "moss@willow.example", "lee.moss@willow.example"];
  expect(new Set(hashes)).toEqual(new Set(had.map((email) => recipientHash(base, email))));
  const { keys } = await base.files.listOlderThan("erased/", Number.MAX_SAFE_INTEGER, undefined);
  const notes = keys.map(async (key) => (await new Response(await base.files.get(key)).json()) as { email: string });
  expect((await Promise.all(notes)).map(({ email }) => email)).toEqual(expect.arrayContaining(hashes));
  expect(await forward(`Lee Moss <${lee.email}>`)).toMatchObject({ reason: "unknown_original_sender" });
});

test("an address that the account had before and another has now is theirs alone", async () => {
  const { base, personNamed, erase } = await world();
  const pat = await makePerson(base, { fullName: "Pat Moss", email: "desk@larkspur.example" });
  await changeTo(base, pat, "pat@larkspur.example");
  const kim = await makePerson(base, { fullName: "Kim Roe", email: "desk@larkspur.example" });
  await makeSubmission(base, { email: kim.email });
  expect(await erase((await personNamed("pat@larkspur.example")).id)).toEqual(ok(null));
  expect(await base.db.$count(contactSubmissions, eq(contactSubmissions.email, kim.email))).toBe(1);
  expect(await erasedHashes(base)).toEqual([recipientHash(base, "pat@larkspur.example")]);
});

test("who is invited at an address that the account had before is somebody else, and stays invited", async () => {
  const { base, here, personNamed, erase } = await world();
  const ash = await makePerson(base, { fullName: "Ash Moss", email: "front@larkspur.example" });
  await makeInvitedMember(base, here.id, { email: "moss@larkspur.example" });
  base.clock.advance(1);
  await changeTo(base, ash, "moss@larkspur.example");
  base.clock.advance(1);
  await changeTo(base, { ...ash, email: "moss@larkspur.example" }, "ash@larkspur.example");
  base.clock.advance(1);
  await makeInvitedMember(base, here.id, { email: "front@larkspur.example" });
  expect(await erase((await personNamed("ash@larkspur.example")).id)).toEqual(ok(null));
  const pending = eq(organizationMemberships.status, "pending");
  const invited = await base.db.select().from(organizationMemberships).where(pending);
  expect(invited).toMatchObject([{ invited_email: "front@larkspur.example" }]);
  const theirs = ["moss@larkspur.example", "ash@larkspur.example"];
  expect(new Set(await erasedHashes(base))).toEqual(new Set(theirs.map((email) => recipientHash(base, email))));
});

test("a mail on a ticket that is on hold keeps the person who wrote it, also where a colleague forwarded it", async () => {
  const { base, forward, personNamed, erase, staff, avery } = await world();
  const mail = await forward("Lee Moss <lee@larkspur.example>");
  // The ticket is another's by now.
  await base.db.run(sql`UPDATE support_tickets SET contact_id = NULL WHERE id = ${mail.ticket_id}`);
  await base.db.run(sql`DELETE FROM ticket_copies WHERE ticket_id = ${mail.ticket_id}`);
  const subject = await findHeldSubject(base.db, await referenceOf(base, mail.ticket_id));
  if (!subject) throw new Error("No such ticket");
  const { ctx, actor } = staff(avery);
  await placeHold(ctx, actor, { subject, reason: "A dispute", nonce: crypto.randomUUID() });
  const { id } = await personNamed("lee@larkspur.example");
  expect(await erase(id)).toEqual(fail("on_hold"));
  expect(await mailsWith(base.db, "lee@larkspur.example")).toHaveLength(1);
});

test("a note that was made of their automatic reply does not keep their address, and keeps those that it is a part of", async () => {
  const { base, forward, personNamed, erase } = await world();
  const { ticket_id } = await forward("Lee Moss <lee@larkspur.example>");
  await answersItself(base, "lee@larkspur.example", ticket_id, "Ask ashlee@larkspur.example.");
  const notes = () => messagesOf(base, ticket_id ?? "");
  expect(await notes()).toMatchObject([{ message: expect.stringContaining("lee@larkspur.example") }]);
  await erase((await personNamed("lee@larkspur.example")).id);
  expect(await notes()).toMatchObject([{ message: "Former member\n\nAsk ashlee@larkspur.example." }]);
});

test("finding what was mailed of a person costs the same however much others have mailed", async () => {
  const { base, forward, personNamed, erase } = await world();
  const costOf = async (email: string) => {
    await forward(`Lee Moss <${email}>`);
    const { id } = await personNamed(email);
    const before = base.cost.rowsRead;
    expect(await erase(id)).toEqual(ok(null));
    return base.cost.rowsRead - before;
  };
  const few = await costOf("lee@larkspur.example");
  await base.db.run(sql`WITH RECURSIVE mails(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM mails LIMIT 3000)
    INSERT INTO inbound_mail(id, envelope_from, envelope_to, size, object_key, state, from_address, original_address,
      next_at, received_at)
    SELECT 'inm_other' || number, 'a@b.example', '', 1, 'mail/other' || number, 'held', 'a' || number || '@b.example',
      'o' || number || '@b.example', 0, 0 FROM mails`);
  expect(await costOf("kim@larkspur.example")).toBeLessThan(few + 300);
});
