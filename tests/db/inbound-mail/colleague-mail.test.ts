import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { notifications } from "~/db/schema/notifications";
import { contacts } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketDrafts, ticketMessages, tickets } from "~/db/schema/tickets";
import { sendAnyway } from "~/features/inbound-mail/colleague-mail.server";
import { discardMail, placeMail, retryMail } from "~/features/inbound-mail/commands.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { listReplyRecipients } from "~/features/tickets/notify-ticket.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { minutes } from "~/lib/time";
import { makeMember, makePerson } from "../../support/factories";
import { mailRows, replyAddress, tokenOf } from "../../support/inbound-mail";
import { signedMailIn, stubDns } from "../../support/staff-mail";
import { textsOf, ticketRow, ticketWorld } from "../../support/tickets";

beforeEach(() => stubDns());
afterEach(() => {
  vi.unstubAllGlobals();
});

async function world() {
  const { base: ctx, here, there, dana, sam, avery, client, staff } = await ticketWorld();
  const tech = await makePerson(ctx, { role: "moderator", fullName: "Tess Hale", withTotp: true });
  await ctx.db.batch([ctx.db.delete(inboundMail), ctx.db.delete(outbox), ctx.db.delete(rateLimitAttempts)]);
  const by = client(dana);
  const opened = await openTicket(by.ctx, by.actor, {
    ...{ organizationId: here.id, title: "Printer", description: "It blinks.", priority: "high" },
    ...{ category: null, impact: null, nonce: ctx.newToken() },
  });
  if (!opened.ok) throw new Error(opened.code);
  await by.ctx.settle();
  await ctx.db.delete(outbox);
  ctx.clock.advance(minutes(5));
  const ticket = opened.value;
  const to = replyAddress(ctx, ticket, tech.id);
  const versionNow = async () => (await ticketRow(ctx, ticket.id)).version;
  const send = async (mailId: string, person: Parameters<typeof staff>[0], version?: number) => {
    const { ctx: own, actor } = staff(person);
    return sendAnyway(own, actor, { mailId, version: version ?? (await versionNow()) });
  };
  const unproven = (text = "Switch it off and on.") =>
    signedMailIn(ctx, { from: tech.email, to, text, isForged: true });
  return { ctx, here, there, dana, sam, avery, tech, client, staff, ticket, to, send, unproven, versionNow };
}

type World = Awaited<ReturnType<typeof world>>;

const messagesOf = ({ ctx, ticket }: Pick<World, "ctx" | "ticket">) =>
  ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));

test("an unproven reply is sent by who wrote it, in their name, and answers the client when it is sent", async () => {
  const all = await world();
  const { ctx, tech, dana, ticket, send, unproven } = all;
  const mail = await unproven();
  expect(mail).toMatchObject({ state: "held", reason: "staff_unproven", ticket_id: ticket.id });
  ctx.clock.advance(minutes(20));
  expect(await send(mail.id, tech)).toEqual({
    ok: true,
    value: { name: "Tess Hale", reference: `T-${ticket.number}` },
  });
  expect(await messagesOf(all)).toMatchObject([
    { user_id: tech.id, author_name: "Tess Hale", is_internal: false, created_at: ctx.now() },
  ]);
  expect(await mailRows(ctx)).toMatchObject([{ state: "processed", reason: "placed", effect: "replied" }]);
  expect(await ticketRow(ctx, ticket.id)).toMatchObject({ due_at: null, assigned_to: tech.id });
  const told = await ctx.db.select().from(outbox).where(eq(outbox.user_id, dana.id));
  expect(told.map(({ kind }) => kind)).toContain("ticket-update");
  const sentBy = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "ticket.held_reply_sent"));
  expect(sentBy).toMatchObject([{ actor_id: tech.id, subject_id: ticket.id }]);
});

test("an administrator may send it for them, another technician may not, and neither once their role is gone", async () => {
  const { ctx, sam, avery, tech, ticket, staff, send, unproven, versionNow } = await world();
  const mail = await unproven();
  expect(await send(mail.id, sam)).toEqual({ ok: false, code: "not_theirs" });
  const former = staff(avery);
  const version = await versionNow();
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, avery.id));
  expect(await sendAnyway(former.ctx, former.actor, { mailId: mail.id, version })).toMatchObject({ ok: false });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
  await ctx.db.insert(userRoles).values({ user_id: avery.id, role: "admin" } as never);
  expect(await send(mail.id, avery)).toMatchObject({ ok: true });
  const [message] = await ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));
  expect(message).toMatchObject({ user_id: tech.id });
});

test("whoever wrote it is told by mail and in the product that another person sent it, and not of what they sent", async () => {
  const { ctx, avery, tech, ticket, send, unproven } = await world();
  const told = async () => ({
    mails: (await ctx.db.select().from(outbox).where(eq(outbox.kind, "reply-sent-for-you"))).length,
    notices: await ctx.db.select().from(notifications).where(eq(notifications.user_id, tech.id)),
  });
  await ctx.db.delete(notifications);
  const own = await unproven();
  expect(await send(own.id, tech)).toMatchObject({ ok: true });
  expect(await told()).toEqual({ mails: 0, notices: [] });
  const theirs = await unproven("Try the other socket.");
  expect(await send(theirs.id, avery)).toMatchObject({ ok: true });
  const { mails, notices } = await told();
  expect([mails, notices.map(({ event }) => event)]).toEqual([1, ["sent_for_me"]]);
  await deliverOutbox(ctx);
  await ctx.settle();
  const [mail] = ctx.sent.filter(({ subject }) => subject.endsWith("sent your reply"));
  expect([mail?.to, mail?.subject]).toEqual([tech.email, `[T-${ticket.number}] Avery Quinn sent your reply`]);
  expect(mail?.headers).not.toHaveProperty("Reply-To");
});

test("it goes to whom its sender chooses of those who get the replies of its author, and to one of them at least", async () => {
  const { ctx, dana, tech, avery, ticket, staff, send, unproven, versionNow } = await world();
  const { ctx: own, actor } = staff(avery);
  const added = await addCc(
    own,
    { side: "staff", by: { userId: avery.id, fullName: avery.fullName, side: "staff" } },
    { ticketId: ticket.id, email: `landlord-${ticket.number}@outside.example`, nonce: "cc" },
  );
  expect(added).toMatchObject({ ok: true });
  await ctx.db.delete(outbox);
  const mail = await unproven();
  const recipients = await listReplyRecipients(ctx.db, ticket.id, tech.id);
  expect(recipients.map(({ kind }) => kind)).toEqual(["member", "copy"]);
  const ids = recipients.map(({ id }) => id);
  const sendTo = async (notTo: string[]) =>
    sendAnyway(own, actor, { mailId: mail.id, version: await versionNow(), notTo });
  expect(await sendTo(ids)).toEqual({ ok: false, code: "nobody_left" });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
  expect(await sendTo([ids[1] ?? "", "usr_stranger"])).toMatchObject({ ok: true });
  const mailed = await ctx.db.select().from(outbox).where(eq(outbox.subject_id, ticket.id));
  expect(mailed.map(({ kind, user_id }) => [kind, user_id])).toEqual(
    expect.arrayContaining([["ticket-update", dana.id]]),
  );
  expect(mailed.map(({ kind }) => kind)).not.toContain("ticket-copy");
  const [message] = await ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));
  expect(JSON.parse(message?.not_to ?? "[]")).toEqual([ids[1]]);
  expect(await send(mail.id, avery)).toEqual({ ok: false, code: "decided" });
});

test("nothing is sent in the name of who has left, or of a client", async () => {
  const { ctx, avery, dana, tech, ticket, send, unproven } = await world();
  const mail = await unproven();
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, tech.id));
  expect(await send(mail.id, avery)).toEqual({ ok: false, code: "not_theirs" });
  await ctx.db.update(inboundMail).set({ from_address: dana.email }).where(eq(inboundMail.id, mail.id));
  expect(await send(mail.id, avery)).toEqual({ ok: false, code: "not_theirs" });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
});

test("a reply is sent only while the ticket is as it was looked at", async () => {
  const { ctx, dana, avery, ticket, client, send, unproven, versionNow } = await world();
  const mail = await unproven();
  const looked = await versionNow();
  const { ctx: own, actor } = client(dana);
  await replyAsClient(own, actor, { ticketId: ticket.id, text: "Solved it myself.", nonce: ctx.newToken() });
  expect(await send(mail.id, avery, looked)).toEqual({ ok: false, code: "written_since" });
  expect(await textsOf(ctx, ticket.id)).toEqual(["Solved it myself."]);
  expect(await send(mail.id, avery)).toMatchObject({ ok: true });
});

test("however many decide at once, it is one reply or one note, and what is discarded is not sent", async () => {
  const { ctx, avery, tech, ticket, staff, send, unproven } = await world();
  const admin = staff(avery);
  const mail = await unproven();
  const results = await Promise.all([
    ...[tech, avery, avery].map((person) => send(mail.id, person)),
    placeMail(admin.ctx, admin.actor, { mailId: mail.id, destination: { ticket: `T-${ticket.number}` } }),
  ]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const messages = () => ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));
  expect(await messages()).toHaveLength(1);
  const other = await unproven("Try the other socket.");
  const [sent, discarded] = await Promise.all([
    send(other.id, avery),
    discardMail(admin.ctx, admin.actor, { mailId: other.id, nonce: "d" }),
  ]);
  expect([sent.ok, discarded.ok].filter(Boolean)).toHaveLength(1);
  expect(await messages()).toHaveLength(sent.ok ? 2 : 1);
});

test("what could show an internal note is never sent, whoever asks", async () => {
  const all = await world();
  const { ctx, tech, avery, ticket, staff, send, to } = all;
  const note = "They have not paid since June, tell them nothing of it.";
  const colleague = staff(avery);
  await addInternalNote(colleague.ctx, colleague.actor, { ticketId: ticket.id, text: note, nonce: ctx.newToken() });
  const quoted = `> — Reply above this line —\n> [${tokenOf(ctx, ticket, avery.id)}]`;
  const held = [
    await signedMailIn(ctx, { from: tech.email, to, text: `As you say: ${note}` }),
    await signedMailIn(ctx, { from: tech.email, to, text: `As you say: ${note}`, isForged: true }),
    // It answers a mail to a colleague, which may have told of a note.
    await signedMailIn(ctx, { from: tech.email, text: `Right.\n\n${quoted}`, subject: `Re: [T-${ticket.number}]` }),
    await signedMailIn(ctx, {
      ...{ from: tech.email, to, text: `${quoted.replaceAll("> ", "")}\n\nOn it.`, isForged: true },
    }),
    await signedMailIn(ctx, { from: tech.email, subject: `Fwd: [T-${ticket.number}] Printer`, text: "See below." }),
    await signedMailIn(ctx, {
      ...{ from: tech.email, subject: `Fwd: [T-${ticket.number}] What shall we say?`, isForged: true },
      text: forwarded("Avery Quinn <avery@wrenfield.example>", "What do you think?"),
    }),
  ];
  for (const mail of held) {
    expect(mail).toMatchObject({ state: "held", ticket_id: ticket.id });
    expect([mail.reason, await send(mail.id, avery)]).toEqual([mail.reason, { ok: false, code: "could_show_note" }]);
  }
  expect((await messagesOf(all)).every(({ is_internal }) => is_internal)).toBe(true);
});

test("a reply that came second is sent with the draft that it was, and another draft stays", async () => {
  const all = await world();
  const { ctx, tech, avery, here, ticket, to, send } = all;
  const at = ctx.now();
  await ctx.db.insert(ticketMessages).values({
    ...{ id: ctx.newId("msg"), organization_id: here.id, ticket_id: ticket.id, user_id: avery.id, side: "staff" },
    ...{ author_name: "Avery Quinn", message: "I am on it.", created_at: at, updated_at: at },
  });
  ctx.clock.advance(minutes(1));
  const second = await signedMailIn(ctx, { from: tech.email, to, text: "And bring the cable." });
  expect(second).toMatchObject({ state: "held", reason: "colleague_answered" });
  const drafts = () => ctx.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id));
  expect(await drafts()).toMatchObject([{ message: "And bring the cable." }]);
  const third = await signedMailIn(ctx, { from: tech.email, to, text: "Or two." });
  expect(await send(third.id, tech)).toMatchObject({ ok: true });
  expect(await drafts()).toHaveLength(1);
  expect(await send(second.id, tech)).toMatchObject({ ok: true });
  expect(await drafts()).toEqual([]);
  expect((await textsOf(ctx, ticket.id)).sort()).toEqual(["And bring the cable.", "I am on it.", "Or two."]);
});

test("what its author has sent from the ticket meanwhile is not sent twice", async () => {
  const { ctx, tech, here, ticket, send, unproven } = await world();
  const mail = await unproven("Done.");
  const at = ctx.now();
  await ctx.db.insert(ticketMessages).values({
    ...{ id: ctx.newId("msg"), organization_id: here.id, ticket_id: ticket.id, user_id: tech.id, side: "staff" },
    ...{ author_name: "Tess Hale", message: "Done.", created_at: at, updated_at: at },
  });
  expect(await send(mail.id, tech)).toEqual({ ok: false, code: "sent_already" });
});

test("a discarded mail is no longer held, is in the activity, and can still become a note; a client's cannot", async () => {
  const { ctx, avery, sam, ticket, staff, send, unproven } = await world();
  const { ctx: own, actor } = staff(sam);
  const mail = await unproven();
  const discard = (nonce: string, mailId = mail.id) => discardMail(own, actor, { mailId, nonce });
  expect(await discard("a")).toEqual({ ok: true, value: mail.id });
  expect(await discard("a")).toEqual({ ok: true, value: mail.id });
  expect(await discard("b")).toEqual({ ok: false, code: "decided" });
  expect(await mailRows(ctx)).toMatchObject([{ state: "dropped", reason: "discarded" }]);
  const isDiscard = and(eq(auditEvents.action, "ticket.mail_discarded"), eq(auditEvents.subject_id, ticket.id));
  expect(await ctx.db.select().from(auditEvents).where(isDiscard)).toMatchObject([{ actor_id: sam.id }]);
  expect(await send(mail.id, avery)).toMatchObject({ ok: false });
  expect(await retryMail(own, actor, { mailId: mail.id, nonce: "r" })).toEqual({ ok: false, code: "decided" });
  const noted = await placeMail(own, actor, { mailId: mail.id, destination: { ticket: `T-${ticket.number}` } });
  expect(noted).toMatchObject({ ok: true, value: { as: "note" } });
  const theirs = await signedMailIn(ctx, { from: "lee@stranger.example", subject: "Hello" });
  expect(await discard("c", theirs.id)).toEqual({ ok: false, code: "mail_not_found" });
  expect(await discard("d", "inm_none")).toEqual({ ok: false, code: "mail_not_found" });
});

const forwarded = (sender: string, note = "") =>
  `${note}\n\n---------- Forwarded message ---------\nFrom: ${sender}\nDate: Wed, Nov 18, 2026 at 2:55 PM\nSubject: Scanner\nTo: <tess@wrenfield.example>\n\n\nIt jams.\n\nLee\n`;

test("a held forward becomes the ticket of whoever wrote it, in the organization that staff choose", async () => {
  const { ctx, here, there, tech, sam, staff } = await world();
  const { ctx: own, actor } = staff(sam);
  const held = (sender: string, isForged = false) =>
    signedMailIn(ctx, { from: tech.email, subject: "Fwd: Scanner", text: forwarded(sender, "Be quick."), isForged });
  const place = (mailId: string, organizationId: string) =>
    placeMail(own, actor, { mailId, destination: { organizationId } });
  const mail = await held("Lee Moss <lee@stranger.example>");
  expect(mail).toMatchObject({ state: "held", reason: "unknown_original_sender" });
  ctx.clock.advance(minutes(30));
  const placed = await Promise.all([place(mail.id, here.id), place(mail.id, there.id), place(mail.id, here.id)]);
  expect(placed.filter(({ ok }) => ok)).toHaveLength(1);
  const [row] = await mailRows(ctx);
  expect(row).toMatchObject({ state: "processed", reason: "placed", effect: "opened" });
  const ticket = await ticketRow(ctx, row?.ticket_id ?? "");
  expect(ticket).toMatchObject({
    ...{ title: "Scanner", description: "It jams.\n\nLee", creator_name: "Lee Moss", created_by: null },
    ...{ opened_by: tech.id, created_at: mail.received_at },
  });
  expect(await ctx.db.select().from(contacts)).toMatchObject([
    { email: "lee@stranger.example", organization_id: ticket.organization_id },
  ]);
  const notes = await ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));
  expect(notes).toMatchObject([{ is_internal: true, message: "Be quick.", user_id: tech.id }]);
  const isPlaced = and(eq(auditEvents.action, "ticket.mail_placed"), eq(auditEvents.subject_id, ticket.id));
  expect(await ctx.db.select().from(auditEvents).where(isPlaced)).toMatchObject([{ actor_id: sam.id }]);
});

test("a held forward opens nothing for a blocked sender, a client of another organization, or if nothing proves it", async () => {
  const { ctx, here, there, tech, sam, staff } = await world();
  const { ctx: own, actor } = staff(sam);
  const held = (sender: string, isForged = false) =>
    signedMailIn(ctx, { from: tech.email, subject: "Fwd: Scanner", text: forwarded(sender), isForged });
  const place = (mailId: string) => placeMail(own, actor, { mailId, destination: { organizationId: here.id } });
  const before = await ctx.db.select().from(tickets);
  const blocked = await held("Max <max@stranger.example>");
  await ctx.db.insert(blockedSenders).values({ email: "max@stranger.example", blocked_by: sam.id, blocked_at: 0 });
  expect(await place(blocked.id)).toEqual({ ok: false, code: "blocked" });
  const kim = await held("Kim <kim@stranger.example>");
  const person = await makePerson(ctx, { email: "kim@stranger.example" });
  await makeMember(ctx, there.id, person, "member");
  expect(await place(kim.id)).toEqual({ ok: false, code: "elsewhere" });
  const forged = await held("Lee <lee@stranger.example>", true);
  expect(forged).toMatchObject({ reason: "staff_unproven" });
  expect(await place(forged.id)).toEqual({ ok: false, code: "is_colleague" });
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, tech.id));
  await ctx.db.delete(blockedSenders);
  expect(await place(blocked.id)).toMatchObject({ ok: false });
  expect(await ctx.db.select().from(tickets)).toHaveLength(before.length);
});
