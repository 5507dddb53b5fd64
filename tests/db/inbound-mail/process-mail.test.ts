import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { inboundMail } from "~/db/schema/inbound-mail";
import { contacts } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { attachments } from "~/db/schema/subjects";
import { tickets } from "~/db/schema/tickets";
import { MAIL_TRIES } from "~/features/inbound-mail/model";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { receiveMail } from "~/features/inbound-mail/receive-mail.server";
import { findHeldAddress, recordDeliveryEvents } from "~/features/mail/delivery-events.server";
import { days, hours, minutes } from "~/lib/time";
import { meteredD1, noCost } from "~/platform/d1.server";
import { takeLimitOfPeriod } from "~/platform/rate-limits.server";
import { addDomain, ccOf, contactsWith, makeCc, makeContact } from "../../support/contacts";
import { bindings, derive, type TestContext, testContext } from "../../support/context";
import { makeMember, makePerson } from "../../support/factories";
import {
  clearMail,
  deliver,
  failureReport,
  handOver,
  mailIn,
  mailRows,
  messagesOf,
  rawMail,
  replyAddress,
  rowsOfTicket,
  tokenOf,
} from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { deliveryEvent } from "../../support/mail-provider";
import { mailRow, makeSentMail } from "../../support/outbox";
import { makeTicket, textsOf, ticketRow, ticketWorld } from "../../support/tickets";

async function world() {
  const { base: ctx, here, dana, omar, ivy, sam, there } = await ticketWorld();
  await clearMail(ctx);
  const ticket = await makeTicket(ctx, { organizationId: here.id, createdBy: dana, status: "waiting_for_customer" });
  return { ctx, here, there, dana, omar, ivy, sam, ticket };
}

/** Counts mails of a sender as if they had come within this hour. */
async function useUp(ctx: TestContext, limit: "mail_sender" | "mail_domain", of: string, mails: number) {
  const take = () => takeLimitOfPeriod(ctx.db, limit, of, ctx.now());
  await take();
  await ctx.db
    .update(rateLimitAttempts)
    .set({ attempts: mails - 1 })
    .where(eq(rateLimitAttempts.attempt_type, limit));
  // The one that reaches a limit begins the block.
  await take();
}

test("an answer to a reply address becomes a message of its person, and the ticket is open again", async () => {
  const { ctx, dana, ticket } = await world();
  const to = replyAddress(ctx, ticket, dana.id);
  const mail = await mailIn(ctx, { from: `"D." <${dana.email}>`, to, subject: "whatever" });
  expect(mail).toMatchObject({ state: "processed", class: "person", ticket_id: ticket.id, effect: "replied" });
  expect(await messagesOf(ctx, ticket.id)).toMatchObject([
    { id: mail.message_id, user_id: dana.id, author_name: "Dana Ortiz", side: "client", message: "It blinks again." },
  ]);
  expect((await ticketRow(ctx, ticket.id)).status).toBe("open");
});

test("a reply address works for its person only, not for a colleague and not for a stranger", async () => {
  const { ctx, dana, omar, ticket } = await world();
  const to = replyAddress(ctx, ticket, dana.id);
  for (const from of [omar.email, "stranger@elsewhere.example"]) {
    expect(await mailIn(ctx, { from, to })).toMatchObject({ state: "held", reason: "token_of_another" });
  }
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
});

test("without the address a mail finds its ticket by each sign that programs leave, if its sender is on the ticket", async () => {
  const { ctx, dana, omar, ticket } = await world();
  await makeSentMail(ctx, { ticketId: ticket.id, provider_message_id: "0100@ses.example" });
  const token = tokenOf(ctx, ticket, dana.id);
  const signs = [
    { headers: { References: `<other@x.example> <${token}@wrenfield.example>` } },
    { headers: { "In-Reply-To": "<0100@ses.example>" } },
    { text: `Yes.\n\n— Reply above this line —\n\n[${token}]` },
    { subject: `Re: [T-${ticket.number}] Printer` },
  ];
  for (const [index, sign] of signs.entries()) {
    ctx.clock.advance(minutes(1));
    const own = await mailIn(ctx, { from: dana.email, text: `Answer ${index}.`, ...sign });
    expect([index, own]).toMatchObject([index, { state: "processed", ticket_id: ticket.id }]);
    const foreign = await mailIn(ctx, { from: "stranger@elsewhere.example", ...sign });
    expect(foreign).toMatchObject({ state: "held", reason: "unknown_sender", ticket_id: null });
    // Of a colleague who is not on it, it is a matter of its own.
    const beside = await mailIn(ctx, { from: omar.email, ...sign });
    expect(beside).toMatchObject({ state: "processed", effect: "opened" });
    expect(beside.ticket_id).not.toBe(ticket.id);
  }
  expect(await textsOf(ctx, ticket.id)).toEqual(["Answer 0.", "Answer 1.", "Yes.", "Answer 3."]);
});

test("a mail that is delivered again and again is one message, ticket or held mail, and uses up nothing of its sender", async () => {
  const { ctx, here, dana, ticket } = await world();
  const to = replyAddress(ctx, ticket, dana.id);
  const answer = rawMail({ from: dana.email, to });
  for (let count = 0; count < 3; count += 1) await deliver(ctx, answer, { from: dana.email, to, times: 15 });
  await deliver(ctx, rawMail({ from: dana.email, subject: "Scanner" }), { from: dana.email, times: 15 });
  const from = "stranger@elsewhere.example";
  await deliver(ctx, rawMail({ from }), { from, times: 3 });
  expect(await textsOf(ctx, ticket.id)).toHaveLength(1);
  expect(await ctx.db.$count(tickets, sql`title = 'Scanner' AND organization_id = ${here.id}`)).toBe(1);
  const states = (await mailRows(ctx)).map(({ state }) => state);
  expect(states.filter((state) => state !== "dropped").toSorted()).toEqual(["held", "processed", "processed"]);
  expect(states).toHaveLength(45 + 15 + 3);
  expect(await mailIn(ctx, { from: dana.email, to, text: "Another." })).toMatchObject({ state: "processed" });
});

test("the first mail of a member opens a ticket in their name, and is confirmed once an hour", async () => {
  const { ctx, dana, here } = await world();
  const first = await mailIn(ctx, { from: dana.email, subject: "Scanner jams", text: "Since Monday." });
  expect(first).toMatchObject({ state: "processed", effect: "opened", message_id: null });
  expect(await ticketRow(ctx, first.ticket_id ?? "")).toMatchObject({
    ...{ title: "Scanner jams", description: "Since Monday.", organization_id: here.id, created_by: dana.id },
    created_at: first.received_at,
  });
  await mailIn(ctx, { from: dana.email, subject: "And the door" });
  const receipts = await ctx.db.select().from(outbox).where(eq(outbox.kind, "ticket-received"));
  expect(receipts.map(({ user_id }) => user_id)).toEqual([dana.id]);
});

test("what a machine sends opens a ticket that nobody confirms, and moves none", async () => {
  const { ctx, here, dana, ticket } = await world();
  const headers = { "Auto-Submitted": "auto-generated" };
  expect(await mailIn(ctx, { from: dana.email, subject: "Backup failed", headers })).toMatchObject({
    effect: "opened",
  });
  // Nor what watches a device of theirs, from an address that nobody knows.
  await addDomain(ctx, here.id, "nas.example");
  expect(await mailIn(ctx, { from: "backup@nas.example", headers })).toMatchObject({ effect: "opened" });
  expect(await ctx.db.select().from(outbox).where(eq(outbox.kind, "ticket-received"))).toEqual([]);
  await mailIn(ctx, { from: dana.email, to: replyAddress(ctx, ticket, dana.id), headers });
  expect(await textsOf(ctx, ticket.id)).toEqual(["It blinks again."]);
  expect(await ticketRow(ctx, ticket.id)).toMatchObject({ status: "waiting_for_customer", due_at: null });
});

test("a storm of automatic replies makes one note for staff, and no mail, and moves nothing", async () => {
  const { ctx, dana, ticket } = await world();
  const to = replyAddress(ctx, ticket, dana.id);
  const headers = { "Auto-Submitted": "auto-replied" };
  await useUp(ctx, "mail_sender", dana.email, 39);
  for (let count = 0; count < 3; count += 1)
    await mailIn(ctx, { from: dana.email, to, headers, text: "Back on Monday." });
  expect(await messagesOf(ctx, ticket.id)).toMatchObject([
    { is_internal: true, message: expect.stringMatching(/Back on Monday\.$/), user_id: null },
  ]);
  expect(await ctx.db.select().from(outbox)).toEqual([]);
  expect(ctx.sent).toEqual([]);
  expect((await ticketRow(ctx, ticket.id)).status).toBe("waiting_for_customer");
  expect(new Set((await rowsOfTicket(ctx, ticket.id)).map(({ state }) => state))).toEqual(new Set(["automatic"]));
  expect(await mailIn(ctx, { from: dana.email, to })).toMatchObject({ state: "processed", effect: "replied" });
});

test("a mail opens a ticket again that was closed less than fourteen days ago", async () => {
  const { ctx, dana, here } = await world();
  const at = ctx.now() - days(13);
  const ticket = await makeTicket(ctx, { organizationId: here.id, createdBy: dana, status: "closed", at });
  const to = replyAddress(ctx, ticket, dana.id);
  expect(await mailIn(ctx, { from: dana.email, to })).toMatchObject({ effect: "reopened" });
  expect((await ticketRow(ctx, ticket.id)).status).toBe("open");
});

test("mail opens one ticket again five times an hour at most, and further mails are held", async () => {
  const { ctx, dana, here } = await world();
  const ticket = await makeTicket(ctx, { organizationId: here.id, createdBy: dana, status: "resolved" });
  const to = replyAddress(ctx, ticket, dana.id);
  const again = async () => {
    await ctx.db.update(tickets).set({ status: "resolved", resolved_at: ctx.now() }).where(eq(tickets.id, ticket.id));
    return mailIn(ctx, { from: dana.email, to });
  };
  for (let count = 0; count < 5; count += 1) expect(await again()).toMatchObject({ effect: "reopened" });
  expect((await ticketRow(ctx, ticket.id)).status).toBe("open");
  expect(await again()).toMatchObject({ state: "held", reason: "reopened_often" });
  expect((await ticketRow(ctx, ticket.id)).status).toBe("resolved");
  ctx.clock.advance(hours(1));
  expect(await again()).toMatchObject({ effect: "reopened" });
});

test("mail from one of our own addresses goes nowhere", async () => {
  const { ctx, ticket } = await world();
  const own = await mailIn(ctx, { from: ctx.config.MAIL_FROM, subject: `[T-${ticket.number}] Printer` });
  expect(own).toMatchObject({ state: "automatic", reason: "own_address" });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
});

test("many mails of one sender within an hour are held at last, and cost no ticket its clock", async () => {
  const { ctx, dana } = await world();
  const next = async () => (await mailIn(ctx, { from: dana.email })).reason;
  await useUp(ctx, "mail_sender", dana.email, 39);
  expect([await next(), await next(), await next()]).toEqual([null, "too_many", "too_many"]);
});

test("files pass what uploads pass, and those that do not are named", async () => {
  const { ctx, dana, ticket } = await world();
  const mail = await mailIn(ctx, {
    from: dana.email,
    to: replyAddress(ctx, ticket, dana.id),
    files: [
      { name: "error.log", type: "text/plain", bytes: "disk full" },
      { name: "tool.exe", bytes: "MZ" },
      { name: "fake.pdf", type: "application/pdf", bytes: "MZ no document" },
    ],
  });
  const stored = await ctx.db
    .select()
    .from(attachments)
    .where(eq(attachments.message_id, mail.message_id ?? ""));
  expect(stored.map(({ name }) => name)).toEqual(["error.log"]);
  expect(JSON.parse(mail.details)).toMatchObject({ refusedFiles: ["tool.exe", "fake.pdf"], tier: "address" });
});

test("a mail that cannot be stored is not taken, so that its sender's server tries again", async () => {
  const { ctx, dana } = await world();
  const raw = rawMail({ from: dana.email });
  const envelope = { from: dana.email, to: "support@wrenfield.example" };
  const broken = () => Promise.reject(new Error("R2 is down"));
  await expect(handOver(derive(ctx, { files: { ...ctx.files, putStream: broken } }), raw, envelope)).rejects.toThrow();
  const db = ctx.db.guarded(() => Promise.reject(new Error("D1 is down")));
  await expect(handOver(derive(ctx, { db }), raw, envelope)).rejects.toThrow();
  expect(await mailRows(ctx)).toEqual([]);
});

test("only what is too large, or for another domain, is refused for good, and nothing of it is stored", async () => {
  const { ctx, dana } = await world();
  const raw = rawMail({ from: dana.email });
  const set = derive(ctx, { config: { ...ctx.config, MAIL_INBOUND_DOMAIN: "in.wrenfield.example" } });
  expect(await handOver(set, raw, { from: dana.email, to: "sales@other.example" })).toMatch(/no such address/);
  expect(await handOver(set, raw, { from: dana.email, to: "support@in.wrenfield.example" })).toBeNull();
  await ctx.settle();
  expect(await mailRows(ctx)).toHaveLength(1);
});

test("a mail that fails is tried again later, and is listed as failed at last", async () => {
  const { ctx, dana } = await world();
  const files = { ...ctx.files, get: () => Promise.reject(new Error("R2 is down")) };
  const failing = derive(ctx, { files });
  await handOver(failing, rawMail({ from: dana.email }), { from: dana.email, to: "support@wrenfield.example" });
  await ctx.settle();
  expect(await mailRows(ctx)).toMatchObject([{ state: "received", attempts: 1, lease_until: null }]);
  expect(await processWaitingMail(ctx)).toBe(0);
  for (let count = 0; count < 7; count += 1) {
    ctx.clock.advance(hours(1));
    expect(await processWaitingMail(failing)).toBe(1);
  }
  expect(await mailRows(ctx)).toMatchObject([{ state: "failed", reason: "gave_up", attempts: 8 }]);
});

test("a mail whose processing was cut off is taken up once its lease ends, and only then", async () => {
  const { ctx, dana } = await world();
  const cutOff = derive(ctx, {
    after: () => undefined,
    files: { ...ctx.files, get: () => new Promise(() => undefined) },
  });
  await handOver(cutOff, rawMail({ from: dana.email }), { from: dana.email, to: "support@wrenfield.example" });
  expect(await processWaitingMail(ctx)).toBe(0);
  ctx.clock.advance(minutes(3));
  expect(await processWaitingMail(ctx)).toBe(1);
  expect(await mailRows(ctx)).toMatchObject([{ state: "processed", attempts: 2, effect: "opened" }]);
});

test("nobody writes on a ticket by calling themselves a colleague whose program answers", async () => {
  const { ctx, sam, ticket } = await world();
  const headers = { "Auto-Submitted": "auto-replied" };
  const subject = `[T-${ticket.number}] away`;
  const forged = await mailIn(ctx, { from: `Head of IT <${sam.email}>`, subject, headers, text: "Call 555-0199." });
  expect(forged).toMatchObject({ state: "automatic", effect: null });
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
  await ctx.db.update(tickets).set({ assigned_to: sam.id }).where(eq(tickets.id, ticket.id));
  await mailIn(ctx, { from: `Head of IT <${sam.email}>`, subject, headers, text: "Away until Monday." });
  const [note] = await messagesOf(ctx, ticket.id);
  expect([note?.is_internal, note?.author_name]).toEqual([true, "Automatic reply"]);
});

test("a mail that ends its run each time is given up, and never stands in the way of those behind it", async () => {
  const { ctx } = await world();
  const stranger = { from: "stranger@elsewhere.example", to: "support@mail.wrenfield.example" };
  const [first, second] = [await mailIn(ctx, stranger), await mailIn(ctx, { ...stranger, messageId: "<2@e.example>" })];
  const waiting = { state: "received" as const, lease_until: null, next_at: 0 };
  await ctx.db.update(inboundMail).set({ ...waiting, attempts: 1 });
  await ctx.db.update(inboundMail).set({ attempts: MAIL_TRIES }).where(eq(inboundMail.id, first.id));
  expect(await processWaitingMail(ctx)).toBe(1);
  const states = Object.fromEntries((await mailRows(ctx)).map(({ id, state }) => [id, state]));
  expect(states).toEqual({ [first.id]: "failed", [second.id]: "held" });
});

test("a mail that was erased while it was read leaves nothing", async () => {
  const { ctx, here } = await world();
  await addDomain(ctx, here.id, "erased.example");
  const from = "lee@erased.example";
  const erased = interruptedBeforeCommit(ctx, () => ctx.db.delete(inboundMail));
  await handOver(erased, rawMail({ from }), { from, to: "support@wrenfield.example" });
  await ctx.settle();
  expect(await contactsWith(ctx, from)).toEqual([]);
});

test("addresses of one domain that are made up one after the other are held from the hundred and first on", async () => {
  const { ctx } = await world();
  await useUp(ctx, "mail_domain", "made.example", 100);
  const mail = await mailIn(ctx, { from: "a101@made.example" });
  expect(mail).toMatchObject({ state: "held", reason: "too_many" });
});

test("a contact is answered and goes on by mail whatever account the address has elsewhere, proven or not", async () => {
  const { ctx, dana, here, there } = await world();
  for (const status of ["unverified", "pending", "active"] as const) {
    const person = await makePerson(ctx, { status });
    if (status === "active") await makeMember(ctx, there.id, person, "member");
    const ticket = await makeTicket(ctx, { organizationId: here.id, createdBy: dana, status: "open" });
    const contactId = await makeContact(ctx, here.id, { email: person.email });
    const copyId = await makeCc(ctx, ticket.id, person.email, { contact_id: contactId });
    const mail = await mailIn(ctx, { from: person.email, to: replyAddress(ctx, ticket, copyId), text: "Still." });
    expect(mail, status).toMatchObject({ state: "processed", ticket_id: ticket.id });
    const [message] = await messagesOf(ctx, ticket.id);
    expect([message?.user_id, message?.contact_id], status).toEqual([null, contactId]);
  }
});

test("a first mail from the domain of an organization makes a contact, who goes on by mail, and gets one receipt an hour but no mail of their own", async () => {
  const { ctx, here } = await world();
  await addDomain(ctx, here.id, "larkspur.example");
  const from = "Lee Moss <lee@larkspur.example>";
  const receipts = () => ctx.db.select().from(outbox).where(eq(outbox.kind, "ticket-received"));
  const first = await mailIn(ctx, { from, subject: "Scanner" });
  expect(first).toMatchObject({ state: "processed", effect: "opened" });
  const ticket = await ticketRow(ctx, first.ticket_id ?? "");
  expect(ticket).toMatchObject({ organization_id: here.id, created_by: null, creator_name: "Lee Moss" });
  const [copy] = await ccOf(ctx, ticket.id);
  const to = replyAddress(ctx, ticket, copy?.id ?? "");
  const answer = await mailIn(ctx, { from, to, text: "Still." });
  expect(answer).toMatchObject({ state: "processed", effect: "replied", ticket_id: ticket.id });
  expect(await messagesOf(ctx, ticket.id)).toMatchObject([
    { user_id: null, contact_id: ticket.contact_id, author_name: "Lee Moss" },
  ]);
  expect(await receipts()).toMatchObject([{ copy_id: copy?.id, user_id: null }]);
  const [receipt] = ctx.sent.filter(({ to }) => to === "lee@larkspur.example");
  expect(receipt?.headers).toMatchObject({ "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" });
  expect(receipt?.text).toContain("It blinks again.");
  expect(receipt?.text).not.toMatch(/\/client\/|stop-copies|Open the ticket/);
  for (const subject of ["Door", "Window"]) await mailIn(ctx, { from, subject });
  expect(await receipts()).toHaveLength(1);
  ctx.clock.advance(hours(1) + minutes(1));
  await mailIn(ctx, { from, subject: "Roof" });
  expect(await receipts()).toHaveLength(2);
  const program = { from: "no-reply@larkspur.example", headers: { "Auto-Submitted": "auto-generated" } };
  expect(await mailIn(ctx, program)).toMatchObject({ state: "held", reason: "program_mailbox" });
  expect(await mailIn(ctx, { from: "ann@elsewhere.example", to })).toMatchObject({ reason: "token_of_another" });
});

test("a report marks the mail that came back, and no mail to another recipient; it reaches no ticket", async () => {
  const { ctx, dana, omar, ticket } = await world();
  for (const [provider_message_id, to, status, state, ticketId] of [
    ["1@ses.example", dana.email, "bounced", "bounced", ticket.id],
    ["2@ses.example", omar.email, "sent", "automatic", null],
  ] as const) {
    const id = await makeSentMail(ctx, { to, ticketId: ticket.id, provider_message_id });
    const mail = await deliver(ctx, failureReport(provider_message_id, dana.email), { from: "" });
    expect(mail).toMatchObject({ state, ticket_id: ticketId });
    expect((await mailRow(ctx, id)).status).toBe(status);
  }
  expect(await textsOf(ctx, ticket.id)).toEqual([]);
});

test("a report about a former sending says nothing about a mail that was sent again, one about this sending marks it", async () => {
  const { ctx, dana, ticket } = await world();
  const id = await makeSentMail(ctx, { to: dana.email, ticketId: ticket.id, sent_at: ctx.now() });
  const report = async (sentAt: number) => {
    const raw = failureReport(`${id}@wrenfield.example`, dana.email)
      .replace("Subject: [T-1]", `Date: ${new Date(sentAt).toUTCString()}\r\nSubject: [T-1]`)
      .replace("<report-", `<report-${sentAt}-`);
    await deliver(ctx, raw, { from: "" });
    return (await mailRow(ctx, id)).status;
  };
  expect(await report(ctx.now() - hours(5))).toBe("sent");
  expect(await report(ctx.now() - minutes(1))).toBe("bounced");
});

test("a report, which anybody may write, counts whatever its sender is called and the provider tells later, and holds no address", async () => {
  const { ctx, dana, ticket } = await world();
  const messageId = "3@ses.example";
  const id = await makeSentMail(ctx, { to: dana.email, ticketId: ticket.id, provider_message_id: messageId });
  const report = failureReport(messageId, dana.email).replace(/^From: .*/, "From: MAILER-DAEMON");
  expect(await deliver(ctx, report, { from: "" })).toMatchObject({ state: "bounced", ticket_id: ticket.id });
  await recordDeliveryEvents(ctx, [deliveryEvent({ kind: "delivered", messageId, at: ctx.now() - 1_000 })]);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "bounced", last_error: "returned" });
  expect(await findHeldAddress(ctx, dana.email)).toBeNull();
});

test("whoever joined while their first mail was read opens the ticket as a member", async () => {
  const { ctx, here } = await world();
  const person = await makePerson(ctx, { status: "pending" });
  const contactId = await makeContact(ctx, here.id, { email: person.email });
  const joining = interruptedBeforeCommit(ctx, async () => {
    await ctx.db.delete(contacts).where(eq(contacts.id, contactId));
    await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, person.id));
    await makeMember(ctx, here.id, person, "member");
  });
  const envelope = { from: person.email, to: "support@wrenfield.example" };
  await handOver(joining, rawMail({ from: person.email, subject: "Scanner" }), envelope);
  await ctx.settle();
  const [mail] = await mailRows(ctx);
  expect(mail).toMatchObject({ state: "processed", effect: "opened" });
  expect(await ticketRow(ctx, mail?.ticket_id ?? "")).toMatchObject({ created_by: person.id });
});

type Trip = { queries: string[]; rowsRead: number };

/** Returns a context that records each round trip to the database. */
function measuredContext(): { ctx: TestContext; trips: Trip[] } {
  const trips: Trip[] = [];
  const queryOf = new WeakMap<object, string>();
  const database = {
    prepare: (query: string) => {
      const statement = bindings.DB.prepare(query);
      const bind = statement.bind.bind(statement);
      queryOf.set(statement, query);
      statement.bind = (...values) => {
        const bound = bind(...values);
        queryOf.set(bound, query);
        return bound;
      };
      return statement;
    },
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      const results = await bindings.DB.batch<Row>(statements);
      trips.push({
        queries: statements.map((statement) => queryOf.get(statement) ?? ""),
        rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
      });
      return results;
    },
  };
  return { ctx: testContext({ db: openDb(meteredD1(database, noCost())) }), trips };
}

test("a mail costs four round trips to the database at most, and matching reads twenty rows at most", async () => {
  const { dana, ticket } = await world();
  const { ctx, trips } = measuredContext();
  const text = "It blinks.\n".repeat(1_800);
  for (const to of [replyAddress(ctx, ticket, dana.id), "support@wrenfield.example"]) {
    trips.splice(0);
    await handOver(ctx, rawMail({ from: dana.email, to, text }), { from: dana.email, to });
    expect(trips.splice(0)).toHaveLength(1);
    await ctx.settle();
    const last = trips.findIndex(({ queries }) => queries.some((query) => query.startsWith('update "inbound_mail"')));
    expect(last + 1).toBe(4);
    expect(trips[0]?.rowsRead).toBeLessThanOrEqual(20);
  }
  expect((await mailRows(ctx)).map(({ effect }) => effect)).toEqual(["replied", "opened"]);
});

test("a mail of 12 MB becomes a message that names its file as not taken, and one over 25 MiB is refused for good", async () => {
  const { ctx, dana, ticket } = await world();
  const files = [{ name: "scan.pdf", bytes: new Uint8Array(9_000_000) }];
  const mail = await mailIn(ctx, {
    from: dana.email,
    to: replyAddress(ctx, ticket, dana.id),
    text: "The scan.",
    files,
  });
  expect(mail).toMatchObject({ state: "processed", effect: "replied" });
  expect(mail.size).toBeGreaterThan(12_000_000);
  expect(JSON.parse(mail.details)).toMatchObject({ isLarge: true, refusedFiles: ["scan.pdf"], checked: null });
  expect(await textsOf(ctx, ticket.id)).toEqual(["The scan."]);
  const before = await mailRows(ctx);
  const open = () => {
    throw new Error("It is not opened");
  };
  const large = { from: dana.email, to: "support@wrenfield.example", headers: new Headers(), open };
  expect(await receiveMail(ctx, { ...large, size: 25 * 1024 * 1024 + 1 })).toBe("This mail is larger than 25 MB.");
  expect(await mailRows(ctx)).toEqual(before);
});
