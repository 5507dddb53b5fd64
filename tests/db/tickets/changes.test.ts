import { and, eq, isNotNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { ticketEvents, ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import { listTicketEvents } from "~/features/conversation/messages.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import {
  addPerson,
  assignTicket,
  changePriority,
  changeStatus,
  changeStatusAsClient,
  moveToOrganization,
  removePerson,
  setPrivacy,
} from "~/features/tickets/commands.server";
import { ticketEventText } from "~/features/tickets/labels";
import type { TicketActor, TicketStatus } from "~/features/tickets/model";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { findTicketForClient } from "~/features/tickets/queries.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { fail } from "~/lib/errors";
import { days, hours, minutes } from "~/lib/time";
import { meteredD1, noCost } from "~/platform/d1.server";
import { NotNow } from "~/platform/run-command.server";
import { bindings, derive, type TestContext, testContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson, memberOf } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import {
  announcementWorld,
  asClient,
  asStaff,
  collectedMails,
  notifiedInProduct,
  type TicketWithPeople,
} from "../../support/ticket-announcements";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

async function aTicket(options: { status?: TicketStatus; isPrivate?: boolean } = {}) {
  const world = await ticketWorld();
  const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana, ...options });
  const { ctx, actor } = world.staff(world.sam);
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "staff" };
  return { ...world, ticket, by, ctx, actor, change: { ticketId: ticket.id } };
}

test("of twenty changes of status at once the last wins, and each is told from where it began", async () => {
  const { base, ctx, by, change, ticket } = await aTicket();
  const statuses = ["in_progress", "waiting_for_customer", "open", "closed"] as const;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      changeStatus(ctx, by, { ...change, status: statuses[index % 4] ?? "open", nonce: nonce() }),
    ),
  );
  const events = await base.db.all<{ f: string; t: string }>(
    `SELECT from_value AS f, to_value AS t FROM ticket_events WHERE ticket_id = '${ticket.id}' ORDER BY rowid`,
  );
  expect(events[0]?.f).toBe("open");
  for (const [index, { f, t }] of events.entries()) {
    expect(f).not.toBe(t);
    if (index > 0) expect(f).toBe(events[index - 1]?.t);
  }
  expect((await ticketRow(base, ticket.id)).status).toBe(events.at(-1)?.t);
});

test("a select of a row does not resolve a ticket, because nobody says what was done", async () => {
  const { base, ctx, by, actor, change, ticket } = await aTicket();
  const resolve = { ...change, status: "resolved" as const, nonce: nonce() };
  expect(await changeStatus(ctx, by, resolve)).toEqual(fail("resolution_missing"));
  const reply = { ...change, text: "", effect: "resolve", resolution: "Replaced the cable." } as const;
  await replyAsStaff(ctx, actor, { ...reply, baseMessage: 0, nonce: nonce() });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "resolved", resolution: "Replaced the cable." });
  await changeStatus(ctx, by, { ...change, status: "in_progress", nonce: nonce() });
  expect(await ticketRow(base, ticket.id)).toMatchObject({
    status: "in_progress",
    resolution: null,
    resolved_at: null,
  });
});

test("what happens in one moment is told in its order, whatever the ids are", async () => {
  const { base, ticket, here } = await aTicket();
  const words = ["zebra", "apple", "mango"];
  const row = { organization_id: here.id, ticket_id: ticket.id, kind: "category" as const, at: base.now() };
  for (const word of words)
    await base.db
      .insert(ticketEvents)
      .values({ ...row, id: `tev_${word}${base.newId("x")}`, to_value: word, actor_name: "Sam", actor_side: "staff" });
  expect((await listTicketEvents(base.db, ticket.id)).map(({ to }) => to)).toEqual(words.toReversed());
});

test("a ticket that is closed without being resolved counts as resolved then", async () => {
  const { base, ctx, by, change, ticket } = await aTicket();
  base.clock.advance(days(1));
  await changeStatus(ctx, by, { ...change, status: "closed", nonce: nonce() });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ resolved_at: base.now(), closed_at: base.now() });
});

test("a member solves, closes and reopens their own ticket, and not a colleague's", async () => {
  const { base, here, dana, omar, client, change, ticket } = await aTicket();
  const own = client(dana);
  const theirs = client(omar);
  const move = (who: typeof own, to: "solved" | "close" | "reopen", message: string | null = null) =>
    changeStatusAsClient(who.ctx, who.actor, { ...change, move: to, message, nonce: nonce() });
  expect(await move(theirs, "close")).toEqual(fail("not_allowed"));
  expect(await move(own, "reopen")).toEqual({ ok: true, value: ticket.id });
  expect((await move(own, "solved")).ok).toBe(true);
  expect((await move(own, "reopen", "It blinks again.")).ok).toBe(true);
  expect(await textsOf(base, ticket.id)).toEqual(["It blinks again."]);
  expect((await move(client(omar, here, "admin"), "close")).ok).toBe(true);
  base.clock.advance(days(14) + 1);
  expect(await move(own, "reopen")).toEqual(fail("not_allowed"));
  expect(await historyOf(base, ticket.id)).toHaveLength(3);
});

test("a ticket is given only to active staff, and its history names who had it", async () => {
  const { base, ctx, by, change, ticket, dana, avery } = await aTicket();
  const assign = (assigneeId: string | null) => assignTicket(ctx, by, { ...change, assigneeId, nonce: nonce() });
  expect(await assign(dana.id)).toEqual(fail("assignee_not_staff"));
  await assign(avery.id);
  await assign(avery.id);
  await assign(null);
  expect(await historyOf(base, ticket.id)).toEqual([
    ["assignee", null, "Avery Quinn", "Sam Lee"],
    ["assignee", "Avery Quinn", null, "Sam Lee"],
  ]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, ticket.id));
  expect(audit.map(({ meta_json }) => JSON.parse(meta_json ?? ""))).toEqual([
    // The id finds the name again when its person is erased.
    { from: "Unassigned", to: "Avery Quinn", people: { to: avery.id } },
    { from: "Avery Quinn", to: "Unassigned", people: { from: avery.id } },
  ]);
});

test("priority is changed with a reason that the history keeps", async () => {
  const { base, ctx, by, change, ticket } = await aTicket();
  await changePriority(ctx, by, { ...change, priority: "urgent", reason: "Nobody can print", nonce: nonce() });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ priority: "urgent" });
  const [reason] = await base.db.all(`SELECT reason FROM ticket_events WHERE kind = 'priority'`);
  expect(reason).toEqual({ reason: "Nobody can print" });
});

test("only members of the organization are put on a ticket, by whoever may change it", async () => {
  const { base, here, ticket, change, dana, omar, ivy, client } = await aTicket({ isPrivate: true });
  const own = client(dana);
  const editor = { side: "client", actor: own.actor } as const;
  const sees = () =>
    findTicketForClient(base.db, ticket.id, { userId: omar.id, organizationId: here.id, role: "member" });
  expect(await addPerson(own.ctx, editor, { ...change, userId: ivy.id, nonce: nonce() })).toEqual(
    fail("person_not_found"),
  );
  const adding = { ...change, userId: omar.id };
  await Promise.all([1, 2, 3].map(() => addPerson(own.ctx, editor, { ...adding, nonce: nonce() })));
  expect(await sees()).not.toBeNull();
  const added = client(omar);
  const other = { side: "client", actor: added.actor } as const;
  expect(await setPrivacy(added.ctx, added.actor, { ...change, isPrivate: false, nonce: nonce() })).toEqual(
    fail("not_allowed"),
  );
  expect((await removePerson(added.ctx, other, { ...adding, nonce: nonce() })).ok).toBe(true);
  expect(await sees()).toBeNull();
  await setPrivacy(own.ctx, own.actor, { ...change, isPrivate: false, nonce: nonce() });
  expect(await sees()).not.toBeNull();
});

test("a ticket that moves to another organization leaves nobody of the former one on it", async () => {
  const { base, ctx, by, there, ticket, change, dana, omar, ivy } = await aTicket();
  await addPerson(ctx, { side: "staff", by }, { ...change, userId: omar.id, nonce: nonce() });
  const moved = () => moveToOrganization(ctx, by, { ...change, organizationId: there.id, nonce: nonce() });
  await Promise.all([moved(), moved()]);
  const row = await ticketRow(base, ticket.id);
  expect(row).toMatchObject({ organization_id: there.id, viewers: `~${dana.id}.` });
  expect(row.search_text.split("\n").at(-1)).toBe("brightsmile");
  expect(await historyOf(base, ticket.id)).toHaveLength(2);
  expect(
    await base.db.$count(auditEvents, and(eq(auditEvents.action, "ticket.moved"), isNotNull(auditEvents.org_id))),
  ).toBe(0);
  expect(await base.db.$count(auditEvents, eq(auditEvents.action, "ticket.moved"))).toBe(1);
  const find = (userId: string, organizationId: string) =>
    findTicketForClient(base.db, ticket.id, { userId, organizationId, role: "owner" });
  expect(await find(ivy.id, there.id)).not.toBeNull();
  expect(await find(dana.id, row.organization_id === there.id ? "org_gone" : there.id)).toBeNull();
});

test("a ticket does not move to an organization that is deleted meanwhile, whenever that happens, and nothing is stored", async () => {
  const { base, ctx, by, here, there, ticket, change } = await aTicket();
  const remove = (id: string) => base.db.delete(organizations).where(eq(organizations.id, id));
  const move = (on: typeof ctx, organizationId: string) =>
    moveToOrganization(on, by, { ...change, organizationId, nonce: nonce() });
  const late = interruptedBeforeCommit(ctx, () => remove(there.id));
  expect(await move(late, there.id)).toEqual(fail("organization_not_found"));
  const next = await makeOrganization(base, "Harbor House");
  const all = async (query: Parameters<typeof ctx.db.all>[0]) => {
    const rows = await ctx.db.all<{ name?: string }>(query);
    if (rows[0]?.name === "Harbor House") await remove(next.id);
    return rows;
  };
  const later = derive(ctx, { db: { ...ctx.db, all: all as unknown as typeof ctx.db.all } });
  expect(await move(later, next.id)).toEqual(fail("organization_not_found"));
  expect(await ticketRow(base, ticket.id)).toMatchObject({ organization_id: here.id, version: 1 });
  expect(await historyOf(base, ticket.id)).toEqual([]);
});

test("who leaves an organization is on none of its tickets, also when they are invited again", async () => {
  const { base, ctx, by, ticket, change, omar } = await aTicket();
  await addPerson(ctx, { side: "staff", by }, { ...change, userId: omar.id, nonce: nonce() });
  expect((await ticketRow(base, ticket.id)).viewers).toContain(omar.id);
  await base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, omar.id));
  expect((await ticketRow(base, ticket.id)).viewers).not.toContain(omar.id);
});

test("open pages of an organization do not learn which private ticket has changed", async () => {
  const { base, ctx, by, here, ticket, change } = await aTicket();
  await base.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, ticket.id));
  await changeStatus(ctx, by, { ...change, status: "in_progress", nonce: nonce() });
  const frames = await base.db
    .select()
    .from(liveEvents)
    .where(eq(liveEvents.audience, `org:${here.id}`));
  expect(frames.map(({ subject_id, label }) => [subject_id, label])).toEqual([["", ""]]);
});

test.each([
  ["solved", "yes"],
  ["broken", "no, still broken"],
])("staff read the answer %s as %s", (to, words) => {
  const event = {
    id: "tev_1",
    kind: "vote" as const,
    from: null,
    to,
    reason: null,
    actorId: null,
    actor: "Dana",
    side: "client" as const,
    at: 0,
  };
  expect(ticketEventText(event, "staff")).toBe(`Dana answered "Solved?": ${words}`);
});

describe("whoever loses a ticket", () => {
  let ctx: TestContext;

  let world: TicketWithPeople;

  beforeEach(async () => {
    ({ ctx, world } = await announcementWorld());
  });

  /** Lets the first attempt of every mail fail, so that it waits with its content. */
  async function failOnce() {
    ctx.clock.advance(minutes(2));
    ctx.outcomes.push(...Array.from({ length: 5 }, () => ({ kind: "transient", reason: "http_500" }) as const));
    await deliverOutbox(ctx);
    ctx.outcomes.length = 0;
    expect(ctx.sent).toEqual([]);
    expect((await ctx.db.select().from(outbox)).every(({ params_enc }) => params_enc !== "")).toBe(true);
  }

  async function recipientsOfSecondAttempt() {
    ctx.clock.advance(hours(2));
    await deliverOutbox(ctx);
    return ctx.sent.map(({ to }) => to).sort();
  }

  const membershipOf = (userId: string) =>
    and(
      eq(organizationMemberships.organization_id, world.organization.id),
      eq(organizationMemberships.user_id, userId),
    );

  const losses: [string, () => Promise<unknown>][] = [
    ["was removed", async () => ctx.db.delete(organizationMemberships).where(membershipOf(world.colleague.id))],
    [
      "was suspended",
      async () =>
        ctx.db.update(organizationMemberships).set({ status: "suspended" }).where(membershipOf(world.colleague.id)),
    ],
    [
      "was deactivated",
      async () => ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, world.colleague.id)),
    ],
    [
      "was taken off a private ticket",
      async () => {
        await ctx.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, world.ticket.id));
        await ctx.db.delete(ticketPeople).where(eq(ticketPeople.user_id, world.colleague.id));
      },
    ],
  ];

  test.each(losses)("a mail that failed once does not reach who %s since, and reaches the others", async (_, lose) => {
    await world.add(world.colleague);
    await world.write(asStaff(world.assignee), "The code is 4711");
    await failOnce();
    await lose();
    expect(await recipientsOfSecondAttempt()).toEqual([world.client.email]);
    expect(await ctx.db.select().from(outbox).where(eq(outbox.user_id, world.colleague.id))).toEqual([]);
  });

  test("a mail to staff that failed once does not reach who works here no longer", async () => {
    await world.write(asClient(world.client), "Still broken");
    await failOnce();
    await ctx.db.run(sql`DELETE FROM user_roles WHERE user_id = ${world.assignee.id}`);
    expect(await recipientsOfSecondAttempt()).toEqual([]);
  });

  test("a ticket of somebody who works here no longer is everybody's, whether demoted or deactivated", async () => {
    const gone = await makePerson(ctx, { role: "moderator" });
    await ctx.db.update(tickets).set({ assigned_to: gone.id }).where(eq(tickets.id, world.ticket.id));
    await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, gone.id));
    await world.write(asClient(world.client), "Anybody?");
    await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, gone.id));
    await ctx.db.run(sql`DELETE FROM user_roles WHERE user_id = ${gone.id}`);
    await world.write(asClient(world.client), "Hello?");
    const told = await notifiedInProduct(ctx);
    const both = [world.assignee.id, world.other.id].sort();
    expect(told.map(([, event]) => event)).toEqual(Array.from({ length: 4 }, () => "reply_on_unassigned"));
    expect(told.map(([who]) => who).sort()).toEqual([...both, ...both].sort());
  });

  test("after a move the former organization keeps no notification, its pages look again, and admins of the new one are told", async () => {
    const to = await makeOrganization(ctx, "Brightsmile");
    const [owner, member] = [await makePerson(ctx), await makePerson(ctx)];
    await makeMember(ctx, to.id, owner, "owner");
    await makeMember(ctx, to.id, member, "member");
    await world.write(asStaff(world.assignee), "Try again");
    await ctx.db.delete(liveEvents);
    const actor = { ...asStaff(world.other) };
    const staff = as(ctx, world.other);
    const moved = await moveToOrganization(staff, actor, {
      ticketId: world.ticket.id,
      organizationId: to.id,
      nonce: crypto.randomUUID(),
    });
    expect(moved.ok).toBe(true);
    expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([[owner.id, "moved_here"]]);
    const audiences = (await ctx.db.select().from(liveEvents)).map(({ audience }) => audience).sort();
    expect(audiences).toEqual([`org:${world.organization.id}`, `org:${to.id}`, "staff"].sort());
    expect(staff.notified).toEqual(expect.arrayContaining([`org:${world.organization.id}`, `org:${to.id}`]));
    // Nobody of its clients is left, so whoever runs the organization hears of what follows, too.
    const resolved = { statusBefore: "open", resolution: "Replaced the cable" } as const;
    await world.announce(asStaff(world.assignee), resolved, "resolved");
    expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([
      [owner.id, "moved_here"],
      [owner.id, "status_changed"],
    ]);
  });

  test("where members see only their own tickets, open pages do not learn which one has changed", async () => {
    const change = async () => {
      await ctx.db.delete(liveEvents);
      const next = { ticketId: world.ticket.id, nonce: crypto.randomUUID() };
      const { status } = (await ctx.db.select().from(tickets).where(eq(tickets.id, world.ticket.id)))[0] ?? {};
      await changeStatus(as(ctx, world.other), asStaff(world.other), {
        ...next,
        status: status === "open" ? "in_progress" : "open",
      });
      const events = await ctx.db.select().from(liveEvents).where(sql`audience <> 'staff'`);
      return events.map(({ subject_id, label }) => [subject_id, label]);
    };
    expect(await change()).toEqual([[world.ticket.id, `T-${world.ticket.number}`]]);
    await ctx.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, world.organization.id));
    expect(await change()).toEqual([["", ""]]);
  });

  test("who works here no longer, but belongs to the organization, is not told by mail what only staff hear of", async () => {
    const { organization, assignee, client, ticket, announce, write } = world;
    await makeMember(ctx, organization.id, assignee, "owner");
    await announce(asClient(client), { statusBefore: "resolved" }, "open");
    const note = await write(asStaff(world.other), "Bill them", true);
    await announce(asStaff(world.other), {
      message: { id: note, text: "", isInternal: true, mentions: [assignee.id] },
    });
    expect(await ctx.db.select().from(mailEvents).where(eq(mailEvents.event, "mentioned"))).toHaveLength(1);
    await ctx.db.delete(userRoles).where(eq(userRoles.user_id, assignee.id));
    expect((await collectedMails(ctx)).filter(({ to }) => to === assignee.email)).toEqual([]);
    expect(await ctx.db.select().from(outbox).where(eq(outbox.subject_id, ticket.id))).not.toContainEqual(
      expect.objectContaining({ user_id: assignee.id }),
    );
  });
});

const newTicket = (organizationId: string) => ({
  organizationId,
  title: "Printer offline",
  description: "The one on the second floor.",
  priority: "high" as const,
  category: null,
  impact: null,
  nonce: crypto.randomUUID(),
});

test("fifty tickets at once all get a number, and cost a ticket of another organization nothing", async () => {
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
    Array.from({ length: 10 }, () =>
      openTicket(as(base, person), memberOf(base, person, here, "member"), newTicket(here.id)),
    ),
  );
  const [beside, ...opened] = await Promise.all([opensElsewhere(), ...flood]);
  expect(beside).toEqual(alone);
  const numbers = opened.map((each) => (each.ok ? each.value.number : each.code));
  expect(new Set(numbers).size).toBe(50);
  const stored = await base.db.select().from(tickets).where(eq(tickets.organization_id, here.id));
  expect(stored.map(({ number }) => number).sort()).toEqual(numbers.sort());
  // The search and the name of each by the number that it got.
  for (const { number, search_text } of stored.slice(0, 3)) expect(search_text.split("\n")[1]).toBe(`t-${number}`);
});

test("thirty replies at once to one ticket are each written once, or sent back for now; none fails", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx, actor } = client(dana);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) =>
      replyAsClient(ctx, actor, { ticketId: ticket.id, text: `Reply ${index}`, nonce: crypto.randomUUID() }),
    ),
  );
  const written = outcomes.filter((each) => each.status === "fulfilled" && each.value.ok);
  const sentBack = outcomes.filter((each) => each.status === "rejected" && each.reason instanceof NotNow);
  expect(written.length + sentBack.length).toBe(30);
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
