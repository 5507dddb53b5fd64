import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { ticketMessages, tickets } from "~/db/schema/tickets";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { meteredD1, noCost } from "~/platform/d1.server";
import { NotNow } from "~/platform/run-command.server";
import { bindings, testContext } from "../../support/context";
import { as, makeMember, makePerson, memberOf } from "../../support/factories";
import { makeTicket, ticketRow, ticketWorld } from "../../support/tickets";

const newTicket = (organizationId: string) => ({
  organizationId,
  title: "Printer offline",
  description: "The one on the second floor.",
  priority: "high" as const,
  category: null,
  impact: null,
  nonce: crypto.randomUUID(),
});

test("a hundred tickets at once all get a number, and cost a ticket of another organization nothing", async () => {
  const { base, here, there, ivy } = await ticketWorld();
  const people = await Promise.all(Array.from({ length: 5 }, () => makePerson(base)));
  for (const person of people) await makeMember(base, here.id, person, "member");
  const opensElsewhere = async () => {
    const cost = noCost();
    const own = as(testContext({ db: openDb(meteredD1(bindings.DB, cost)) }), ivy);
    const opened = await openTicket(own, memberOf(base, ivy, there, "owner"), newTicket(there.id));
    return { ok: opened.ok, trips: cost.trips };
  };
  const alone = await opensElsewhere();
  const flood = people.flatMap((person) =>
    Array.from({ length: 20 }, () =>
      openTicket(as(base, person), memberOf(base, person, here, "member"), newTicket(here.id)),
    ),
  );
  const [beside, ...opened] = await Promise.all([opensElsewhere(), ...flood]);
  expect(beside).toEqual(alone);
  const numbers = opened.map((each) => (each.ok ? each.value.number : each.code));
  expect(new Set(numbers).size).toBe(100);
  const stored = await base.db.select().from(tickets).where(eq(tickets.organization_id, here.id));
  expect(stored.map(({ number }) => number).sort()).toEqual(numbers.sort());
  // The search and the name of each by the number that it got.
  for (const { number, search_text } of stored.slice(0, 3)) expect(search_text.split("\n")[1]).toBe(`t-${number}`);
});

test("sixty replies at once to one ticket are each written once, or sent back for now; none fails", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx, actor } = client(dana);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      replyAsClient(ctx, actor, { ticketId: ticket.id, text: `Reply ${index}`, nonce: crypto.randomUUID() }),
    ),
  );
  const written = outcomes.filter((each) => each.status === "fulfilled" && each.value.ok);
  const sentBack = outcomes.filter((each) => each.status === "rejected" && each.reason instanceof NotNow);
  expect(written.length + sentBack.length).toBe(60);
  expect(written.length).toBeGreaterThan(0);
  const stored = await base.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));
  expect(new Set(stored.map(({ message }) => message)).size).toBe(written.length);
  expect(stored).toHaveLength(written.length);
});

test("who keeps losing gives up after a few tries, and nothing of it is stored", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx, actor } = client(dana);
  let tries = 0;
  const batch: typeof ctx.db.batch = async (statements) => {
    tries += 1;
    await base.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticket.id}`);
    return ctx.db.batch(statements);
  };
  const losing = { ...ctx, db: { ...ctx.db, batch } };
  const reply = replyAsClient(losing, actor, { ticketId: ticket.id, text: "Again", nonce: crypto.randomUUID() });
  await expect(reply).rejects.toMatchObject({ outcome: "unavailable", retryAt: base.now() + 2_000 });
  expect(tries).toBe(24);
  expect(await base.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id))).toEqual([]);
  expect((await ticketRow(base, ticket.id)).version).toBe(25);
});
