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
  assignTicket,
  changePriority,
  changeStatus,
  changeStatusAsClient,
  moveToOrganization,
  removePerson,
  saveTicketProperties,
  setPrivacy,
  takeTicket,
} from "~/features/tickets/commands.server";
import type { TicketActor } from "~/features/tickets/model";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { findTicketForStaff, listPeople } from "~/features/tickets/queries.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { changeMany, continueBulkChange } from "~/features/tickets/staff-list/change-many.server";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { undoReply } from "~/features/tickets/undo-reply.server";
import { fail, type Result } from "~/lib/errors";
import { testContext } from "../../support/context";
import { as } from "../../support/factories";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../../support/tickets";

/*
 * A page that could not be read again keeps the token of its forms: what is chosen on it again and again is as chosen.
 * The same post twice is one change, and a late one does not undo what a colleague has done since.
 */

async function aTicket() {
  const world = await ticketWorld();
  const { base, here, dana, sam } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx, actor } = world.staff(sam);
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "staff" };
  const editor = { side: "staff", by } as const;
  return { ...world, ticket, ctx, actor, by, editor, client: world.client(dana) };
}

type World = Awaited<ReturnType<typeof aTicket>>;

type Form = { ticketId: string; nonce: string };

type Choosing = {
  choose: (world: World, form: Form) => Promise<Result<unknown, string>>;
  is: (world: World) => unknown;
};

const stored = ({ base, ticket }: World) => findTicketForStaff(base.db, ticket.id);

const status = async (world: World) => (await stored(world))?.status;

const people = async ({ base, ticket }: World) => (await listPeople(base.db, ticket.id)).map(({ name }) => name);

/** Holds two choices of the same, each with what it leads to. */
const CHOICES: Record<string, [Choosing, unknown, Choosing, unknown]> = {
  "a status in the list": [
    { choose: ({ ctx, by }, form) => changeStatus(ctx, by, { ...form, status: "in_progress" }), is: status },
    "in_progress",
    { choose: ({ ctx, by }, form) => changeStatus(ctx, by, { ...form, status: "closed" }), is: status },
    "closed",
  ],
  "a status on its page": [
    { choose: ({ ctx, by }, form) => saveTicketProperties(ctx, by, { ...form, status: "in_progress" }), is: status },
    "in_progress",
    { choose: ({ ctx, by }, form) => saveTicketProperties(ctx, by, { ...form, status: "closed" }), is: status },
    "closed",
  ],
  "a status of a client": [
    { choose: ({ client }, form) => move(client, form, "solved"), is: status },
    "resolved",
    { choose: ({ client }, form) => move(client, form, "reopen"), is: status },
    "open",
  ],
  "an assignee": [
    { choose: ({ ctx, by, sam }, form) => assignTicket(ctx, by, { ...form, assigneeId: sam.id }), is: assignee },
    "Sam Lee",
    { choose: ({ ctx, by }, form) => assignTicket(ctx, by, { ...form, assigneeId: null }), is: assignee },
    undefined,
  ],
  "a priority": [
    {
      choose: ({ ctx, by }, form) => changePriority(ctx, by, { ...form, priority: "high", reason: "All" }),
      is: priority,
    },
    "high",
    {
      choose: ({ ctx, by }, form) => changePriority(ctx, by, { ...form, priority: "low", reason: "One" }),
      is: priority,
    },
    "low",
  ],
  "who of the organization may read it": [
    { choose: ({ client }, form) => setPrivacy(client.ctx, client.actor, { ...form, isPrivate: true }), is: isPrivate },
    true,
    {
      choose: ({ client }, form) => setPrivacy(client.ctx, client.actor, { ...form, isPrivate: false }),
      is: isPrivate,
    },
    false,
  ],
  "a person on it": [
    { choose: ({ ctx, editor, omar }, form) => addPerson(ctx, editor, { ...form, userId: omar.id }), is: people },
    ["Omar Reyes"],
    { choose: ({ ctx, editor, omar }, form) => removePerson(ctx, editor, { ...form, userId: omar.id }), is: people },
    [],
  ],
  "an organization": [
    { choose: ({ ctx, by, there }, form) => moveTo(ctx, by, { ...form, organizationId: there.id }), is: organization },
    "Brightsmile",
    { choose: ({ ctx, by, here }, form) => moveTo(ctx, by, { ...form, organizationId: here.id }), is: organization },
    "Larkspur Row",
  ],
};

const moveTo = moveToOrganization;

const move = ({ ctx, actor }: World["client"], form: Form, to: "solved" | "reopen") =>
  changeStatusAsClient(ctx, actor, { ...form, move: to, message: null });

async function assignee(world: World) {
  return (await stored(world))?.assignee?.name;
}

async function priority(world: World) {
  return (await stored(world))?.priority;
}

async function isPrivate(world: World) {
  return (await stored(world))?.isPrivate;
}

async function organization(world: World) {
  return (await stored(world))?.organization.name;
}

const nonce = () => crypto.randomUUID();

test.each(
  Object.entries(CHOICES),
)("%s that is chosen again after another one, with one token, is so afterwards", async (_, [
  one,
  first,
  other,
  second,
]) => {
  const world = await aTicket();
  const form = { ticketId: world.ticket.id, nonce: nonce() };
  const steps = [
    [one, first],
    [other, second],
    [one, first],
    [other, second],
  ] as const;
  for (const [index, [{ choose, is }, expected]] of steps.entries()) {
    // A double click, and a retry of the browser.
    const answers = [...(await Promise.all([choose(world, form), choose(world, form)])), await choose(world, form)];
    expect([answers.map(({ ok }) => ok), await is(world)]).toEqual([[true, true, true], expected]);
    expect(await historyOf(world.base, world.ticket.id)).toHaveLength(index + 1);
  }
});

test.each(
  Object.entries(CHOICES),
)("%s that a colleague has changed since stays when the first form arrives again, which says so", async (_, [
  one,
  ,
  other,
  second,
]) => {
  const world = await aTicket();
  const form = { ticketId: world.ticket.id, nonce: nonce() };
  await one.choose(world, form);
  await other.choose(world, { ...form, nonce: nonce() });
  expect([await one.choose(world, form), await other.is(world)]).toEqual([fail("changed_since"), second]);
});

test("a choice about one ticket is not taken for one about another, whatever token its page has", async () => {
  const world = await aTicket();
  const { ctx, by, base, here, dana } = world;
  const token = nonce();
  const second = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  for (const { id } of [world.ticket, second]) {
    await changeStatus(ctx, by, { ticketId: id, status: "closed", nonce: token });
    await assignTicket(ctx, by, { ticketId: id, assigneeId: world.sam.id, nonce: token });
    expect(await ticketRow(base, id)).toMatchObject({ status: "closed", assigned_to: world.sam.id });
  }
});

test("a ticket that its taker has given back is not said to be theirs by the form that took it", async () => {
  const { ctx, by, actor, ticket, base } = await aTicket();
  const form = { ticketId: ticket.id, nonce: nonce() };
  expect([(await takeTicket(ctx, actor, form)).ok, (await takeTicket(ctx, actor, form)).ok]).toEqual([true, true]);
  await assignTicket(ctx, by, { ticketId: ticket.id, assigneeId: null, nonce: nonce() });
  expect(await takeTicket(ctx, actor, form)).toEqual(fail("changed_since"));
  expect(await ticketRow(base, ticket.id)).toMatchObject({ assigned_to: null });
});

test("an address whose copies were ended is not said to get them by the form that added it", async () => {
  const { ctx, editor, ticket, base } = await aTicket();
  const form = { ticketId: ticket.id, nonce: nonce() };
  const add = () => addCc(ctx, editor, { ...form, email: "facilities@landlord.example" });
  expect([(await add()).ok, (await add()).ok]).toEqual([true, true]);
  const [copy] = await listCc(base.db, ticket.id);
  await removeCc(ctx, editor, { ...form, ccId: copy?.id ?? "" });
  expect([await add(), await listCc(base.db, ticket.id)]).toEqual([fail("changed_since"), []]);
});

test("a second reply is taken back too from a page that still has the token of the first", async () => {
  const { ctx, actor, ticket, base } = await aTicket();
  const token = nonce();
  for (const text of ["Try this.", "Or that."]) {
    const reply = { ticketId: ticket.id, text, effect: "send", baseMessage: 0, nonce: nonce() } as const;
    const sent = await replyAsStaff(ctx, actor, reply);
    const messageId = sent.ok ? sent.value : "";
    expect((await undoReply(ctx, actor, { ticketId: ticket.id, messageId, nonce: token })).ok).toBe(true);
    expect(await textsOf(base, ticket.id)).toEqual([]);
  }
});

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

test("200 tickets are closed within what an invocation may send: the first at once, the others by the job, none twice", async () => {
  const { base, ctx, actor, here, order, closed, sam } = await manyTickets(200);
  const sentBefore = ctx.cost.queries;
  const first = await changeMany(ctx, actor, order);
  expect(ctx.cost.queries - sentBefore).toBeLessThan(1_000);
  const done = await closed();
  expect(done).toBeGreaterThanOrEqual(60);
  expect(first).toEqual({ ok: true, value: { changed: done, unchanged: 0, skipped: 0, waiting: 200 - done } });
  await base.settle();
  for (let runs = 0; (await continueBulkChange(testContext())).more; runs += 1) {
    expect(runs).toBeLessThan(5);
  }
  expect(await closed()).toBe(200);
  expect(await changeMany(ctx, actor, order)).toMatchObject({ value: { changed: 200, waiting: 0 } });
  const audited = await base.db.all(sql`SELECT actor_id, actor_role, count(*) AS events FROM audit_events
    WHERE action = 'ticket.status_changed' AND org_id = ${here.id} GROUP BY actor_id, actor_role`);
  expect(audited).toEqual([{ actor_id: sam.id, actor_role: "moderator", events: 200 }]);
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
