import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { changeStatus } from "~/features/tickets/commands.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { changeMany, continueBulkChange } from "~/features/tickets/staff-list/change-many.server";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { testContext } from "../../support/context";
import { as } from "../../support/factories";
import { makeTicket, ticketRow, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

/** Makes urgent tickets of an organization on Core that wait for their client, on a Friday at 19:30. */
async function waitingAtNight({ tickets: count, used }: { tickets: number; used: number }) {
  const world = await ticketWorld();
  const { base, here, dana, sam } = world;
  await base.db.update(organizations).set({ plan: "core" }).where(eq(organizations.id, here.id));
  const [client, ours] = [world.client(dana), world.staff(sam)];
  const by = { userId: sam.id, fullName: sam.fullName, side: "staff" } as const;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    base.clock.set(Date.parse("2026-11-20T10:00-06:00"));
    const input = { title: "Server", description: "Down.", priority: "urgent", category: null, impact: "All" } as const;
    const opened = await openTicket(client.ctx, client.actor, { ...input, organizationId: here.id, nonce: nonce() });
    if (!opened.ok) throw new Error(opened.code);
    const { id: ticketId } = opened.value;
    const answer = { ticketId, text: "Restart it.", effect: "send", baseMessage: 0, nonce: nonce() } as const;
    await replyAsStaff(ours.ctx, ours.actor, answer);
    base.clock.set(Date.parse("2026-11-20T14:00-06:00"));
    await replyAsClient(client.ctx, client.actor, { ticketId, text: "Still down", nonce: nonce() });
    await changeStatus(ours.ctx, by, { ticketId, status: "waiting_for_customer", nonce: nonce() });
    ids.push(ticketId);
  }
  const entries = Array.from({ length: used }, (_, index) => ({
    id: `alw_${index}`,
    organization_id: here.id,
    kind: "after_hours" as const,
    contract_year: "2026-01-01",
    actor_name: "Sam Lee",
    at: base.now(),
  }));
  if (used > 0) await base.db.insert(allowanceEntries).values(entries);
  base.clock.set(Date.parse("2026-11-20T19:30-06:00"));
  const openAll = async () => {
    const rows = await Promise.all(ids.map((id) => ticketRow(base, id)));
    const values = rows.map(({ id, version }) => `${id}.${version}`);
    const selection = ticketRows.selectPosted(values, ours.actor);
    return changeMany(ours.ctx, ours.actor, {
      selection,
      wanted: { property: "status", value: "open" },
      nonce: nonce(),
    });
  };
  const incidents = async () =>
    (
      await base.db.all<{ words: string }>(
        sql`SELECT to_value AS words FROM ticket_events
          WHERE kind = 'allowance_used' AND organization_id = ${here.id} ORDER BY rowid`,
      )
    ).map(({ words }) => words);
  const dueTimes = async () => (await Promise.all(ids.map((id) => ticketRow(base, id)))).map(({ due_at }) => due_at);
  return { openAll, incidents, dueTimes };
}

const AT_NIGHT = Date.parse("2026-11-20T23:30-06:00");
const ON_MONDAY = Date.parse("2026-11-23T10:00-06:00");

test("of several tickets that go on at night at once each takes its own incident, and the history numbers them", async () => {
  const { openAll, incidents, dueTimes } = await waitingAtNight({ tickets: 2, used: 0 });
  expect(await openAll()).toEqual({ ok: true, value: { changed: 2, unchanged: 0, skipped: 0, waiting: 0 } });
  expect(await dueTimes()).toEqual([AT_NIGHT, AT_NIGHT]);
  expect(await incidents()).toEqual(["1 of 5", "2 of 5"]);
});

test("where fewer incidents are left than tickets go on at once, the others wait for opening", async () => {
  const { openAll, incidents, dueTimes } = await waitingAtNight({ tickets: 3, used: 4 });
  expect(await openAll()).toEqual({ ok: true, value: { changed: 3, unchanged: 0, skipped: 0, waiting: 0 } });
  expect((await dueTimes()).toSorted()).toEqual([AT_NIGHT, ON_MONDAY, ON_MONDAY]);
  expect(await incidents()).toEqual(["5 of 5"]);
});

/** Makes tickets, and selects them as the list of staff shows them. */
async function manyTickets(count: number) {
  const world = await ticketWorld();
  const { base, here, dana, sam } = world;
  const made = await Promise.all(
    Array.from({ length: count }, () => makeTicket(base, { organizationId: here.id, createdBy: dana })),
  );
  // What was sent to make the tickets is not of the invocation that changes them.
  const { actor } = world.staff(sam);
  const ctx = as(testContext(), sam);
  const selection = ticketRows.selectPosted(
    made.map(({ id }) => `${id}.1`),
    actor,
  );
  const closed = async () =>
    (
      await base.db
        .select({ id: tickets.id })
        .from(tickets)
        .where(and(eq(tickets.organization_id, here.id), eq(tickets.status, "closed")))
    ).length;
  const order = { selection, wanted: { property: "status", value: "closed" } as const, nonce: nonce() };
  return { ...world, ctx, actor, made, order, closed };
}

test("500 tickets are closed within what an invocation may send: the first at once, the others by the job, none twice", async () => {
  const { base, ctx, actor, here, order, closed, sam } = await manyTickets(500);
  const sentBefore = ctx.cost.queries;
  const first = await changeMany(ctx, actor, order);
  expect(ctx.cost.queries - sentBefore).toBeLessThan(1_000);
  const done = await closed();
  expect(done).toBeGreaterThanOrEqual(60);
  expect(first).toEqual({ ok: true, value: { changed: done, unchanged: 0, skipped: 0, waiting: 500 - done } });
  await base.settle();
  for (let runs = 0; (await continueBulkChange(testContext())).more; runs += 1) {
    expect(runs).toBeLessThan(12);
  }
  expect(await closed()).toBe(500);
  expect(await changeMany(ctx, actor, order)).toMatchObject({ value: { changed: 500, waiting: 0 } });
  const audited = await base.db.all(sql`SELECT actor_id, actor_role, count(*) AS events FROM audit_events
    WHERE action = 'ticket.status_changed' AND org_id = ${here.id} GROUP BY actor_id, actor_role`);
  expect(audited).toEqual([{ actor_id: sam.id, actor_role: "moderator", events: 500 }]);
});

test("who is no longer staff when the others have their turn changes no more tickets", async () => {
  const { base, ctx, actor, order, closed, sam } = await manyTickets(120);
  await changeMany(ctx, actor, order);
  const done = await closed();
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, sam.id));
  await continueBulkChange(testContext());
  expect(await continueBulkChange(testContext())).toEqual({ count: 0, more: false });
  expect(await closed()).toBe(done);
  expect(done).toBeLessThan(120);
});

test("a ticket that somebody answers while the others have their turn is skipped", async () => {
  const { base, ctx, actor, order, made, avery, closed } = await manyTickets(120);
  await changeMany(ctx, actor, order);
  const last = made.at(-1)?.id ?? "";
  const by = { userId: avery.id, fullName: avery.fullName, side: "staff" } as const;
  await changeStatus(as(base, avery), by, { ticketId: last, status: "in_progress", nonce: nonce() });
  while ((await continueBulkChange(testContext())).more);
  expect(await changeMany(ctx, actor, order)).toMatchObject({ value: { changed: 119, skipped: 1, waiting: 0 } });
  expect(await ticketRow(base, last)).toMatchObject({ status: "in_progress" });
  expect(await closed()).toBe(119);
});

test("the same form sent twice at once closes each ticket once", async () => {
  const { base, ctx, actor, here, order, closed } = await manyTickets(45);
  await Promise.all([changeMany(ctx, actor, order), changeMany(ctx, actor, order)]);
  expect(await closed()).toBe(45);
  const [history] = await base.db.all(sql`SELECT count(*) AS lines FROM ticket_events
    WHERE to_value = 'closed' AND organization_id = ${here.id}`);
  expect(history).toEqual({ lines: 45 });
});
