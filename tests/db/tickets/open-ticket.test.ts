import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { organizationMemberships } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { tickets } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { NewTicket } from "~/features/tickets/opening/open-ticket.server";
import { fail } from "~/lib/errors";
import { minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { newForm } from "../../support/requests";
import { collectedMails } from "../../support/ticket-announcements";
import { historyOf, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

const numbersOf = async ({ db }: Ctx, organizationId: string) =>
  (await db.select({ number: tickets.number }).from(tickets).where(eq(tickets.organization_id, organizationId))).map(
    ({ number }) => number,
  );

test("a client's ticket is stored with number, history, audit and live events", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const { id, number } = valueOf(await client(dana).open());
  expect(number).toBeGreaterThan(1000);
  expect(await ticketRow(base, id)).toMatchObject({
    number,
    status: "open",
    created_by: dana.id,
    creator_name: "Dana Ortiz",
    opened_by: null,
    viewers: `~${dana.id}.`,
  });
  expect(await historyOf(base, id)).toEqual([["opened", null, "open", "Dana Ortiz"]]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(audit).toMatchObject([{ action: "ticket.opened", actor_name: "Dana Ortiz", org_id: here.id }]);
  const live = await base.db.select().from(liveEvents).where(eq(liveEvents.subject_id, id));
  expect(live.map(({ audience, label }) => [audience, label]).sort()).toEqual([
    [`org:${here.id}`, `T-${number}`],
    ["staff", `T-${number}: New ticket`],
  ]);
  expect(base.notified).toEqual(expect.arrayContaining(["staff", `org:${here.id}`]));
});

test("one form sent twenty times at once opens one ticket, and all twenty are led to it", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const form = { nonce: newForm() };
  const opened = await Promise.all(Array.from({ length: 20 }, () => client(dana).open(form)));
  expect(new Set(opened.map((result) => valueOf(result).id)).size).toBe(1);
  expect(await numbersOf(base, here.id)).toHaveLength(1);
});

test("a client cannot open a ticket in an organization that is not theirs, nor once they were suspended", async () => {
  const { base, here, there, dana, client } = await ticketWorld();
  expect(await client(dana).open({}, there.id)).toEqual(fail("organization_not_found"));
  const suspended = client(dana).interruptedBy(() =>
    base.db
      .update(organizationMemberships)
      .set({ status: "suspended" })
      .where(eq(organizationMemberships.user_id, dana.id)),
  );
  expect(await suspended.open()).toEqual(fail("person_not_found"));
  expect([...(await numbersOf(base, here.id)), ...(await numbersOf(base, there.id))]).toEqual([]);
});

test("staff open a ticket for a member of the organization, and for nobody else", async () => {
  const { base, here, dana, omar, ivy, sam, staff } = await ticketWorld();
  const openFor = (userId?: string) => staff(sam).open(here.id, userId ? { requester: { userId } } : {});
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, omar.id));
  for (const nobodyHere of [undefined, ivy.id, omar.id])
    expect(await openFor(nobodyHere)).toEqual(fail("person_not_found"));
  const row = await ticketRow(base, valueOf(await openFor(dana.id)).id);
  expect(row).toMatchObject({ created_by: dana.id, creator_name: "Dana Ortiz", opened_by: sam.id });
});

test("whoever works here no longer once the files have arrived opens no ticket for a client", async () => {
  const { base, here, dana, sam, staff } = await ticketWorld();
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, sam.id));
  const opened = await staff(sam).open(here.id, { requester: { userId: dana.id } });
  expect(opened).toEqual(fail("organization_not_found"));
  expect(await numbersOf(base, here.id)).toEqual([]);
});

describe("many openings at once", () => {
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
    const client = world.client(world[person], person === "dana" ? world.here : world.there);
    const opened = await client.open({ title, priority: "medium", ...more });
    await client.ctx.settle();
    return valueOf(opened).number;
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
});
