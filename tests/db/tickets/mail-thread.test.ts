import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inboundMail } from "~/db/schema/inbound-mail";
import { outbox } from "~/db/schema/outbox";
import { mailThreadOf, withReferences } from "~/features/tickets/mails/compose-mails.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { testContext } from "../../support/context";
import { collectedMails } from "../../support/ticket-announcements";
import { makeTicket, ticketWorld } from "../../support/tickets";

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
  const world = await ticketWorld();
  const { base, here, dana, omar, sam } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana, title: "Door" });
  const reply = async (text: string) => {
    const { ctx, actor } = world.staff(sam);
    const sent = { ticketId: ticket.id, text, effect: "send", baseMessage: 1_000, nonce: crypto.randomUUID() } as const;
    expect(await replyAsStaff(ctx, actor, sent)).toMatchObject({ ok: true });
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
