import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { type NewTicket, openTicket } from "~/features/tickets/opening/open-ticket.server";
import { minutes, seconds } from "~/lib/time";
import { collectedMails } from "../../support/ticket-announcements";
import { ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;

beforeEach(async () => {
  world = await ticketWorld();
  // Nobody else hears of tickets, and clients get no confirmation.
  await world.base.db.delete(outbox);
  await world.base.db.run(sql`DELETE FROM user_roles WHERE user_id NOT IN (${world.avery.id}, ${world.sam.id})`);
  for (const { id } of [world.dana, world.ivy])
    await world.base.db.run(sql`INSERT INTO notification_preferences (user_id, event, by_mail, in_app)
      VALUES (${id}, 'ticket_received', 0, 0)`);
});

async function open(person: "dana" | "ivy", title: string, more: Partial<NewTicket> = {}): Promise<number> {
  const organization = person === "dana" ? world.here : world.there;
  const { ctx, actor } = world.client(world[person], organization);
  const content = { title, description: "It blinks.", priority: "medium" as const, category: null, impact: null };
  const nonce = crypto.randomUUID();
  const opened = await openTicket(ctx, actor, { organizationId: organization.id, ...content, nonce, ...more });
  await ctx.settle();
  if (!opened.ok) throw new Error(opened.code);
  return opened.value.number;
}

test("staff get one mail about the tickets that an organization opens within minutes, and one about another's", async () => {
  const { base, avery, sam } = world;
  const numbers: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    numbers.push(await open("dana", `Fax ${count}`));
    base.clock.advance(seconds(5));
  }
  await open("ivy", "Scanner");
  const mails = await collectedMails(base);
  // More are due than one drain claims.
  await deliverOutbox(base);
  const told = mails.map(({ to, subject }) => [to, subject]).sort();
  expect(told.filter(([, subject]) => subject === "Larkspur Row opened 12 tickets")).toEqual(
    [avery.email, sam.email].sort().map((to) => [to, "Larkspur Row opened 12 tickets"]),
  );
  expect(told.filter(([, subject]) => subject?.endsWith("Scanner"))).toHaveLength(2);
  expect(told).toHaveLength(4);
  const mail = mails.find(({ to, subject }) => to === avery.email && subject.startsWith("Larkspur"));
  for (const [index, number] of numbers.entries())
    expect(mail?.text).toContain(`T-${number}: Fax ${index} (Dana Ortiz)`);
  expect(mail?.text).toContain(`/admin/tickets?organization=${world.here.id}`);
  base.clock.advance(minutes(10));
  base.sent.length = 0;
  await deliverOutbox(base);
  expect(base.sent).toEqual([]);
});

test("two tickets are two mails, with what they say", async () => {
  await open("dana", "Fax");
  await open("dana", "Printer");
  const subjects = (await collectedMails(world.base)).map(({ subject }) => subject.replace(/^\[T-\d+\] /, "")).sort();
  expect(subjects).toEqual(["Fax", "Fax", "Printer", "Printer"]);
});

test("the first urgent ticket is mailed at once, and the next ones of the same minutes come as one mail", async () => {
  const { base } = world;
  const urgent = { priority: "urgent" as const, impact: "Everything" };
  await open("dana", "Fire", urgent);
  expect(base.sent.filter(({ subject }) => subject.endsWith("Fire"))).toHaveLength(2);
  base.sent.length = 0;
  for (let count = 0; count < 4; count += 1) await open("dana", `Smoke ${count}`, urgent);
  expect(base.sent).toEqual([]);
  const mails = await collectedMails(base);
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Larkspur Row opened 4 tickets",
    "Larkspur Row opened 4 tickets",
  ]);
  expect(mails[0]?.text).toContain("Urgent: Smoke 3 (Dana Ortiz)");
});

test("a new ticket that has a reply already is mailed by itself", async () => {
  const { base } = world;
  const numbers = [await open("dana", "Fax 0"), await open("dana", "Fax 1"), await open("dana", "Fax 2")];
  await base.db.run(sql`INSERT INTO mail_events (outbox_id, event, item_id, actor_name, at)
    SELECT id, 'assigned_to_me', 'tnw_1', 'Sam Lee', ${base.now()} FROM outbox
    WHERE subject_id = (SELECT id FROM support_tickets WHERE number = ${numbers[1]})`);
  const subjects = (await collectedMails(base)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith("Larkspur"))).toEqual([]);
  expect(subjects).toHaveLength(6);
});
