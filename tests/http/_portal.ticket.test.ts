import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { mutedSubjects } from "~/db/schema/notifications";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { type ticketMessages, ticketPeople, tickets, ticketVotes } from "~/db/schema/tickets";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import type { ValidationError } from "~/lib/form";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as list } from "~/routes/_portal.client.tickets._index";
import { action as changeCopies, loader as copiesPage } from "~/routes/_portal.client.tickets.copies.$ticket";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { openClientTicket, refOf, sendClientTicket } from "../support/client-tickets";
import { bindings, derive, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makeMember, makePerson, type Person, signedInAs } from "../support/factories";
import { makeManyMembers } from "../support/many-members";
import { args, get, post, thrownBy } from "../support/requests";
import { historyOf, makeMessage, makeTicket, ticketRow } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };

beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

const opened = async (person: Person, ref = refOf(ticket)) => openClientTicket(await team.requestOf(person), ref);

const missing = (work: Promise<unknown>) => thrownBy(work).then(({ status, body }) => ({ status, body }));

const MISSING = { status: 404, body: null };

const press = async (person: Person, fields: Record<string, string>, ref = refOf(ticket)) =>
  sendClientTicket(await team.requestOf(person), ref, fields);

const reply = async (person: Person, body: string, files: File[] = []) =>
  sendClientTicket(await team.requestOf(person), refOf(ticket), { intent: "reply", body }, files);

const rowOf = () => ticketRow(team.ctx, ticket.id);

const storedFiles = async () => (await bindings.FILES.list()).objects.length;

const errorsOf = async (response: Response) => (await response.json()) as { errors: Record<string, string> };

const write = (message: string, changes: Partial<typeof ticketMessages.$inferInsert> = {}) =>
  makeMessage(team.ctx, ticket.id, { message, ...changes });

test("the page is found by number and by id, and shows what clients may read: no internal note, nor its file", async () => {
  await write("Try the other cable.");
  await write("They forgot to pay.", { id: "msg_note", is_internal: true });
  await team.ctx.db.run(sql`INSERT INTO attachments (id, r2_key, name, kind, size, sha256, created_at, subject_type,
  subject_id, message_id) VALUES ('att_note', 'att/note', 'unpaid.pdf', 'pdf', 1, '', 1, 'ticket', ${ticket.id}, 'msg_note')`);
  const page = await opened(team.member);
  expect(page.messages.map(({ author, from, text }) => [author, from, text])).toEqual([
    ["Dana Whitlock", "them", "It blinks."],
    ["Jordan", "us", "Try the other cable."],
  ]);
  expect(JSON.stringify(page)).not.toMatch(/forgot|unpaid|_note/);
  expect(await opened(team.owner, ticket.id)).toMatchObject({ number: refOf(ticket) });
});

test("a ticket of another organization, a colleague's private one and none at all are missing alike, for every form too", async () => {
  const kept = await makeTicket(team.ctx, {
    organizationId: team.organization.id,
    createdBy: team.owner,
    isPrivate: true,
  });
  for (const [person, ref] of [
    [team.stranger, refOf(ticket)],
    [team.stranger, ticket.id],
    [team.member, refOf(kept)],
    [team.member, "T-999999999"],
    [team.member, "nonsense"],
  ] as const) {
    expect(await missing(opened(person, ref))).toEqual(MISSING);
    for (const fields of [
      { intent: "reply", body: "Hello" },
      { intent: "move", move: "solved" },
      { intent: "privacy", private: "on" },
      { intent: "add", user_id: team.lead.id },
      { intent: "remove", user_id: team.lead.id },
    ] as Record<string, string>[]) {
      expect(await missing(press(person, fields, ref))).toEqual(MISSING);
    }
  }
});

test("a reply is added with its files, and opens again what waited for the client", async () => {
  await team.ctx.db.update(tickets).set({ status: "waiting_for_customer", waiting_since: 1 });
  const response = await reply(team.owner, "Still dead.", [
    new File([pdf()], "light.pdf"),
    new File(["a\n"], "ping.log"),
  ]);
  expect(response.headers.get("Location")).toMatch(new RegExp(`^/client/tickets/${refOf(ticket)}#msg_`));
  expect(flash(team.ctx)).toBe("Success: Message added successfully");
  const page = await opened(team.lead);
  expect(page).toMatchObject({ status: "open", holder: "We have it" });
  expect(page.messages.at(-1)).toMatchObject({ author: "Dana Whitlock", text: "Still dead." });
  expect(page.messages.at(-1)?.files.map(({ name }) => name)).toEqual(["light.pdf", "ping.log"]);
});

test("the same reply posted twice, with its file, is one message with one file", async () => {
  const ctx = await team.requestOf(team.owner);
  const fields = { intent: "reply", body: "Once", form_token: issueFormToken(ctx, REPLY_PURPOSE) };
  const send = () => sendClientTicket(ctx, refOf(ticket), fields, [new File([pdf()], "once.pdf")]);
  await Promise.all([send(), send()]);
  await send();
  const { messages } = await opened(team.owner);
  expect(messages.filter(({ text }) => text === "Once")).toHaveLength(1);
  expect(await team.ctx.db.select().from(attachments).where(eq(attachments.subject_id, ticket.id))).toHaveLength(1);
});

test.each([
  ["nothing at all", "  ", [], { body: "Write a message or attach a file." }],
  ["20,001 characters", "x".repeat(20_001), [], { body: "A message can have at most 20,000 characters." }],
  [
    "a program",
    "See",
    [new File(["MZ"], "fix.exe")],
    {
      files:
        '"fix.exe" cannot be sent here. PDF, Office, text and image files can, if their content matches their name.',
    },
  ],
  ["an empty file", "See", [new File([], "log.txt")], { files: '"log.txt" is empty.' }],
  [
    "six files",
    "See",
    [1, 2, 3, 4, 5, 6].map((count) => new File(["a"], `${count}.txt`)),
    { files: "At most 5 files go with one message." },
  ],
])("a reply with %s is rejected, with what was typed, and keeps no file", async (_, body, files, errors) => {
  const before = await storedFiles();
  const response = await reply(team.owner, body, files);
  expect(response.status).toBe(400);
  expect(await errorsOf(response)).toMatchObject({ errors, values: { body } });
  await team.ctx.settle();
  expect(await storedFiles()).toBe(before);
  expect((await opened(team.owner)).messages).toHaveLength(1);
});

test("20,000 characters are accepted", async () => {
  expect((await reply(team.owner, "x".repeat(20_000))).status).toBe(303);
});

test("files without the form's token are not stored, and the form says to choose them again", async () => {
  const before = await storedFiles();
  const forged = { intent: "reply", body: "See", form_token: "forged" };
  const files = [new File([pdf()], "a.pdf")];
  const response = await sendClientTicket(await team.requestOf(team.owner), refOf(ticket), forged, files);
  expect(response.status).toBe(400);
  expect(await storedFiles()).toBe(before);
});

test("solved, reopened, closed: the creator by their buttons; a colleague who only sees it is denied", async () => {
  const status = async () => (await rowOf()).status;
  await press(team.owner, { intent: "move", move: "solved" });
  expect([await status(), (await opened(team.owner)).moves]).toEqual(["resolved", ["close", "reopen"]]);
  await press(team.lead, { intent: "move", move: "reopen" });
  expect(await status()).toBe("open");
  expect((await press(team.member, { intent: "move", move: "close" })).status).toBe(400);
  expect((await press(team.owner, { intent: "move", move: "in_progress" })).status).toBe(400);
  expect(await status()).toBe("open");
  await press(team.owner, { intent: "move", move: "close" });
  expect(await status()).toBe("closed");
});

test("an answer to a ticket that ended long ago opens one that goes on from it", async () => {
  const longAgo = team.ctx.now() - days(15);
  await team.ctx.db.update(tickets).set({ status: "closed", closed_at: longAgo, resolved_at: longAgo });
  expect((await opened(team.owner)).isOver).toBe(true);
  const response = await reply(team.owner, "It is back.", [new File([pdf()], "again.pdf")]);
  const number = response.headers.get("Location")?.split("/").at(-1) ?? "";
  expect(number).not.toBe(refOf(ticket));
  const next = await opened(team.owner, number);
  expect(next).toMatchObject({ followUpOf: refOf(ticket), status: "open" });
  expect(next.messages[0]).toMatchObject({ text: "It is back.", files: [{ name: "again.pdf" }] });
  expect((await opened(team.owner)).followUps).toMatchObject([{ number }]);
});

test("a private ticket is gone for colleagues until they are added, and gone again when they leave", async () => {
  expect((await opened(team.owner)).readers).toMatch(/^Everybody at .+ can read this\.$/);
  await press(team.owner, { intent: "privacy", private: "on" });
  expect(await missing(opened(team.member))).toEqual(MISSING);
  const { colleagues, readers } = await opened(team.owner);
  expect(readers).toMatch(/^Admins of Brightsmile Dental and .+ support can read this\.$/);
  expect(colleagues.map(({ name }) => name)).toEqual(["Priya Nair", "Sam Ortega"]);
  await press(team.owner, { intent: "add", user_id: team.member.id });
  const page = await opened(team.member);
  expect(page.readers).toMatch(/^Dana Whitlock, admins of Brightsmile Dental and .+ support can read this\.$/);
  expect(page.people.map(({ name }) => name)).toEqual(["Dana Whitlock", "You"]);
  expect([page.mayChange, page.colleagues]).toEqual([false, []]);
  const left = await press(team.member, { intent: "remove", user_id: team.member.id });
  expect(left.headers.get("Location")).toBe("/client/tickets");
  expect(await missing(opened(team.member))).toEqual(MISSING);
});

test("nobody from outside the organization is added, and a member changes neither privacy nor people of a colleague's", async () => {
  for (const id of [team.stranger.id, "usr_missing", ""]) {
    expect((await press(team.owner, { intent: "add", user_id: id })).status).toBe(400);
  }
  for (const fields of [
    { intent: "privacy", private: "on" },
    { intent: "add", user_id: team.member.id },
    { intent: "remove", user_id: team.owner.id },
  ] as Record<string, string>[]) {
    expect((await press(team.member, fields)).status).toBe(400);
  }
  expect(await rowOf()).toMatchObject({ is_private: false, viewers: `~${team.owner.id}.` });
});

test("a form of an organization that its sender has left for another one changes nothing", async () => {
  const fields = { intent: "move", move: "close", organization_id: team.other.id };
  expect((await thrownBy(press(team.owner, fields))).status).toBe(409);
  expect((await rowOf()).status).toBe("open");
});

const votes = () =>
  team.ctx.db.select({ solved: ticketVotes.is_solved }).from(ticketVotes).where(eq(ticketVotes.ticket_id, ticket.id));

/** Resolves the ticket as Jordan does, with what was done. Returns Jordan. */
async function resolve(resolution: string, text = "") {
  const jordan = await makePerson(team.ctx, { role: "moderator", fullName: "Jordan Vale" });
  const actor = signedInAs(jordan, team.ctx.now()) as StaffActor;
  const baseMessage = (await rowOf()).public_messages;
  const sent = { ticketId: ticket.id, text, effect: "resolve" as const, resolution, baseMessage };
  await replyAsStaff(as(team.ctx, jordan), actor, { ...sent, assignToMe: true, nonce: crypto.randomUUID() });
  return jordan;
}

test("a client who says that it is still broken says what, opens it again, and still reads what was done", async () => {
  await resolve("Replaced the drum of the printer.");
  const before = await opened(team.owner);
  expect(before).toMatchObject({
    holder: null,
    question: {
      title: "Is it solved?",
      isOpen: true,
      reopens: true,
      text: expect.stringMatching(/^Jordan thinks so/),
    },
    solutions: [{ text: "Replaced the drum of the printer.", by: "Jordan", reopened: null }],
  });
  const empty = await press(team.owner, { intent: "broken", body: "  " });
  expect([empty.status, (await errorsOf(empty)).errors]).toEqual([400, { body: "Say what is still wrong." }]);
  expect((await rowOf()).status).toBe("resolved");
  const secret = await press(team.owner, { intent: "broken", body: "The password is Blue-42" });
  expect([secret.status, Object.keys((await errorsOf(secret)).errors)]).toEqual([400, ["body"]]);

  team.ctx.clock.advance(1_000);
  const begun_at_message = before.question?.asked ?? "";
  const answered = await press(team.owner, { intent: "broken", body: "Grey stripes again.", begun_at_message });
  expect(answered.headers.get("Location")).toMatch(new RegExp(`^/client/tickets/${refOf(ticket)}#msg_`));
  const page = await opened(team.owner);
  expect(page).toMatchObject({
    status: "open",
    holder: "Jordan is on it",
    sent: page.messages.at(-1)?.id,
    solutions: [{ text: "Replaced the drum of the printer.", reopened: { by: "You" } }],
  });
  expect(page.messages.at(-1)?.text).toBe("Grey stripes again.");
  expect(await votes()).toEqual([{ solved: false }]);
});

test("no client says that a solution failed which they have not seen: they read it first, and keep their text", async () => {
  const no = async (person: Person, seen: string) =>
    press(person, { intent: "broken", body: "Still grey.", begun_at_message: seen });
  const asked = async () => (await opened(team.owner)).question?.asked ?? "";
  const whileOpen = await asked();
  await resolve("Replaced the drum of the printer.");
  const first = await asked();
  for (const seen of [whileOpen, ""]) {
    const answer = await no(team.owner, seen);
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      {
        errors: { form: "It was resolved while you were writing. Read what was done first." },
        values: { body: "Still grey.", begun_at_message: first },
      },
    ]);
  }
  team.ctx.clock.advance(2_000);
  await press(team.owner, { intent: "move", move: "reopen" });
  await resolve("Cleaned the rollers instead.");
  expect((await no(team.owner, first)).status).toBe(409);
  expect([(await rowOf()).status, await votes()]).toEqual(["resolved", []]);

  // Whoever only sees it may reply, but is not asked.
  expect((await no(team.member, await asked())).status).toBe(303);
  expect([(await rowOf()).status, await votes()]).toEqual(["open", []]);
  await resolve("Cleaned the rollers once more.");
  const unread = await asked();
  team.ctx.clock.advance(1_000);
  await write("Please try now.");
  const conflicting = await no(team.owner, unread);
  expect([conflicting.status, await conflicting.json()]).toMatchObject([
    409,
    { errors: { form: "Jordan replied while you were writing." }, conflict: { messages: [{ author: "Jordan" }] } },
  ]);
  expect((await no(team.owner, await asked())).status).toBe(303);
  expect(await votes()).toEqual([{ solved: false }]);
});

test("a client who confirms what staff have resolved is asked no more, and is counted once", async () => {
  await resolve("Replaced the drum of the printer.");
  for (const _ of [1, 2]) await press(team.owner, { intent: "move", move: "solved" });
  expect(await opened(team.owner)).toMatchObject({
    status: "resolved",
    question: { title: "Solved", isOpen: false, text: "It reopens when you write within 14 days." },
  });
  expect(await votes()).toEqual([{ solved: true }]);
  expect((await historyOf(team.ctx, ticket.id)).filter((line) => String(line).startsWith("vote"))).toHaveLength(1);
  expect((await opened(team.member)).question).toBeNull();
  await press(team.member, { intent: "move", move: "solved" });
  expect(await votes()).toHaveLength(1);
});

test("a client takes back what they have just sent: it is their draft again, no mail leaves, and nobody else may", async () => {
  await team.ctx.db.delete(outbox);
  await team.ctx.db.update(tickets).set({ status: "waiting_for_customer", waiting_since: 1 });
  const { version: _, updated_at: __, ...before } = await rowOf();
  await reply(team.owner, "Never mind the fax.");
  const { sent, undoable } = await opened(team.owner);
  expect(undoable).toMatchObject({ id: sent, left: 15_000 });
  expect((await opened(team.lead)).undoable).toBeNull();
  const undo = (person: Person) => press(person, { intent: "undo", message: sent ?? "" });
  await undo(team.lead);
  expect((await opened(team.owner)).messages.at(-1)?.text).toBe("Never mind the fax.");
  expect(await missing(undo(team.stranger))).toEqual(MISSING);

  team.ctx.clock.advance(14_000);
  await deliverOutbox(team.ctx);
  expect(team.ctx.sent).toEqual([]);
  expect((await undo(team.owner)).headers.get("Location")).toBe(`/client/tickets/${refOf(ticket)}#body`);
  const { version: ___, updated_at: ____, ...after } = await rowOf();
  expect(after).toEqual(before);
  expect(await opened(team.owner)).toMatchObject({ draft: { text: "Never mind the fax." }, sent: null });
  team.ctx.clock.advance(days(1));
  await deliverOutbox(team.ctx);
  expect(team.ctx.sent).toEqual([]);
});

test("a message that used an after-hours incident gives it back with the message, and fifteen seconds later nothing", async () => {
  const contract = { plan: "core" as const, contract_started_at: Date.parse("2026-02-01T12:00-06:00") };
  await team.ctx.db.update(organizations).set(contract).where(eq(organizations.id, team.organization.id));
  await team.ctx.db.update(tickets).set({ priority: "urgent" }).where(eq(tickets.id, ticket.id));
  team.ctx.clock.set(Date.parse("2026-11-20T19:30-06:00"));
  const used = () => team.ctx.db.select().from(allowanceEntries).where(eq(allowanceEntries.ticket_id, ticket.id));
  await reply(team.owner, "All phones are dead.");
  expect(await used()).toMatchObject([{ kind: "after_hours" }]);
  const { sent } = await opened(team.owner);
  await press(team.owner, { intent: "undo", message: sent ?? "" });
  expect(await used()).toEqual([]);

  await reply(team.owner, "They are dead again.");
  const late = (await opened(team.owner)).sent ?? "";
  team.ctx.clock.advance(15_000);
  await press(team.owner, { intent: "undo", message: late });
  const { undoable, messages } = await opened(team.owner);
  expect([undoable, messages.at(-1)?.text, (await used()).length]).toEqual([null, "They are dead again.", 1]);
});

test("who opened a private ticket and has left the organization is not named as a reader", async () => {
  const left = await makeTicket(team.ctx, {
    organizationId: team.organization.id,
    createdBy: team.member,
    isPrivate: true,
  });
  expect((await opened(team.owner, refOf(left))).readers).toContain("Priya Nair");
  await team.ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, team.member.id));
  expect((await opened(team.owner, refOf(left))).readers).toMatch(
    /^Admins of Brightsmile Dental and .+ support can read/,
  );
});

test("a client mutes a ticket and hears of it again, and a foreign one cannot be muted", async () => {
  for (const [muted, isMuted] of [
    ["yes", true],
    ["no", false],
  ] as const) {
    await press(team.member, { intent: "mute", muted });
    expect([(await opened(team.member)).isMuted, await team.ctx.db.$count(mutedSubjects)]).toEqual([
      isMuted,
      Number(isMuted),
    ]);
  }
  expect(await missing(press(team.stranger, { intent: "mute", muted: "yes" }))).toEqual(MISSING);
  expect(await team.ctx.db.$count(mutedSubjects)).toBe(0);
});

test("what a colleague of the same name did is not told as the reader's own", async () => {
  const { fullName } = team.owner;
  const namesake = await makePerson(team.ctx, { fullName });
  await makeMember(team.ctx, team.organization.id, namesake, "admin");
  await press(team.owner, { intent: "move", move: "solved" });
  const lineOf = async (person: Person) => (await opened(person)).timeline.at(-1)?.text;
  expect([await lineOf(team.owner), await lineOf(namesake)]).toEqual([
    "You: Open → Resolved",
    `${fullName}: Open → Resolved`,
  ]);
});

test("of more colleagues than a page offers, each is added by their address, and nobody from another organization is", async () => {
  const { ctx, organization, owner, member, stranger } = team;
  expect((await opened(owner)).hasMoreColleagues).toBe(false);
  await makeManyMembers(ctx, organization.id, 98);
  const last = await makePerson(ctx, { fullName: "Zoe Adams", email: "zoe@brightsmile.example" });
  await makeMember(ctx, organization.id, last, "member");
  const page = await opened(owner);
  expect([page.colleagues.length, page.hasMoreColleagues]).toEqual([100, true]);
  expect(page.colleagues.map(({ id }) => id)).not.toContain(last.id);
  for (const email of [stranger.email, "nobody@example.com"]) {
    const response = await press(owner, { intent: "add", user_id: "", email });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: { email: "No active member of this organization has this address." }, values: { email } },
    ]);
  }
  const foreign = await press(member, { intent: "add", user_id: "", email: last.email });
  expect(await foreign.json()).toMatchObject({ errors: { form: "Choose a colleague." } });
  expect((await press(owner, { intent: "add", user_id: "", email: "Zoe@Brightsmile.example" })).status).toBe(303);
  expect((await opened(owner)).people.map(({ name }) => name)).toEqual(["You", "Zoe Adams"]);
});

/** Returns a database that knows one column more in every row: what a table may have some day. */
const withColumn = (db: TestContext["db"]): TestContext["db"] =>
  new Proxy(db, {
    get: (target, name) =>
      name === "all"
        ? async (query: Parameters<typeof db.all>[0]) =>
            (await target.all<object>(query)).map((row) => ({ ...row, margin: "zebracrossing" }))
        : Reflect.get(target, name, target),
  });

test("a column that tickets, messages or anything beside them get some day stays out of what a client's page loads", async () => {
  const { ctx, organization, lead, member, requestOf } = team;
  ticket = await makeTicket(ctx, { organizationId: organization.id, createdBy: member });
  const key = { organization_id: organization.id, ticket_id: ticket.id };
  await ctx.db.insert(ticketPeople).values({ ...key, user_id: lead.id, added_at: ctx.now() });
  const jordan = await resolve("Replaced the cable.", "Cable replaced");
  const editor = { side: "staff", by: { userId: jordan.id, fullName: jordan.fullName, side: "staff" } } as const;
  await addCc(as(ctx, jordan), editor, { ticketId: ticket.id, email: "desk@copies.example", nonce: "a" });
  await ctx.db.run(sql`INSERT INTO attachments(id, subject_type, subject_id, r2_key, name, size, kind, sha256, created_at)
    VALUES (${ctx.newId("att")}, 'ticket', ${ticket.id}, ${ticket.id}, 'cable.png', 1, 'png', '', 1)`);
  await ctx.db.run(sql`INSERT INTO ticket_drafts(organization_id, ticket_id, user_id, kind, message, begun_at_message, updated_at)
    VALUES (${organization.id}, ${ticket.id}, ${member.id}, 'reply', 'Thank you', 1, 1)`);
  const request = await requestOf(member);
  const read = async (context: TestContext) => {
    const { tokens: _, ...shown } = await openClientTicket(context, refOf(ticket));
    return shown;
  };
  const shown = await read(request);
  expect(shown).toMatchObject({
    thread: [{ files: [{ name: "cable.png" }] }, { text: "Cable replaced" }, { text: "Replaced the cable." }],
    draft: { text: "Thank you" },
    people: [{}, { name: "Sam Ortega" }, { name: "Jordan" }, { name: "desk@copies.example" }],
    colleagues: [{ name: "Dana Whitlock" }],
  });
  expect(await read(derive(request, { db: withColumn(request.db) }))).toEqual(shown);
});

/* Tickets that staff open for a client are the client's, and still not opened by them. */

async function openedByStaff() {
  const staff = await makePerson(team.ctx, { role: "moderator", fullName: "Jordan Vale" });
  await team.ctx.db.update(tickets).set({ opened_by: staff.id }).where(eq(tickets.id, ticket.id));
}

async function listed(person: Person) {
  const { list: shown } = await (await list(args(await team.requestOf(person), get("/client/tickets")))).json();
  return shown?.page.rows.map((row) => row.opened);
}

test("what staff wrote when they opened a ticket is shown as theirs, and the ticket as the client's", async () => {
  await openedByStaff();
  const { messages, people } = await opened(team.owner);
  expect([messages[0]?.author, people[0]]).toEqual([
    "Jordan",
    { name: "You", fullName: "Dana Whitlock", note: "we opened it for you", userId: null },
  ]);
  expect((await opened(team.member)).people[0]).toMatchObject({
    name: "Dana Whitlock",
    note: "we opened it for them",
  });
});

test("what staff wrote when they opened a ticket is not shown as the client's after they were erased", async () => {
  await team.ctx.db.run(sql`INSERT INTO ticket_events(id, organization_id, ticket_id, kind, actor_name, actor_side, at)
    VALUES ('evt_opened', ${team.organization.id}, ${ticket.id}, 'opened', 'Former member', 'staff', 1)`);
  const { thread } = await opened(team.owner);
  expect(thread[0]).toMatchObject({ author: "Former member", from: "us" });
});

test("the list says for whom such a ticket was opened, and of others by whom", async () => {
  expect([await listed(team.owner), await listed(team.member)]).toEqual([
    ["opened by you"],
    ["opened by Dana Whitlock"],
  ]);
  await openedByStaff();
  expect([await listed(team.owner), await listed(team.member)]).toEqual([
    ["opened for you"],
    ["opened for Dana Whitlock"],
  ]);
});

test("a client adds and removes an address by forms, who reads the ticket sees it, and colleagues are denied it", async () => {
  const params = { ticket: refOf(ticket) };
  const path = `/client/tickets/copies/${params.ticket}`;
  const open = async (person = team.owner) =>
    (await copiesPage(args(await team.requestOf(person), get(path), params))).json();
  const send = async (fields: Record<string, string>) => {
    const ctx = await team.requestOf(team.owner);
    const form = { form_token: issueFormToken(ctx, "ticket-copies"), organization_id: team.organization.id, ...fields };
    return changeCopies(args(ctx, post(path, form), params));
  };
  const add = (email: string) => send({ intent: "add_copy", email });
  const errorOf = async (response: Response) => [response.status, (await response.json()) as ValidationError] as const;
  const setOrganization = (set: { allows_copies?: boolean; needs_review_at?: number | null }) =>
    team.ctx.db.update(organizations).set(set).where(eq(organizations.id, team.organization.id));
  const shown = async () => [(await opened(team.owner)).ccPath, (await open()).closed];
  expect(await shown()).toEqual([
    null,
    "Your organization has not allowed copies. Its owner and admins can allow them.",
  ]);
  await setOrganization({ allows_copies: true, needs_review_at: team.ctx.now() });
  const isNew = expect.stringMatching(/new here: you can add addresses as soon as we have reviewed it/);
  expect(await shown()).toEqual([path, isNew]);
  expect(await errorOf(await add("facilities@landlord.example"))).toMatchObject([400, { errors: { email: isNew } }]);
  await setOrganization({ needs_review_at: null });

  expect(await errorOf(await add("nobody"))).toMatchObject([400, { values: { email: "nobody" } }]);
  const added = await add("facilities@landlord.example");
  expect([added.status, added.headers.get("Location")]).toEqual([303, path]);
  const colleagues = await opened(team.member);
  expect(colleagues.people.map(({ name }) => name)).toContain("facilities@landlord.example");
  expect([colleagues.readers, colleagues.ccPath]).toEqual([expect.stringMatching(/Copies go to 1 address\.$/), null]);
  expect((await thrownBy(open(team.member))).status).toBe(404);

  const [copy] = (await open()).copies;
  expect((await send({ intent: "remove_copy", copy: copy?.id ?? "" })).status).toBe(303);
  expect((await open()).copies).toEqual([]);
});
