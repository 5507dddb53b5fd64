import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inboundMail } from "~/db/schema/inbound-mail";
import { contacts } from "~/db/schema/organizations";
import { mailAddressHolds, outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { recordDeliveryEvents } from "~/features/mail/delivery-events.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { endMailPause, pauseMail } from "~/features/mail/mail-pause.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { mailThreadOf, withReferences } from "~/features/tickets/mails/compose-mails.server";
import { listDeliveries, retryMails } from "~/features/tickets/mails/delivery.server";
import { days } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as } from "../../support/factories";
import { deliveryEvent } from "../../support/mail-provider";
import {
  asClient,
  asStaff,
  collectedMails,
  type TicketWithPeople,
  ticketWithPeople,
} from "../../support/ticket-announcements";
import { worldWithTicket } from "../../support/tickets";

const MAIL = { ticketId: "tkt_1", number: 1001, userId: "usr_1" };

test("a mail asks for an answer only at a domain at which one is known to have arrived", () => {
  const config = { ...testContext().config, MAIL_INBOUND_DOMAIN: "in.wrenfield.example" };
  const replyAt = (provenInboundDomain: string | null) => mailThreadOf(config, { provenInboundDomain }, MAIL).reply;
  expect(replyAt(null)).toBeNull();
  expect(replyAt("old.wrenfield.example")).toBeNull();
  expect(replyAt("in.wrenfield.example")?.address).toMatch(/^support\+t1001\.[a-z2-7]{10}@in\.wrenfield\.example$/);
  const unset = { ...config, MAIL_INBOUND_DOMAIN: undefined };
  expect(mailThreadOf(unset, { provenInboundDomain: "in.wrenfield.example" }, MAIL).reply).toBeNull();
});

test("the name of a thread stays when answers are found to arrive, so that mail programs keep it together", () => {
  const config = { ...testContext().config, MAIL_INBOUND_DOMAIN: "in.wrenfield.example" };
  const idAt = (provenInboundDomain: string | null) => mailThreadOf(config, { provenInboundDomain }, MAIL).id;
  expect(idAt(null)).toBe(idAt("in.wrenfield.example"));
});

test("known mails follow the id of the thread, oldest first: the newest twenty, in a line that any server takes", () => {
  const thread = { id: "<t1001.abcdefghij@in.wrenfield.example>", reply: null };
  const knownOf = (newest: string[]) => withReferences(thread, newest).known ?? [];
  expect(knownOf(["c@x", "b@x", "b@x", "a@x"])).toEqual(["<a@x>", "<b@x>", "<c@x>"]);
  const many = Array.from({ length: 40 }, (_, age) => `${age}@x`);
  expect(knownOf(many)).toEqual(
    many
      .slice(0, 20)
      .reverse()
      .map((id) => `<${id}>`),
  );
  const long = many.map((id) => id.padStart(200, "a"));
  const header = [thread.id, ...knownOf(long)].join(" ");
  expect(`References: ${header}`.length).toBeLessThanOrEqual(998);
  expect(header.length).toBeGreaterThan(700);
  expect(header).toContain(` <${long[0]}>`);
});

test("an id that would end its brackets or the header is left out", () => {
  const thread = { id: "<t1001.abcdefghij@in.wrenfield.example>", reply: null };
  const bad = ["a b@x", "a@x\r\nBcc: e@vil.example", "a@x\n", "a@x> <b@x", "<a@x", "", "ä@x", "a@x\0", "a".repeat(300)];
  expect(withReferences(thread, bad)).toEqual(thread);
  expect(withReferences(thread, [...bad, "t1001.abcdefghij@in.wrenfield.example", "good@x"]).known).toEqual([
    "<good@x>",
  ]);
});

test("a mail names earlier mails of its reader, and neither those of others nor one about an internal note", async () => {
  const { base, ticket, dana, omar, staff, sam } = await worldWithTicket({ title: "Door" });
  const reply = async (text: string) => {
    expect(await staff(sam).reply(ticket.id, { text, baseMessage: 1_000 })).toMatchObject({ ok: true });
    return (await collectedMails(base)).find(({ to }) => to === dana.email)?.headers?.References ?? "";
  };
  expect((await reply("First")).split(" ")).toHaveLength(1);
  const ofMail = { envelope_from: "", envelope_to: "", size: 1, state: "processed", effect: "replied" } as const;
  const arrived = (from: string, name: string, more = {}) =>
    base.db.insert(inboundMail).values({
      ...{ ...ofMail, id: base.newId("mail"), object_key: name, from_address: from, ticket_id: ticket.id },
      ...{ next_at: 0, received_at: 1, details: JSON.stringify({ messageId: `${name}@larkspur.example` }), ...more },
    });
  await arrived(dana.email, "own");
  await arrived(dana.email, "noted", { effect: "noted" });
  await arrived(omar.email, "other");
  await base.db.update(outbox).set({ provider_message_id: "sent@provider.example" }).where(eq(outbox.user_id, dana.id));
  // They worked here when a colleague named them in a note.
  await base.db.run(sql`INSERT INTO outbox(id, kind, to_hash, user_id, subject_type, subject_id, priority, status, next_at,
      created_at, sent_at, provider_message_id)
    VALUES ('out_note', 'ticket-update', '', ${dana.id}, 'ticket', ${ticket.id}, 1, 'sent', 0, 0, 0, 'note@provider.example')`);
  await base.db.run(
    sql`INSERT INTO mail_events(outbox_id, event, item_id, at) VALUES ('out_note', 'mentioned', 'msg_x', 0)`,
  );
  const [thread, ...known] = (await reply("Second")).split(" ");
  expect(thread).toMatch(/^<t\d+\.[a-z2-7]{10}@/);
  expect(known).toEqual(["<own@larkspur.example>", "<sent@provider.example>"]);
});

describe("what became of a mail", () => {
  let ctx: TestContext;
  let world: TicketWithPeople;

  beforeEach(async () => {
    ctx = testContext();
    await ctx.db.delete(mailAddressHolds);
    await ctx.db.delete(outbox);
    world = await ticketWithPeople(ctx);
  });

  const write = (text = "Try again") => world.write(asStaff(world.assignee), text);
  const stateOf = async (messageId: string) => (await listDeliveries(ctx, world.ticket.id))[messageId];
  const retry = async (messageId: string, ticketId = world.ticket.id) => {
    ctx.sent.length = 0;
    await Promise.all([1, 2, 3].map(() => retryMails(ctx, { ticketId, messageId })));
    await ctx.settle();
    return ctx.sent;
  };

  test("staff see where the mails about a reply are, and send again what was not delivered, once", async () => {
    await world.add(world.colleague);
    const id = await write();
    expect(await stateOf(id)).toEqual({ state: "waiting", words: "Mail: Queued, 2 of 2" });
    await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
    expect(await stateOf(id)).toEqual({
      state: "waiting",
      words: expect.stringMatching(/^Mail: Delayed, 2 of 2: the mail provider’s daily quota is used up, since /),
    });
    await endMailPause(ctx);
    ctx.outcomes.push({ kind: "permanent", reason: "E_RECIPIENT_NOT_ALLOWED" });
    expect(await collectedMails(ctx)).toHaveLength(1);
    expect(await stateOf(id)).toEqual({
      state: "failed",
      words: "Mail: Failed: the mail service may not send to this address, 1 of 2",
    });

    await retry(id, (await ticketWithPeople(ctx)).ticket.id);
    expect((await stateOf(id))?.state).toBe("failed");
    expect((await retry(id)).map(({ text }) => text.includes("> Try again"))).toEqual([true]);
    expect(await stateOf(id)).toEqual({ state: "sent", words: "Mail: Sent, 2 of 2" });
  });

  test("copies to outside addresses are neither counted nor sent again: who has asked for no more stays hidden", async () => {
    const editor = { side: "staff", by: asStaff(world.assignee) } as const;
    for (const email of ["one@landlord.example", "two@landlord.example"]) {
      const addition = { ticketId: world.ticket.id, email, nonce: crypto.randomUUID() };
      expect((await addCc(as(ctx, world.assignee), editor, addition)).ok).toBe(true);
    }
    await collectedMails(ctx);
    const id = await write();
    expect(await stateOf(id)).toEqual({ state: "waiting", words: "Mail: Queued" });
    ctx.outcomes.push(...[1, 2, 3].map(() => ({ kind: "permanent", reason: "E_RECIPIENT_NOT_ALLOWED" }) as const));
    await collectedMails(ctx);
    expect(await stateOf(id)).toEqual({
      state: "failed",
      words: "Mail: Failed: the mail service may not send to this address",
    });
    expect((await retry(id)).map(({ to }) => to)).toEqual([world.client.email]);
  });

  test("of mails about what clients and colleagues write nothing is shown", async () => {
    await world.write(asClient(world.client), "Still broken");
    await world.write(asStaff(world.other), "Note", true);
    expect(await listDeliveries(ctx, world.ticket.id)).toEqual({});
  });

  test("a mail to an address that bounces is shown as held with its date, and leaves once when staff say so", async () => {
    const id = await write();
    ctx.outcomes.push({ kind: "suppressed", reason: "E_RECIPIENT_SUPPRESSED" });
    expect(await collectedMails(ctx)).toHaveLength(0);
    const words = expect.stringMatching(/^Mail: Address bounces, held until Nov 19, \d\d:\d\d$/);
    expect(await stateOf(id)).toEqual({ state: "failed", words });
    expect((await retry(id)).map(({ to }) => to)).toEqual([world.client.email]);
    expect(await stateOf(id)).toEqual({ state: "sent", words: "Mail: Sent" });
  });

  /** Holds the address of a person, as an event of the provider does. */
  const hold = (email: string, until: number | null) =>
    ctx.db.insert(mailAddressHolds).values({
      ...{ to_hash: recipientHash(ctx, email), reason: "complained", since: ctx.now(), until },
    });

  test.each([
    [
      "that has complained is held until staff send the mail again, and no date is shown",
      "medium",
      null,
      "you send it again",
    ],
    ["that bounces is held for an urgent ticket like for any other", "urgent", days(7), "Nov "],
  ] as const)("an address %s", async (_, priority, time, until) => {
    world = await ticketWithPeople(ctx, { priority });
    await hold(world.client.email, time && ctx.now() + time);
    const id = await write();
    expect(await collectedMails(ctx)).toHaveLength(0);
    expect((await stateOf(id))?.words).toContain(`Mail: Address bounces, held until ${until}`);
  });

  test("what happens while an address is held leaves as one mail for each ticket, with all of it", async () => {
    await hold(world.client.email, ctx.now() + days(7));
    const written: string[] = [];
    for (let day = 0; day < 5; day += 1) {
      written.push(await write(`Step ${day}`));
      expect(await collectedMails(ctx)).toHaveLength(0);
      ctx.clock.advance(days(1));
    }
    ctx.clock.advance(days(2));
    const sent = await collectedMails(ctx);
    expect(sent).toHaveLength(1);
    for (let day = 0; day < 5; day += 1) expect(sent[0]?.text).toContain(`> Step ${day}`);
    for (const id of written) expect((await stateOf(id))?.words).toBe("Mail: Sent");
  });

  test("what is told late of the former sending neither holds nor marks the mail that staff have sent again", async () => {
    let sendings = 0;
    ctx.mailer = {
      provider: "cloudflare",
      isIdempotent: false,
      send: async () => {
        sendings += 1;
        return { kind: "sent", messageId: `p-${sendings}` };
      },
    };
    const id = await write();
    const events = (messageId: string, kind: "bounced" | "delivered", eventId = `${messageId}-${kind}`) =>
      recordDeliveryEvents(ctx, [deliveryEvent({ kind, messageId, eventId, at: ctx.now() })]);
    await collectedMails(ctx);
    await events("p-1", "bounced");
    await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
    await retry(id);
    await events("p-1", "bounced", "told-again");
    await endMailPause(ctx);
    await deliverOutbox(ctx);
    expect(sendings).toBe(2);
    await events("p-2", "bounced");
    expect((await stateOf(id))?.words).toMatch(/^Mail: Bounced: /);
  });

  test("mail to the person without an account whose ticket it is shows that it came back, and is sent again", async () => {
    const { organization, ticket } = world;
    const contact = { id: `con_${ticket.id}`, email: `lee.${ticket.id}@larkspur.example` };
    const row = { organization_id: organization.id, created_at: ctx.now() };
    await ctx.db.insert(contacts).values({ ...contact, ...row, full_name: "Lee Marsh" });
    await ctx.db.update(tickets).set({ created_by: null, contact_id: contact.id }).where(eq(tickets.id, ticket.id));
    const copy = { ticket_id: ticket.id, organization_id: organization.id, added_at: ctx.now() };
    await ctx.db.insert(ticketCopies).values([
      { ...copy, id: `cc_${ticket.id}`, email: contact.email, contact_id: contact.id },
      { ...copy, id: `cc2_${ticket.id}`, email: "landlord@elsewhere.example" },
    ]);
    await hold(contact.email, null);
    const id = await write();
    expect((await collectedMails(ctx)).map(({ to }) => to)).toEqual(["landlord@elsewhere.example"]);
    expect((await stateOf(id))?.words).toBe("Mail: Address bounces, held until you send it again");
    expect((await retry(id)).map(({ to }) => to)).toEqual([contact.email]);
    expect(await ctx.db.select().from(mailAddressHolds)).toEqual([]);
    expect(await stateOf(id)).toEqual({ state: "sent", words: "Mail: Sent" });
  });
});
