import { and, eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { notifications } from "~/db/schema/notifications";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { userMfaSettings } from "~/db/schema/security";
import { ticketDrafts, ticketEvents, tickets } from "~/db/schema/tickets";
import { sendAnyway } from "~/features/inbound-mail/colleague-mail.server";
import { discardMail, placeMail, retryMail } from "~/features/inbound-mail/commands.server";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { threadTag } from "~/features/tickets/mails/compose-mails.server";
import { listReplyRecipients } from "~/features/tickets/notify-ticket.server";
import { notifyOfTargets } from "~/jobs/ticket-jobs.server";
import { hours, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { addDomain, contactsWith } from "../../support/contacts";
import { testContext } from "../../support/context";
import { makeMember, makePerson } from "../../support/factories";
import { clearMail, deliver, mailIn, mailRows, messagesOf, replyAddress, tokenOf } from "../../support/inbound-mail";
import { makeSentMail } from "../../support/outbox";
import { signedMail, signedMailIn, stubDns } from "../../support/staff-mail";
import { makeMessage, textsOf, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

beforeEach(() => stubDns());
afterEach(() => {
  vi.unstubAllGlobals();
});

async function world() {
  // A delivery sends twenty at a time: nobody of the tests before is to hear of it, too.
  await testContext().db.delete(userRoles);
  const { base: ctx, here, there, dana, sam, avery, client, staff } = await ticketWorld();
  const tech = await makePerson(ctx, { role: "moderator", fullName: "Tess Hale", withTotp: true });
  await clearMail(ctx);
  const ticket = valueOf(await client(dana).open({ title: "Printer" }));
  await ctx.settle();
  await ctx.db.delete(outbox);
  ctx.clock.advance(minutes(5));
  const to = replyAddress(ctx, ticket, tech.id);
  const written = () => messagesOf(ctx, ticket.id);
  const drafts = () => ctx.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id));
  /** Stores a reply of staff, as if it had been sent from the ticket. */
  async function writes({ id, fullName }: typeof tech, message: string) {
    await makeMessage(ctx, ticket.id, { user_id: id, author_name: fullName, message });
    ctx.clock.advance(minutes(1));
  }
  const versionNow = async () => (await ticketRow(ctx, ticket.id)).version;
  const send = async (mailId: string, person: typeof tech, version?: number) => {
    const { ctx: own, actor } = staff(person);
    return sendAnyway(own, actor, { mailId, version: version ?? (await versionNow()) });
  };
  const unproven = (text = "Switch it off and on.") =>
    signedMailIn(ctx, { from: tech.email, to, text, isForged: true });
  const mail = { to, written, drafts, writes, versionNow, send, unproven };
  return { ctx, here, there, dana, sam, avery, tech, client, staff, ticket, ...mail };
}

const outcomesOf = async (ctx: Ctx, ticketId: string) => {
  const isOutcome = inArray(ticketEvents.kind, ["promise_kept", "promise_missed"]);
  const rows = await ctx.db
    .select()
    .from(ticketEvents)
    .where(and(eq(ticketEvents.ticket_id, ticketId), isOutcome));
  return rows.map(({ kind }) => kind);
};

const answer = (text: string) =>
  `${text}\n\nOn Wed, 18 Nov 2026 at 15:00 Wrenfield <support@wrenfield.example> wrote:\n> — Reply above this line —\n> Dana wrote:\n`;

test("what staff answer is a public reply in their name, and the client is answered at the time of its receipt", async () => {
  const { ctx, dana, tech, ticket, to, written } = await world();
  const mail = await signedMailIn(ctx, { from: `T <${tech.email}>`, to, text: answer("Switch it off and on.") });
  expect(mail).toMatchObject({ state: "processed", effect: "replied", ticket_id: ticket.id });
  expect(JSON.parse(mail.details)).toMatchObject({ checked: "clinic.example", tier: "address" });
  expect(await written()).toMatchObject([
    {
      ...{ id: mail.message_id, user_id: tech.id, author_name: "Tess Hale", side: "staff", is_internal: false },
      ...{ message: "Switch it off and on.", created_at: mail.received_at },
    },
  ]);
  expect(await ticketRow(ctx, ticket.id)).toMatchObject({ due_at: null, assigned_to: tech.id });
  const told = await ctx.db.select().from(outbox).where(eq(outbox.user_id, dana.id));
  expect(told.map(({ kind }) => kind)).toContain("ticket-update");
});

test("a mail that was read late has kept the promise, also where its time had been found to have passed", async () => {
  const { ctx, tech, ticket, to } = await world();
  const { due_at } = await ticketRow(ctx, ticket.id);
  ctx.clock.set((due_at ?? 0) - minutes(1));
  stubDns({ isDown: true });
  const late = await signedMailIn(ctx, { from: tech.email, to, text: "Done." });
  expect(late).toMatchObject({ state: "received", message_id: null });
  ctx.clock.advance(minutes(10));
  while ((await notifyOfTargets(ctx)).more);
  expect(await outcomesOf(ctx, ticket.id)).toEqual(["promise_missed"]);
  stubDns();
  expect(await processWaitingMail(ctx)).toBe(1);
  const [mail] = await mailRows(ctx);
  expect(mail?.state).toBe("processed");
  expect(await outcomesOf(ctx, ticket.id)).toEqual(["promise_kept"]);
});

test("while DNS is down nobody counts as proven: staff are tried again, and are held at last; clients go on", async () => {
  const { ctx, dana, tech, ticket, to } = await world();
  stubDns({ isDown: true });
  await signedMailIn(ctx, { from: tech.email, to });
  for (let count = 0; count < 7; count += 1) {
    expect(await mailRows(ctx)).toMatchObject([{ state: "received" }]);
    ctx.clock.advance(hours(1));
    await processWaitingMail(ctx);
  }
  expect(await mailRows(ctx)).toMatchObject([{ state: "held", reason: "staff_unproven" }]);
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
  const own = await signedMailIn(ctx, { from: dana.email, to: replyAddress(ctx, ticket, dana.id) });
  expect(own.state).toBe("processed");
  expect(JSON.parse(own.details).checked).toBeNull();
});

test.each<[string, Partial<Parameters<typeof signedMailIn>[1]>, string]>([
  ["no signature that verifies", { isForged: true }, "staff_unproven"],
  ["the signature of another domain", { domain: "elsewhere.example" }, "staff_unproven"],
  ["a signature of a part", { tags: { l: "4" } }, "staff_unproven"],
  ["a signature that has expired", { tags: { x: "1763000000" } }, "staff_unproven"],
  ["two senders", { headers: { from: "Dana <dana@clinic.example>" } }, "several_senders"],
  ["a program that sends", { headers: { "Auto-Submitted": "auto-generated" } }, "staff_unproven"],
])("a mail of a colleague with every other sign, but %s, is held, and reaches nobody", async (_, change, reason) => {
  const { ctx, tech, ticket, to, written, drafts } = await world();
  const References = `<${tokenOf(ctx, ticket, tech.id)}@wrenfield.example>`;
  const mail = await signedMailIn(ctx, {
    ...{ from: tech.email, to, subject: `Re: [T-${ticket.number}] Printer` },
    ...change,
    headers: { References, ...change.headers },
  });
  expect(mail).toMatchObject({ state: "held", reason, message_id: null });
  expect(await written()).toEqual([]);
  expect(await drafts()).toEqual([]);
});

test("a proven address proves nothing without second factor, once suspended, or without the role", async () => {
  const { ctx, tech, to, written } = await world();
  const send = () => signedMailIn(ctx, { from: tech.email, to });
  await ctx.db.delete(userMfaSettings).where(eq(userMfaSettings.user_id, tech.id));
  expect(await send()).toMatchObject({ state: "held", reason: "staff_without_factor" });
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, tech.id));
  expect(await send()).toMatchObject({ state: "held", reason: "shut_out" });
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, tech.id));
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, tech.id));
  expect(await send()).toMatchObject({ state: "held" });
  expect(await written()).toEqual([]);
});

test("a mail of staff that answers none of ours to them reaches no client, whatever number it names", async () => {
  const { ctx, dana, avery, tech, ticket, to, written } = await world();
  const anothers = tokenOf(ctx, ticket, avery.id);
  const send = (options: Omit<Parameters<typeof signedMailIn>[1], "from">) =>
    signedMailIn(ctx, { from: tech.email, text: "They broke it themselves. Bill double.", ...options });
  for (const options of [
    { subject: `Re: Fwd: [T-${ticket.number}] Printer` },
    { headers: { References: `<t${ticket.number}.aaaaaaaaaa@wrenfield.example>` } },
    { headers: { References: `<${anothers}@wrenfield.example>` } },
    { text: `Ha.\n\n> — Reply above this line —\n> [${anothers}]` },
  ]) {
    expect(await send(options)).toMatchObject({ state: "held", reason: "answers_no_mail", ticket_id: ticket.id });
  }
  const foreign = await send({ to: replyAddress(ctx, ticket, dana.id) });
  expect(foreign).toMatchObject({ state: "held", reason: "token_of_another" });
  // Whoever was asked what to charge sends the mail on, quote and signature and all.
  const quote = `Broken by them.\n\n> — Reply above this line —\n> [${tokenOf(ctx, ticket, tech.id)}]`;
  const toVendor = signedMail({ from: tech.email, to: "vendor@parts.example", text: quote });
  const sentOn = await deliver(ctx, toVendor, { from: "vendor@parts.example" });
  expect(sentOn).toMatchObject({ state: "held", reason: "answers_no_mail" });
  expect(await written()).toEqual([]);

  const own = to.slice("support+".length);
  expect(await send({ headers: { References: `<${own}>` }, text: "Done." })).toMatchObject({ effect: "replied" });
  expect(await textsOf(ctx, ticket.id)).toEqual(["Done."]);
});

test("an old mail of staff, or one with a second subject or date, proves nobody", async () => {
  const { ctx, tech, to, written } = await world();
  const raw = signedMail({ from: tech.email, to, headers: { Date: "Fri, 13 Nov 2026 15:00:00 +0000" } });
  const twice = ["Date: Wed, 18 Nov 2026 15:00:00 +0000", "Subject: Re: Printer"].map(
    (field) => `${field}\r\n${signedMail({ from: tech.email, to })}`,
  );
  for (const mail of [raw, ...twice])
    expect(await deliver(ctx, mail, { from: tech.email, to })).toMatchObject({
      state: "held",
      reason: "staff_unproven",
    });
  expect(await written()).toEqual([]);
});

test("neither a picture of a signature nor a file that is refused is an answer of staff", async () => {
  const { ctx, tech, ticket, to, written } = await world();
  const files = [{ name: "setup.exe", bytes: "MZ" }];
  expect(await signedMailIn(ctx, { from: tech.email, to, text: "", files })).toMatchObject({
    state: "held",
    reason: "empty",
  });
  expect(await written()).toEqual([]);
  expect((await ticketRow(ctx, ticket.id)).due_at).not.toBeNull();
});

test("where a colleague has ended the ticket without a word it becomes a draft", async () => {
  const { ctx, here, avery, tech, ticket, to, written, drafts } = await world();
  await ctx.db.insert(ticketEvents).values({
    ...{ id: ctx.newId("tev"), organization_id: here.id, ticket_id: ticket.id, kind: "status", at: ctx.now() },
    ...{ from_value: "open", to_value: "resolved", actor_id: avery.id, actor_name: "Avery Quinn", actor_side: "staff" },
  });
  ctx.clock.advance(minutes(1));
  const mail = await signedMailIn(ctx, { from: tech.email, to, text: "I will look tomorrow." });
  expect(mail).toMatchObject({ state: "held", reason: "colleague_answered" });
  expect(await written()).toEqual([]);
  expect(await drafts()).toMatchObject([{ message: "I will look tomorrow." }]);
});

test("twenty deliveries of one answer at once are one reply", async () => {
  const { ctx, tech, ticket, to } = await world();
  await deliver(ctx, signedMail({ from: tech.email, to, text: "Done." }), { from: tech.email, to, times: 20 });
  expect(await textsOf(ctx, ticket.id)).toEqual(["Done."]);
  expect((await mailRows(ctx)).filter(({ state }) => state === "processed")).toHaveLength(1);
});

test("where a colleague has answered first it becomes a draft, which one mail tells; twenty deliveries are one", async () => {
  const { ctx, avery, tech, ticket, to, drafts, writes } = await world();
  await writes(avery, "I am on it.");
  const raw = signedMail({ from: tech.email, to, text: answer("Switch it off.") });
  await deliver(ctx, raw, { from: tech.email, to, times: 20 });
  expect(await textsOf(ctx, ticket.id)).toEqual(["I am on it."]);
  expect(await drafts()).toMatchObject([
    { user_id: tech.id, kind: "reply", message: "Switch it off.", begun_at_message: 0 },
  ]);
  const held = (await mailRows(ctx)).filter(({ state }) => state === "held");
  expect(held).toMatchObject([{ reason: "colleague_answered", ticket_id: ticket.id }]);
  await deliverOutbox(ctx);
  const told = ctx.sent.filter(({ subject }) => subject === `[T-${ticket.number}] Avery Quinn answered first`);
  expect(told.map(({ to: recipient }) => recipient)).toEqual([tech.email]);
  expect(told[0]?.headers).toMatchObject({ "Auto-Submitted": "auto-replied" });
});

test("a draft that they have begun stays, and so does the mail", async () => {
  const { ctx, here, avery, tech, ticket, to, drafts, writes } = await world();
  await writes(avery, "I am on it.");
  await ctx.db.insert(ticketDrafts).values({
    ...{ organization_id: here.id, ticket_id: ticket.id, user_id: tech.id, kind: "reply", message: "Half a" },
    ...{ begun_at_message: 1, updated_at: ctx.now() },
  });
  const mail = await signedMailIn(ctx, { from: tech.email, to, text: "Switch it off." });
  expect(mail).toMatchObject({ state: "held", reason: "colleague_answered" });
  expect(await drafts()).toMatchObject([{ message: "Half a" }]);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ text }) => text).join()).toContain("You have another draft");
});

test("a mail that told of the colleague's reply is answered in public, and what the client wrote later is still owed", async () => {
  const { ctx, dana, avery, tech, ticket, to, writes } = await world();
  await writes(avery, "I am on it.");
  const told = { ticketId: ticket.id, provider_message_id: "0100@ses.example", user_id: tech.id };
  const event = { event: "reply_on_mine", item_id: "msg_1", at: ctx.now() } as const;
  await ctx.db.insert(mailEvents).values({ ...event, outbox_id: await makeSentMail(ctx, told) });
  ctx.clock.advance(minutes(1));
  const headers = { "In-Reply-To": "<0100@ses.example>" };
  stubDns({ isDown: true });
  await signedMailIn(ctx, { from: tech.email, to, headers, text: "And the cable?" });
  ctx.clock.advance(minutes(2));
  await mailIn(ctx, { from: dana.email, to: replyAddress(ctx, ticket, dana.id), text: "It smokes." });
  const wroteAt = ctx.now();
  ctx.clock.advance(minutes(2));
  stubDns();
  expect(await processWaitingMail(ctx)).toBe(1);
  expect(await textsOf(ctx, ticket.id)).toEqual(["I am on it.", "And the cable?", "It smokes."]);
  const after = await ticketRow(ctx, ticket.id);
  expect(after.last_message_at).toBe(wroteAt);
  expect(JSON.parse(after.promise_json).running).toMatchObject({ startedAt: wroteAt });
});

test("what answers a mention or quotes an internal note reaches no client, and becomes a draft", async () => {
  const { ctx, avery, tech, staff, ticket, written, drafts } = await world();
  const note = "@Tess the client has not paid since June, tell them nothing of it.";
  await staff(avery).note(ticket.id, note);
  ctx.clock.advance(minutes(5));
  const proven = { ...ctx, config: { ...ctx.config, MAIL_INBOUND_DOMAIN: "wrenfield.example" } };
  await deliverOutbox(proven);
  const told = ctx.sent.find(({ to, text }) => to === tech.email && text.includes("mentioned you"));
  const tag = threadTag(ctx.config, { ticketId: ticket.id, userId: tech.id, isAboutNote: true });
  expect(told?.headers.References).toBe(`<t${ticket.number}.${tag}@wrenfield.example>`);
  expect(told?.text).not.toContain("Answer this mail, or");
  const References = told?.headers.References ?? "";
  const subject = `Re: [T-${ticket.number}] Printer`;
  const ways = [
    { to: `support+t${ticket.number}.${tag}@wrenfield.example`, text: "They have." },
    { headers: { References }, subject, text: "They have." },
    { to: replyAddress(ctx, ticket, tech.id), text: `As you say:\n${note.slice(0, 40)}\n${note.slice(40)}` },
  ];
  for (const way of ways) {
    await ctx.db.delete(ticketDrafts);
    const mail = await signedMailIn(ctx, { from: tech.email, ...way });
    expect(mail).toMatchObject({ state: "held", reason: "answers_note", ticket_id: ticket.id });
    expect(await drafts()).toMatchObject([{ user_id: tech.id, kind: "reply" }]);
  }
  expect((await written()).every(({ is_internal }) => is_internal)).toBe(true);
});

test("what cannot be told from what it quotes, or holds a password, becomes a draft", async () => {
  const { ctx, tech, ticket, to, written } = await world();
  const only = `> — Reply above this line —\n> [${tokenOf(ctx, ticket, tech.id)}]`;
  expect(await signedMailIn(ctx, { from: tech.email, to, text: only })).toMatchObject({ reason: "untrimmed" });
  await ctx.db.delete(ticketDrafts);
  const signed = `${only.replaceAll("> ", "")}\n\nOn it.\n-- \nTess`;
  expect(await signedMailIn(ctx, { from: tech.email, to, text: signed })).toMatchObject({ reason: "untrimmed" });
  await ctx.db.delete(ticketDrafts);
  expect(await signedMailIn(ctx, { from: tech.email, to, text: "The password: Blue-42x" })).toMatchObject({
    reason: "holds_secret",
  });
  expect(await written()).toEqual([]);
});

const forwarded = (sender: string, note = "") =>
  `${note}\n\n---------- Forwarded message ---------\nFrom: ${sender}\nDate: Wed, Nov 18, 2026 at 2:55 PM\nSubject: Scanner\nTo: <tess@wrenfield.example>\n\n\nIt jams.\n\nLee\n`;

test("a mail that staff forward is the ticket of whoever wrote it, and what staff say above it is a note", async () => {
  const { ctx, here, dana, tech } = await world();
  await addDomain(ctx, here.id, "larkspur.example");
  const subject = "Fwd: Scanner";
  const of = (sender: string, note?: string) =>
    signedMailIn(ctx, { from: tech.email, subject, text: forwarded(sender, note) });
  const member = await of(`Dana Ortiz <${dana.email}>`, "Old model, expired warranty.");
  expect(member).toMatchObject({ state: "processed", effect: "opened" });
  expect(await ticketRow(ctx, member.ticket_id ?? "")).toMatchObject({
    ...{ title: "Scanner", description: "It jams.\n\nLee", created_by: dana.id, opened_by: tech.id },
    ...{ organization_id: here.id, created_at: member.received_at, due_at: expect.any(Number) },
  });
  expect(await messagesOf(ctx, member.ticket_id ?? "")).toMatchObject([
    { is_internal: true, message: "Old model, expired warranty.", user_id: tech.id },
  ]);
  const unknown = await of("Lee Moss <lee@larkspur.example>");
  expect(unknown).toMatchObject({ state: "processed" });
  expect(await ticketRow(ctx, unknown.ticket_id ?? "")).toMatchObject({ creator_name: "Lee Moss", created_by: null });
  expect(await contactsWith(ctx, "lee@larkspur.example")).toHaveLength(1);
});

test("what staff forward of a stranger or a colleague is held, and says who wrote it; so is what forwards nothing", async () => {
  const { ctx, avery, tech, ticket } = await world();
  const before = await ctx.db.select().from(tickets);
  const of = (sender: string) => signedMailIn(ctx, { from: tech.email, subject: "Fwd: Hi", text: forwarded(sender) });
  const stranger = await of("Max Roe <max@stranger.example>");
  expect(stranger).toMatchObject({ state: "held", reason: "unknown_original_sender" });
  expect(JSON.parse(stranger.details)).toMatchObject({ originalSender: "Max Roe <max@stranger.example>" });
  expect(await of(avery.email)).toMatchObject({ reason: "no_original_sender" });
  expect(await signedMailIn(ctx, { from: tech.email, subject: "Hello" })).toMatchObject({
    reason: "no_original_sender",
  });
  const named = {
    from: tech.email,
    subject: `Fwd: [T-${ticket.number}] Printer`,
    text: forwarded("Max <max@stranger.example>"),
  };
  expect(await signedMailIn(ctx, named)).toMatchObject({ reason: "forwards_ticket", ticket_id: ticket.id });
  expect(await signedMailIn(ctx, { ...named, isForged: true })).toMatchObject({ reason: "staff_unproven" });
  expect(await ctx.db.select().from(tickets)).toHaveLength(before.length);
});

test("staff who answer a client's mail that forwards another open no ticket for that other, and nothing is kept of them", async () => {
  const { ctx, dana, tech } = await world();
  const text = `We look at it.\n\nFrom: Dana Ortiz <${dana.email}>\nSent: Wednesday, November 18, 2026 9:30 AM\nTo: Tess\nSubject: Scanner\n${forwarded("Max Roe <max@stranger.example>")}`;
  for (const subject of ["RE: Scanner", "Our scanner"]) {
    const answer = await signedMailIn(ctx, { from: tech.email, subject, text });
    expect(answer).toMatchObject({ state: "held", reason: "no_original_sender", original_address: null });
  }
});

test("a signed mail of a client says whose it is, and staff who are clients elsewhere stay staff", async () => {
  const { ctx, there, dana, tech, ticket } = await world();
  const mail = await signedMailIn(ctx, { from: dana.email, to: replyAddress(ctx, ticket, dana.id) });
  expect(JSON.parse(mail.details)).toMatchObject({ checked: "clinic.example" });
  await makeMember(ctx, there.id, tech, "member");
  const opening = await signedMailIn(ctx, { from: tech.email, subject: "Broken" });
  expect(opening).toMatchObject({ state: "held", reason: "no_original_sender" });
});

test("an unproven reply is sent by who wrote it, in their name, and answers the client when it is sent", async () => {
  const { ctx, dana, tech, ticket, written, send, unproven } = await world();
  const mail = await unproven();
  expect(mail).toMatchObject({ state: "held", reason: "staff_unproven", ticket_id: ticket.id });
  ctx.clock.advance(minutes(20));
  expect(await send(mail.id, tech)).toEqual({
    ok: true,
    value: { name: "Tess Hale", reference: `T-${ticket.number}` },
  });
  expect(await written()).toMatchObject([
    { user_id: tech.id, author_name: "Tess Hale", is_internal: false, created_at: ctx.now() },
  ]);
  expect(await mailRows(ctx)).toMatchObject([{ state: "processed", reason: "placed", effect: "replied" }]);
  expect(await ticketRow(ctx, ticket.id)).toMatchObject({ due_at: null, assigned_to: tech.id });
  const told = await ctx.db.select().from(outbox).where(eq(outbox.user_id, dana.id));
  expect(told.map(({ kind }) => kind)).toContain("ticket-update");
  const isSent = and(eq(auditEvents.action, "ticket.held_reply_sent"), eq(auditEvents.subject_id, ticket.id));
  expect(await ctx.db.select().from(auditEvents).where(isSent)).toMatchObject([{ actor_id: tech.id }]);
});

test("an administrator may send it for them, another technician may not, and neither once their role is gone", async () => {
  const { ctx, sam, avery, tech, staff, ticket, written, versionNow, send, unproven } = await world();
  const mail = await unproven();
  expect(await send(mail.id, sam)).toEqual({ ok: false, code: "not_theirs" });
  const former = staff(avery);
  const version = await versionNow();
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, avery.id));
  expect(await sendAnyway(former.ctx, former.actor, { mailId: mail.id, version })).toMatchObject({ ok: false });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
  await ctx.db.insert(userRoles).values({ user_id: avery.id, role: "admin" } as never);
  expect(await send(mail.id, avery)).toMatchObject({ ok: true });
  expect(await written()).toMatchObject([{ user_id: tech.id }]);
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
  const { ctx, dana, avery, tech, staff, ticket, written, versionNow, send, unproven } = await world();
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
  const [message] = await written();
  expect(JSON.parse(message?.not_to ?? "[]")).toEqual([ids[1]]);
  expect(await send(mail.id, avery)).toEqual({ ok: false, code: "decided" });
});

test("nothing is sent in the name of who has left, or of a client", async () => {
  const { ctx, dana, avery, tech, ticket, send, unproven } = await world();
  const mail = await unproven();
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, tech.id));
  expect(await send(mail.id, avery)).toEqual({ ok: false, code: "not_theirs" });
  await ctx.db.update(inboundMail).set({ from_address: dana.email }).where(eq(inboundMail.id, mail.id));
  expect(await send(mail.id, avery)).toEqual({ ok: false, code: "not_theirs" });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
});

test("a reply is sent only while the ticket is as it was looked at", async () => {
  const { ctx, dana, avery, client, ticket, versionNow, send, unproven } = await world();
  const mail = await unproven();
  const looked = await versionNow();
  await client(dana).reply(ticket.id, "Solved it myself.");
  expect(await send(mail.id, avery, looked)).toEqual({ ok: false, code: "written_since" });
  expect(await textsOf(ctx, ticket.id)).toEqual(["Solved it myself."]);
  expect(await send(mail.id, avery)).toMatchObject({ ok: true });
});

test("however many decide at once, it is one reply or one note, and what is discarded is not sent", async () => {
  const { avery, tech, staff, ticket, written, send, unproven } = await world();
  const admin = staff(avery);
  const mail = await unproven();
  const results = await Promise.all([
    ...[tech, avery, avery].map((person) => send(mail.id, person)),
    placeMail(admin.ctx, admin.actor, { mailId: mail.id, destination: { ticket: `T-${ticket.number}` } }),
  ]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await written()).toHaveLength(1);
  const other = await unproven("Try the other socket.");
  const [sent, discarded] = await Promise.all([
    send(other.id, avery),
    discardMail(admin.ctx, admin.actor, { mailId: other.id, nonce: "d" }),
  ]);
  expect([sent.ok, discarded.ok].filter(Boolean)).toHaveLength(1);
  expect(await written()).toHaveLength(sent.ok ? 2 : 1);
});

test("what could show an internal note is never sent, whoever asks", async () => {
  const { ctx, avery, tech, staff, ticket, to, written, send } = await world();
  const note = "They have not paid since June, tell them nothing of it.";
  await staff(avery).note(ticket.id, note);
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
  expect((await written()).every(({ is_internal }) => is_internal)).toBe(true);
});

test("a reply that came second is sent with the draft that it was, and another draft stays", async () => {
  const { ctx, avery, tech, ticket, to, drafts, writes, send } = await world();
  await writes(avery, "I am on it.");
  const second = await signedMailIn(ctx, { from: tech.email, to, text: "And bring the cable." });
  expect(second).toMatchObject({ state: "held", reason: "colleague_answered" });
  expect(await drafts()).toMatchObject([{ message: "And bring the cable." }]);
  const third = await signedMailIn(ctx, { from: tech.email, to, text: "Or two." });
  expect(await send(third.id, tech)).toMatchObject({ ok: true });
  expect(await drafts()).toHaveLength(1);
  expect(await send(second.id, tech)).toMatchObject({ ok: true });
  expect(await drafts()).toEqual([]);
  expect((await textsOf(ctx, ticket.id)).sort()).toEqual(["And bring the cable.", "I am on it.", "Or two."]);
});

test("what its author has sent from the ticket meanwhile is not sent twice", async () => {
  const { tech, writes, send, unproven } = await world();
  const mail = await unproven("Done.");
  await writes(tech, "Done.");
  expect(await send(mail.id, tech)).toEqual({ ok: false, code: "sent_already" });
});

test("a discarded mail is no longer held, is in the activity, and can still become a note; a client's cannot", async () => {
  const { ctx, sam, avery, staff, ticket, send, unproven } = await world();
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

test("a held forward becomes the ticket of whoever wrote it, in the organization that staff choose", async () => {
  const { ctx, here, there, sam, tech, staff } = await world();
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
  expect(await contactsWith(ctx, "lee@stranger.example")).toMatchObject([{ organization_id: ticket.organization_id }]);
  expect(await messagesOf(ctx, ticket.id)).toMatchObject([
    { is_internal: true, message: "Be quick.", user_id: tech.id },
  ]);
  const isPlaced = and(eq(auditEvents.action, "ticket.mail_placed"), eq(auditEvents.subject_id, ticket.id));
  expect(await ctx.db.select().from(auditEvents).where(isPlaced)).toMatchObject([{ actor_id: sam.id }]);
});

test("a held forward opens nothing for a blocked sender, a client of another organization, or if nothing proves it", async () => {
  const { ctx, here, there, sam, tech, staff } = await world();
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
