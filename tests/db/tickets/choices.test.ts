import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { addCc, removeCc } from "~/features/tickets/cc/actions.server";
import { listCc } from "~/features/tickets/cc/queries.server";
import {
  addPerson,
  changePriority,
  removePerson,
  saveTicketProperties,
  setPrivacy,
  takeTicket,
} from "~/features/tickets/commands.server";
import { findTicketForStaff, listPeople } from "~/features/tickets/queries.server";
import { changeMany, continueBulkChange } from "~/features/tickets/staff-list/change-many.server";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { fail, type Result } from "~/lib/errors";
import { testContext } from "../../support/context";
import { as, together } from "../../support/factories";
import {
  historyOf,
  makeTicket,
  textsOf,
  ticketRow,
  ticketWorld,
  valueOf,
  worldWithTicket,
} from "../../support/tickets";

/*
 * A page that could not be read again keeps the token of its forms: what is chosen on it again and again is as chosen.
 * The same post twice is one change, and a late one does not undo what a colleague has done since.
 */

async function aTicket() {
  const world = await worldWithTicket();
  const ours = world.staff(world.sam);
  const editor = { side: "staff", by: ours.by } as const;
  return { ...world, id: world.ticket.id, ours, editor, theirs: world.client(world.dana) };
}

type World = Awaited<ReturnType<typeof aTicket>>;

type Form = { ticketId: string; nonce: string };

/** Holds what is chosen, and what it then is. */
type Choosing = [choose: (world: World, form: Form) => Promise<Result<unknown, string>>, leadsTo: unknown];

type Choice = { is: (world: World) => unknown; one: Choosing; other: Choosing };

const stored = ({ base, id }: World) => findTicketForStaff(base.db, id);

const status = async (world: World) => (await stored(world))?.status;

const assignee = async (world: World) => (await stored(world))?.assignee?.name;
/** Holds two choices of the same. */
const CHOICES: Record<string, Choice> = {
  "a status in the list": {
    is: status,
    one: [({ ours }, { ticketId, nonce }) => ours.setStatus(ticketId, "in_progress", nonce), "in_progress"],
    other: [({ ours }, { ticketId, nonce }) => ours.setStatus(ticketId, "closed", nonce), "closed"],
  },
  "a status on its page": {
    is: status,
    one: [
      ({ ours: { ctx, by } }, form) => saveTicketProperties(ctx, by, { ...form, status: "in_progress" }),
      "in_progress",
    ],
    other: [({ ours: { ctx, by } }, form) => saveTicketProperties(ctx, by, { ...form, status: "closed" }), "closed"],
  },
  "a status of a client": {
    is: status,
    one: [({ theirs }, { ticketId, nonce }) => theirs.move(ticketId, "solved", null, nonce), "resolved"],
    other: [({ theirs }, { ticketId, nonce }) => theirs.move(ticketId, "reopen", null, nonce), "open"],
  },
  "an assignee": {
    is: assignee,
    one: [({ ours, sam }, { ticketId, nonce }) => ours.assign(ticketId, sam.id, nonce), "Sam Lee"],
    other: [({ ours }, { ticketId, nonce }) => ours.assign(ticketId, null, nonce), undefined],
  },
  "a priority": {
    is: async (world) => (await stored(world))?.priority,
    one: [({ ours }, form) => changePriority(ours.ctx, ours.by, { ...form, priority: "high", reason: "All" }), "high"],
    other: [({ ours }, form) => changePriority(ours.ctx, ours.by, { ...form, priority: "low", reason: "One" }), "low"],
  },
  "who of the organization may read it": {
    is: async (world) => (await stored(world))?.isPrivate,
    one: [({ theirs }, form) => setPrivacy(theirs.ctx, theirs.actor, { ...form, isPrivate: true }), true],
    other: [({ theirs }, form) => setPrivacy(theirs.ctx, theirs.actor, { ...form, isPrivate: false }), false],
  },
  "a person on it": {
    is: async ({ base, id }) => (await listPeople(base.db, id)).map(({ name }) => name),
    one: [({ ours, editor, omar }, form) => addPerson(ours.ctx, editor, { ...form, userId: omar.id }), ["Omar Reyes"]],
    other: [({ ours, editor, omar }, form) => removePerson(ours.ctx, editor, { ...form, userId: omar.id }), []],
  },
  "an organization": {
    is: async (world) => (await stored(world))?.organization.name,
    one: [({ ours, there }, { ticketId, nonce }) => ours.moveTo(ticketId, there.id, nonce), "Brightsmile"],
    other: [({ ours, here }, { ticketId, nonce }) => ours.moveTo(ticketId, here.id, nonce), "Larkspur Row"],
  },
};

const nonce = () => crypto.randomUUID();

test.each(
  Object.entries(CHOICES),
)("%s that is chosen again after another one, with one token, is so afterwards", async (_, { is, one, other }) => {
  const world = await aTicket();
  const form = { ticketId: world.id, nonce: nonce() };
  for (const [index, [choose, expected]] of [one, other, one, other].entries()) {
    // A double click, and a retry of the browser.
    const answers = [...(await Promise.all([choose(world, form), choose(world, form)])), await choose(world, form)];
    expect([answers.map(({ ok }) => ok), await is(world)]).toEqual([[true, true, true], expected]);
    expect(await historyOf(world.base, world.id)).toHaveLength(index + 1);
  }
});

test.each(
  Object.entries(CHOICES),
)("%s that a colleague has changed since stays when the first form arrives again, which says so", async (_, choice) => {
  const world = await aTicket();
  const form = { ticketId: world.id, nonce: nonce() };
  const [one] = choice.one;
  const [other, second] = choice.other;
  await one(world, form);
  await other(world, { ...form, nonce: nonce() });
  expect([await one(world, form), await choice.is(world)]).toEqual([fail("changed_since"), second]);
});

test("a choice about one ticket is not taken for one about another, whatever token its page has", async () => {
  const { ours, sam, base, here, dana, id } = await aTicket();
  const token = nonce();
  const second = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  for (const ticketId of [id, second.id]) {
    await ours.setStatus(ticketId, "closed", token);
    await ours.assign(ticketId, sam.id, token);
    expect(await ticketRow(base, ticketId)).toMatchObject({ status: "closed", assigned_to: sam.id });
  }
});

test("a ticket that its taker has given back is not said to be theirs by the form that took it", async () => {
  const { ours, id, base } = await aTicket();
  const form = { ticketId: id, nonce: nonce() };
  const take = () => takeTicket(ours.ctx, ours.actor, form);
  expect([(await take()).ok, (await take()).ok]).toEqual([true, true]);
  await ours.assign(id, null);
  expect(await take()).toEqual(fail("changed_since"));
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: null });
});

test("an address whose copies were ended is not said to get them by the form that added it", async () => {
  const { ours, editor, id, base } = await aTicket();
  const form = { ticketId: id, nonce: nonce() };
  const add = () => addCc(ours.ctx, editor, { ...form, email: "facilities@landlord.example" });
  expect([(await add()).ok, (await add()).ok]).toEqual([true, true]);
  const [copy] = await listCc(base.db, id);
  await removeCc(ours.ctx, editor, { ...form, ccId: copy?.id ?? "" });
  expect([await add(), await listCc(base.db, id)]).toEqual([fail("changed_since"), []]);
});

test("a second reply is taken back too from a page that still has the token of the first", async () => {
  const { ours, id, base } = await aTicket();
  const token = nonce();
  for (const text of ["Try this.", "Or that."]) {
    const sent = valueOf(await ours.reply(id, { text }));
    expect((await ours.undo(id, sent, token)).ok).toBe(true);
    expect(await textsOf(base, id)).toEqual([]);
  }
});

/** Makes urgent tickets of an organization on Core that wait for their client, on a Friday at 19:30. */
async function waitingAtNight({ tickets: count, used }: { tickets: number; used: number }) {
  const world = await ticketWorld();
  const { base, here, dana, sam } = world;
  await base.db.update(organizations).set({ plan: "core" }).where(eq(organizations.id, here.id));
  const [client, ours] = [world.client(dana), world.staff(sam)];
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    base.clock.set(Date.parse("2026-11-20T10:00-06:00"));
    const { id } = valueOf(await client.open({ priority: "urgent", impact: "All" }));
    await ours.reply(id);
    base.clock.set(Date.parse("2026-11-20T14:00-06:00"));
    await client.reply(id);
    await ours.setStatus(id, "waiting_for_customer");
    ids.push(id);
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
    const selection = ticketRows.selectPosted(
      rows.map(({ id, version }) => `${id}.${version}`),
      ours.actor,
    );
    const wanted = { property: "status", value: "open" } as const;
    return changeMany(ours.ctx, ours.actor, { selection, wanted, nonce: nonce() });
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
  const made = await together(base, (all) =>
    Promise.all(Array.from({ length: count }, () => makeTicket(all, { organizationId: here.id, createdBy: dana }))),
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

test("120 tickets are closed within what an invocation may send: the first at once, the others by the job, none twice, and none that somebody answers meanwhile", async () => {
  const { base, ctx, actor, here, order, closed, sam, avery, made, staff } = await manyTickets(120);
  const sentBefore = ctx.cost.queries;
  const first = await changeMany(ctx, actor, order);
  expect(ctx.cost.queries - sentBefore).toBeLessThan(1_000);
  const done = await closed();
  expect(done).toBeGreaterThanOrEqual(60);
  expect(first).toEqual({ ok: true, value: { changed: done, unchanged: 0, skipped: 0, waiting: 120 - done } });
  const last = made.at(-1)?.id ?? "";
  await staff(avery).setStatus(last, "in_progress");
  await base.settle();
  for (let runs = 0; (await continueBulkChange(testContext())).more; runs += 1) {
    expect(runs).toBeLessThan(5);
  }
  expect(await changeMany(ctx, actor, order)).toMatchObject({ value: { changed: 119, skipped: 1, waiting: 0 } });
  expect(await ticketRow(base, last)).toMatchObject({ status: "in_progress" });
  expect(await closed()).toBe(119);
  const audited = await base.db.all(sql`SELECT actor_id, actor_role, count(*) AS events FROM audit_events
    WHERE action = 'ticket.status_changed' AND org_id = ${here.id} AND actor_id <> ${avery.id} GROUP BY actor_id, actor_role`);
  expect(audited).toEqual([{ actor_id: sam.id, actor_role: "moderator", events: 119 }]);
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

test("the same form sent twice at once closes each ticket once", async () => {
  const { base, ctx, actor, here, order, closed } = await manyTickets(20);
  await Promise.all([changeMany(ctx, actor, order), changeMany(ctx, actor, order)]);
  expect(await closed()).toBe(20);
  const [history] = await base.db.all(sql`SELECT count(*) AS lines FROM ticket_events
    WHERE to_value = 'closed' AND organization_id = ${here.id}`);
  expect(history).toEqual({ lines: 20 });
});
