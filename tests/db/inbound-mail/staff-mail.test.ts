import { and, eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizationDomains } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { userMfaSettings } from "~/db/schema/security";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketDrafts, ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { threadTag } from "~/features/tickets/mails/compose-mails.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { notifyOfTargets } from "~/jobs/ticket-jobs.server";
import { hours, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { makeMember, makePerson } from "../../support/factories";
import { handOver, mailIn, mailRows, replyAddress, tokenOf } from "../../support/inbound-mail";
import { signedMail, signedMailIn, stubDns } from "../../support/staff-mail";
import { textsOf, ticketRow, ticketWorld } from "../../support/tickets";

beforeEach(() => stubDns());
afterEach(() => {
  vi.unstubAllGlobals();
});

async function world() {
  const { base: ctx, here, there, dana, omar, avery, client, staff } = await ticketWorld();
  const tech = await makePerson(ctx, {
    ...{ role: "moderator", fullName: "Tess Hale", withTotp: true },
  });
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
  return { ctx, here, there, dana, omar, avery, tech, client, staff, ticket, to: replyAddress(ctx, ticket, tech.id) };
}

const outcomesOf = async (ctx: Ctx, ticketId: string) => {
  const isOutcome = inArray(ticketEvents.kind, ["promise_kept", "promise_missed"]);
  const rows = await ctx.db
    .select()
    .from(ticketEvents)
    .where(and(eq(ticketEvents.ticket_id, ticketId), isOutcome));
  return rows.map(({ kind }) => kind);
};

type World = Awaited<ReturnType<typeof world>>;

const messagesOf = ({ ctx, ticket }: Pick<World, "ctx" | "ticket">) =>
  ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));

const draftsOf = ({ ctx, ticket }: Pick<World, "ctx" | "ticket">) =>
  ctx.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id));

const answer = (text: string) =>
  `${text}\n\nOn Wed, 18 Nov 2026 at 15:00 Wrenfield <support@wrenfield.example> wrote:\n> — Reply above this line —\n> Dana wrote:\n`;

async function colleagueReplies({ ctx, avery, ticket, here }: World, text = "I am on it.") {
  const at = ctx.now();
  await ctx.db.insert(ticketMessages).values({
    ...{ id: ctx.newId("msg"), organization_id: here.id, ticket_id: ticket.id, user_id: avery.id, side: "staff" },
    ...{ author_name: "Avery Quinn", message: text, created_at: at, updated_at: at },
  });
}

test("what staff answer is a public reply in their name, and the client is answered at the time of its receipt", async () => {
  const all = await world();
  const { ctx, tech, ticket, dana, to } = all;
  const mail = await signedMailIn(ctx, { from: `T <${tech.email}>`, to, text: answer("Switch it off and on.") });
  expect(mail).toMatchObject({ state: "processed", effect: "replied", ticket_id: ticket.id });
  expect(JSON.parse(mail.details)).toMatchObject({ checked: "clinic.example", tier: "address" });
  expect(await messagesOf(all)).toMatchObject([
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
  const raw = signedMail({ from: tech.email, to, text: "Done." });
  ctx.clock.set((due_at ?? 0) - minutes(1));
  stubDns({ isDown: true });
  await handOver(ctx, raw, { from: tech.email, to });
  await ctx.settle();
  expect(await mailRows(ctx)).toMatchObject([{ state: "received", message_id: null }]);
  ctx.clock.advance(minutes(10));
  await notifyOfTargets(ctx);
  expect(await outcomesOf(ctx, ticket.id)).toEqual(["promise_missed"]);
  stubDns();
  expect(await processWaitingMail(ctx)).toBe(1);
  const [mail] = await mailRows(ctx);
  expect(mail?.state).toBe("processed");
  expect(await outcomesOf(ctx, ticket.id)).toEqual(["promise_kept"]);
});

test("while DNS is down nobody counts as proven: staff are tried again, and are held at last; clients go on", async () => {
  const { ctx, tech, dana, ticket, to } = await world();
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
  const all = await world();
  const { ctx, tech, ticket, to } = all;
  const References = `<${tokenOf(ctx, ticket, tech.id)}@wrenfield.example>`;
  const mail = await signedMailIn(ctx, {
    ...{ from: tech.email, to, subject: `Re: [T-${ticket.number}] Printer` },
    ...change,
    headers: { References, ...change.headers },
  });
  expect(mail).toMatchObject({ state: "held", reason, message_id: null });
  expect(await messagesOf(all)).toEqual([]);
  expect(await draftsOf(all)).toEqual([]);
});

test("a proven address proves nothing without second factor, once suspended, or without the role", async () => {
  const all = await world();
  const { ctx, tech, to } = all;
  const send = () => signedMailIn(ctx, { from: tech.email, to });
  await ctx.db.delete(userMfaSettings).where(eq(userMfaSettings.user_id, tech.id));
  expect(await send()).toMatchObject({ state: "held", reason: "staff_without_factor" });
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, tech.id));
  expect(await send()).toMatchObject({ state: "held", reason: "shut_out" });
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, tech.id));
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, tech.id));
  expect(await send()).toMatchObject({ state: "held" });
  expect(await messagesOf(all)).toEqual([]);
});

test("a mail of staff that answers none of ours to them reaches no client, whatever number it names", async () => {
  const all = await world();
  const { ctx, tech, dana, avery, ticket, to } = all;
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
  await handOver(ctx, toVendor, { from: "vendor@parts.example", to: "support@wrenfield.example" });
  await ctx.settle();
  expect((await mailRows(ctx)).at(-1)).toMatchObject({ state: "held", reason: "answers_no_mail" });
  expect(await messagesOf(all)).toEqual([]);

  const own = to.slice("support+".length);
  expect(await send({ headers: { References: `<${own}>` }, text: "Done." })).toMatchObject({ effect: "replied" });
  expect(await textsOf(ctx, ticket.id)).toEqual(["Done."]);
});

test("an old mail of staff, or one with a second subject or date, proves nobody", async () => {
  const all = await world();
  const { ctx, tech, to } = all;
  const raw = signedMail({ from: tech.email, to, headers: { Date: "Fri, 13 Nov 2026 15:00:00 +0000" } });
  const twice = ["Date: Wed, 18 Nov 2026 15:00:00 +0000", "Subject: Re: Printer"].map(
    (field) => `${field}\r\n${signedMail({ from: tech.email, to })}`,
  );
  for (const mail of [raw, ...twice]) {
    await handOver(ctx, mail, { from: tech.email, to });
    await ctx.settle();
    expect((await mailRows(ctx)).at(-1)).toMatchObject({ state: "held", reason: "staff_unproven" });
  }
  expect(await messagesOf(all)).toEqual([]);
});

test("neither a picture of a signature nor a file that is refused is an answer of staff", async () => {
  const all = await world();
  const { ctx, tech, ticket, to } = all;
  const files = [{ name: "setup.exe", bytes: "MZ" }];
  expect(await signedMailIn(ctx, { from: tech.email, to, text: "", files })).toMatchObject({
    state: "held",
    reason: "empty",
  });
  expect(await messagesOf(all)).toEqual([]);
  expect((await ticketRow(ctx, ticket.id)).due_at).not.toBeNull();
});

test("where a colleague has ended the ticket without a word it becomes a draft", async () => {
  const all = await world();
  const { ctx, tech, avery, ticket, here, to } = all;
  await ctx.db.insert(ticketEvents).values({
    ...{ id: ctx.newId("tev"), organization_id: here.id, ticket_id: ticket.id, kind: "status", at: ctx.now() },
    ...{ from_value: "open", to_value: "resolved", actor_id: avery.id, actor_name: "Avery Quinn", actor_side: "staff" },
  });
  ctx.clock.advance(minutes(1));
  const mail = await signedMailIn(ctx, { from: tech.email, to, text: "I will look tomorrow." });
  expect(mail).toMatchObject({ state: "held", reason: "colleague_answered" });
  expect(await messagesOf(all)).toEqual([]);
  expect(await draftsOf(all)).toMatchObject([{ message: "I will look tomorrow." }]);
});

test("twenty deliveries of one answer at once are one reply", async () => {
  const { ctx, tech, ticket, to } = await world();
  const raw = signedMail({ from: tech.email, to, text: "Done." });
  await Promise.all(Array.from({ length: 20 }, () => handOver(ctx, raw, { from: tech.email, to })));
  await ctx.settle();
  expect(await textsOf(ctx, ticket.id)).toEqual(["Done."]);
  expect((await mailRows(ctx)).filter(({ state }) => state === "processed")).toHaveLength(1);
});

test("where a colleague has answered first it becomes a draft, which one mail tells; twenty deliveries are one", async () => {
  const all = await world();
  const { ctx, tech, ticket, to } = all;
  await colleagueReplies(all);
  ctx.clock.advance(minutes(1));
  const raw = signedMail({ from: tech.email, to, text: answer("Switch it off.") });
  await Promise.all(Array.from({ length: 20 }, () => handOver(ctx, raw, { from: tech.email, to })));
  await ctx.settle();
  expect(await textsOf(ctx, ticket.id)).toEqual(["I am on it."]);
  expect(await draftsOf(all)).toMatchObject([
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
  const all = await world();
  const { ctx, tech, ticket, here, to } = all;
  await colleagueReplies(all);
  ctx.clock.advance(minutes(1));
  await ctx.db.insert(ticketDrafts).values({
    ...{ organization_id: here.id, ticket_id: ticket.id, user_id: tech.id, kind: "reply", message: "Half a" },
    ...{ begun_at_message: 1, updated_at: ctx.now() },
  });
  const mail = await signedMailIn(ctx, { from: tech.email, to, text: "Switch it off." });
  expect(mail).toMatchObject({ state: "held", reason: "colleague_answered" });
  expect(await draftsOf(all)).toMatchObject([{ message: "Half a" }]);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ text }) => text).join()).toContain("You have another draft");
});

test("a mail that told of the colleague's reply is answered in public, and what the client wrote later is still owed", async () => {
  const all = await world();
  const { ctx, tech, dana, ticket, to } = all;
  await colleagueReplies(all);
  ctx.clock.advance(minutes(1));
  await ctx.db.insert(outbox).values({
    ...{ id: "mail_told", kind: "ticket-update", to_hash: "", priority: 1, status: "sent", next_at: 0, created_at: 0 },
    ...{ subject_type: "ticket", subject_id: ticket.id, provider_message_id: "0100@ses.example", user_id: tech.id },
  });
  await ctx.db
    .insert(mailEvents)
    .values({ outbox_id: "mail_told", event: "reply_on_mine", item_id: "msg_1", at: ctx.now() });
  ctx.clock.advance(minutes(1));
  const headers = { "In-Reply-To": "<0100@ses.example>" };
  stubDns({ isDown: true });
  const raw = signedMail({ from: tech.email, to, headers, text: "And the cable?" });
  await handOver(ctx, raw, { from: tech.email, to });
  await ctx.settle();
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
  const all = await world();
  const { ctx, avery, tech, ticket, staff } = all;
  const colleague = staff(avery);
  const note = "@Tess the client has not paid since June, tell them nothing of it.";
  await addInternalNote(colleague.ctx, colleague.actor, { ticketId: ticket.id, text: note, nonce: ctx.newToken() });
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
    expect(await draftsOf(all)).toMatchObject([{ user_id: tech.id, kind: "reply" }]);
  }
  expect((await messagesOf(all)).every(({ is_internal }) => is_internal)).toBe(true);
});

test("what cannot be told from what it quotes, or holds a password, becomes a draft", async () => {
  const all = await world();
  const { ctx, to, tech } = all;
  const only = `> — Reply above this line —\n> [${tokenOf(ctx, all.ticket, tech.id)}]`;
  expect(await signedMailIn(ctx, { from: tech.email, to, text: only })).toMatchObject({ reason: "untrimmed" });
  await ctx.db.delete(ticketDrafts);
  const signed = `${only.replaceAll("> ", "")}\n\nOn it.\n-- \nTess`;
  expect(await signedMailIn(ctx, { from: tech.email, to, text: signed })).toMatchObject({ reason: "untrimmed" });
  await ctx.db.delete(ticketDrafts);
  expect(await signedMailIn(ctx, { from: tech.email, to, text: "The password: Blue-42x" })).toMatchObject({
    reason: "holds_secret",
  });
  expect(await messagesOf(all)).toEqual([]);
});

const forwarded = (sender: string, note = "") =>
  `${note}\n\n---------- Forwarded message ---------\nFrom: ${sender}\nDate: Wed, Nov 18, 2026 at 2:55 PM\nSubject: Scanner\nTo: <tess@wrenfield.example>\n\n\nIt jams.\n\nLee\n`;

test("a mail that staff forward is the ticket of whoever wrote it, and what staff say above it is a note", async () => {
  const { ctx, here, dana, tech } = await world();
  await ctx.db
    .insert(organizationDomains)
    .values({ domain: "larkspur.example", organization_id: here.id, created_at: 0 });
  const subject = "Fwd: Scanner";
  const of = (sender: string, note?: string) =>
    signedMailIn(ctx, { from: tech.email, subject, text: forwarded(sender, note) });
  const member = await of(`Dana Ortiz <${dana.email}>`, "Old model, expired warranty.");
  expect(member).toMatchObject({ state: "processed", effect: "opened" });
  expect(await ticketRow(ctx, member.ticket_id ?? "")).toMatchObject({
    ...{ title: "Scanner", description: "It jams.\n\nLee", created_by: dana.id, opened_by: tech.id },
    ...{ organization_id: here.id, created_at: member.received_at, due_at: expect.any(Number) },
  });
  const messages = await ctx.db
    .select()
    .from(ticketMessages)
    .where(eq(ticketMessages.ticket_id, member.ticket_id ?? ""));
  expect(messages).toMatchObject([{ is_internal: true, message: "Old model, expired warranty.", user_id: tech.id }]);
  const unknown = await of("Lee Moss <lee@larkspur.example>");
  expect(unknown).toMatchObject({ state: "processed" });
  expect(await ticketRow(ctx, unknown.ticket_id ?? "")).toMatchObject({ creator_name: "Lee Moss", created_by: null });
  expect(await ctx.db.select().from(contacts).where(eq(contacts.email, "lee@larkspur.example"))).toHaveLength(1);
});

test("what staff forward of a stranger or a colleague is held, and says who wrote it; so is what forwards nothing", async () => {
  const { ctx, tech, avery, ticket } = await world();
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
  const { ctx, dana, tech, there, ticket } = await world();
  const mail = await signedMailIn(ctx, { from: dana.email, to: replyAddress(ctx, ticket, dana.id) });
  expect(JSON.parse(mail.details)).toMatchObject({ checked: "clinic.example" });
  await makeMember(ctx, there.id, tech, "member");
  const opening = await signedMailIn(ctx, { from: tech.email, subject: "Broken" });
  expect(opening).toMatchObject({ state: "held", reason: "no_original_sender" });
});
