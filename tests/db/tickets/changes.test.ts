import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { ticketEvents, ticketPeople, tickets } from "~/db/schema/tickets";
import { listTicketEvents } from "~/features/conversation/messages.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import {
  addPerson,
  changePriority,
  moveToOrganization,
  removePerson,
  setPrivacy,
} from "~/features/tickets/commands.server";
import { ticketEventText } from "~/features/tickets/labels";
import type { TicketStatus } from "~/features/tickets/model";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { findTicketForClient } from "~/features/tickets/queries.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { fail } from "~/lib/errors";
import { days, hours, minutes } from "~/lib/time";
import { meteredD1, noCost } from "~/platform/d1.server";
import { bindings, derive, type TestContext, testContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson, memberOf } from "../../support/factories";
import {
  announcementWorld,
  asClient,
  asStaff,
  collectedMails,
  notifiedInProduct,
  type TicketWithPeople,
} from "../../support/ticket-announcements";
import { historyOf, staffOf, textsOf, ticketRow, ticketWorld, valueOf, worldWithTicket } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

async function aTicket(options: Parameters<typeof worldWithTicket>[0] = {}) {
  const world = await worldWithTicket(options);
  const { id } = world.ticket;
  return { ...world, ours: world.staff(world.sam), id, change: { ticketId: id } };
}

const isDeactivated = { status: "deactivated" } as const;

test("of twenty changes of status at once the last wins, and each is told from where it began", async () => {
  const { base, ours, id } = await aTicket();
  const statuses = ["in_progress", "waiting_for_customer", "open", "closed"] as const;
  await Promise.all(Array.from({ length: 20 }, (_, index) => ours.setStatus(id, statuses[index % 4] ?? "open")));
  const events = await base.db.all<{ f: string; t: string }>(
    `SELECT from_value AS f, to_value AS t FROM ticket_events WHERE ticket_id = '${id}' ORDER BY rowid`,
  );
  expect(events[0]?.f).toBe("open");
  for (const [index, { f, t }] of events.entries()) {
    expect(f).not.toBe(t);
    if (index > 0) expect(f).toBe(events[index - 1]?.t);
  }
  expect((await ticketRow(base, id)).status).toBe(events.at(-1)?.t);
});

test("a select of a row does not resolve a ticket, because nobody says what was done", async () => {
  const { base, ours, id } = await aTicket();
  expect(await ours.setStatus(id, "resolved")).toEqual(fail("resolution_missing"));
  await ours.reply(id, { text: "", effect: "resolve", resolution: "Replaced the cable." });
  expect(await ticketRow(base, id)).toMatchObject({ status: "resolved", resolution: "Replaced the cable." });
  await ours.setStatus(id, "in_progress");
  expect(await ticketRow(base, id)).toMatchObject({
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
  const { base, ours, id } = await aTicket();
  base.clock.advance(days(1));
  await ours.setStatus(id, "closed");
  expect(await ticketRow(base, id)).toMatchObject({ resolved_at: base.now(), closed_at: base.now() });
});

test("a member solves, closes and reopens their own ticket, and not a colleague's", async () => {
  const { base, here, dana, omar, client, id } = await aTicket();
  const own = client(dana);
  expect(await client(omar).move(id, "close")).toEqual(fail("not_allowed"));
  expect(await own.move(id, "reopen")).toEqual({ ok: true, value: id });
  expect((await own.move(id, "solved")).ok).toBe(true);
  expect((await own.move(id, "reopen", "It blinks again.")).ok).toBe(true);
  expect(await textsOf(base, id)).toEqual(["It blinks again."]);
  expect((await client(omar, here, "admin").move(id, "close")).ok).toBe(true);
  base.clock.advance(days(14) + 1);
  expect(await own.move(id, "reopen")).toEqual(fail("not_allowed"));
  expect(await historyOf(base, id)).toHaveLength(3);
});

test("a ticket is given only to active staff, and its history names who had it", async () => {
  const { base, ours, id, dana, avery } = await aTicket();
  expect(await ours.assign(id, dana.id)).toEqual(fail("assignee_not_staff"));
  for (const assignee of [avery.id, avery.id, null]) await ours.assign(id, assignee);
  expect(await historyOf(base, id)).toEqual([
    ["assignee", null, "Avery Quinn", "Sam Lee"],
    ["assignee", "Avery Quinn", null, "Sam Lee"],
  ]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(audit.map(({ meta_json }) => JSON.parse(meta_json ?? ""))).toEqual([
    // The id finds the name again when its person is erased.
    { from: "Unassigned", to: "Avery Quinn", people: { to: avery.id } },
    { from: "Avery Quinn", to: "Unassigned", people: { from: avery.id } },
  ]);
});

test("priority is changed with a reason that the history keeps", async () => {
  const { base, ours, change, id } = await aTicket();
  const urgent = { priority: "urgent", reason: "Nobody can print", nonce: nonce() } as const;
  await changePriority(ours.ctx, ours.by, { ...change, ...urgent });
  expect(await ticketRow(base, id)).toMatchObject({ priority: "urgent" });
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
  const { base, ours, there, id, change, dana, omar, ivy } = await aTicket();
  await addPerson(ours.ctx, { side: "staff", by: ours.by }, { ...change, userId: omar.id, nonce: nonce() });
  await Promise.all([ours.moveTo(id, there.id), ours.moveTo(id, there.id)]);
  const row = await ticketRow(base, id);
  expect(row).toMatchObject({ organization_id: there.id, viewers: `~${dana.id}.` });
  expect(row.search_text.split("\n").at(-1)).toBe("brightsmile");
  expect(await historyOf(base, id)).toHaveLength(2);
  const ofMove = and(eq(auditEvents.action, "ticket.moved"), eq(auditEvents.subject_id, id));
  const moves = await base.db.select().from(auditEvents).where(ofMove);
  expect(moves.map(({ org_id }) => org_id)).toEqual([null]);
  const find = (userId: string, organizationId: string) =>
    findTicketForClient(base.db, id, { userId, organizationId, role: "owner" });
  expect(await find(ivy.id, there.id)).not.toBeNull();
  expect(await find(dana.id, row.organization_id === there.id ? "org_gone" : there.id)).toBeNull();
});

test("a ticket does not move to an organization that is deleted meanwhile, whenever that happens, and nothing is stored", async () => {
  const { base, ours, here, there, id } = await aTicket();
  const remove = (organizationId: string) => base.db.delete(organizations).where(eq(organizations.id, organizationId));
  const late = ours.interruptedBy(() => remove(there.id));
  expect(await late.moveTo(id, there.id)).toEqual(fail("organization_not_found"));
  const next = await makeOrganization(base, "Harbor House");
  const { ctx, by } = ours;
  const all = async (query: Parameters<typeof ctx.db.all>[0]) => {
    const rows = await ctx.db.all<{ name?: string }>(query);
    if (rows[0]?.name === "Harbor House") await remove(next.id);
    return rows;
  };
  const later = derive(ctx, { db: { ...ctx.db, all: all as unknown as typeof ctx.db.all } });
  const move = { ticketId: id, organizationId: next.id, nonce: nonce() };
  expect(await moveToOrganization(later, by, move)).toEqual(fail("organization_not_found"));
  expect(await ticketRow(base, id)).toMatchObject({ organization_id: here.id, version: 1 });
  expect(await historyOf(base, id)).toEqual([]);
});

test("who leaves an organization is on none of its tickets, also when they are invited again", async () => {
  const { base, ours, id, change, omar } = await aTicket();
  await addPerson(ours.ctx, { side: "staff", by: ours.by }, { ...change, userId: omar.id, nonce: nonce() });
  expect((await ticketRow(base, id)).viewers).toContain(omar.id);
  await base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, omar.id));
  expect((await ticketRow(base, id)).viewers).not.toContain(omar.id);
});

test("open pages of an organization do not learn which ticket has changed where it is private, or all see only their own", async () => {
  const { base, ours, here, ticket, id } = await aTicket();
  const toldOf = async (status: TicketStatus) => {
    await base.db.delete(liveEvents);
    await ours.setStatus(id, status);
    const events = await base.db.select().from(liveEvents).where(sql`audience <> 'staff'`);
    return events.map(({ subject_id, label }) => [subject_id, label]);
  };
  expect(await toldOf("in_progress")).toEqual([[id, `T-${ticket.number}`]]);
  await base.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, id));
  expect(await toldOf("open")).toEqual([["", ""]]);
  await base.db.update(tickets).set({ is_private: false }).where(eq(tickets.id, id));
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  expect(await toldOf("in_progress")).toEqual([["", ""]]);
});

test.each([
  ["solved", "yes"],
  ["broken", "no, still broken"],
])("staff read the answer %s as %s", (to, words) => {
  const answer = { id: "tev_1", kind: "vote", side: "client", actor: "Dana", actorId: null, at: 0 } as const;
  expect(ticketEventText({ ...answer, from: null, to, reason: null }, "staff")).toBe(
    `Dana answered "Solved?": ${words}`,
  );
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

  const ofColleague = () => eq(organizationMemberships.user_id, world.colleague.id);

  test.each<[string, () => Promise<unknown>]>([
    ["was removed", async () => ctx.db.delete(organizationMemberships).where(ofColleague())],
    [
      "was suspended",
      async () => ctx.db.update(organizationMemberships).set({ status: "suspended" }).where(ofColleague()),
    ],
    ["was deactivated", async () => ctx.db.update(users).set(isDeactivated).where(eq(users.id, world.colleague.id))],
    [
      "was taken off a private ticket",
      async () => {
        await ctx.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, world.ticket.id));
        await ctx.db.delete(ticketPeople).where(eq(ticketPeople.user_id, world.colleague.id));
      },
    ],
  ])("a mail that failed once does not reach who %s since, and reaches the others", async (_, lose) => {
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
    await ctx.db.update(users).set(isDeactivated).where(eq(users.id, gone.id));
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
    const staff = staffOf(ctx, world.other);
    valueOf(await staff.moveTo(world.ticket.id, to.id));
    expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([[owner.id, "moved_here"]]);
    const audiences = (await ctx.db.select().from(liveEvents)).map(({ audience }) => audience).sort();
    expect(audiences).toEqual([`org:${world.organization.id}`, `org:${to.id}`, "staff"].sort());
    expect(staff.ctx.notified).toEqual(expect.arrayContaining([`org:${world.organization.id}`, `org:${to.id}`]));
    // Nobody of its clients is left, so whoever runs the organization hears of what follows, too.
    const resolved = { statusBefore: "open", resolution: "Replaced the cable" } as const;
    await world.announce(asStaff(world.assignee), resolved, "resolved");
    expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([
      [owner.id, "moved_here"],
      [owner.id, "status_changed"],
    ]);
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

test("twenty tickets at once get numbers without a gap, and cost a ticket of another organization nothing", async () => {
  const { base, here, there, ivy, client } = await ticketWorld();
  const people = await Promise.all(Array.from({ length: 4 }, () => makePerson(base)));
  for (const person of people) await makeMember(base, here.id, person, "member");
  const opensElsewhere = async () => {
    const cost = noCost();
    const own = as(testContext({ db: openDb(meteredD1(bindings.DB, cost)) }), ivy);
    const ticket = { organizationId: there.id, title: "Fax", description: "It blinks.", priority: "high" } as const;
    const form = { ...ticket, category: null, impact: null, nonce: nonce() };
    const opened = await openTicket(own, memberOf(base, ivy, there, "owner"), form);
    return { ok: opened.ok, trips: cost.trips };
  };
  const alone = await opensElsewhere();
  const flood = Array.from({ length: 5 }, () => people.map((person) => client(person).open())).flat();
  const [beside, ...opened] = await Promise.all([opensElsewhere(), ...flood]);
  expect(beside).toEqual(alone);
  const numbers = opened.map((each) => valueOf(each).number).sort((one, other) => one - other);
  const stored = await base.db
    .select()
    .from(tickets)
    .where(eq(tickets.organization_id, here.id))
    .orderBy(tickets.number);
  expect(stored.map(({ number }) => number)).toEqual(numbers);
  // The number of the other organization's ticket may lie between.
  expect(new Set(numbers).size).toBe(20);
  expect((numbers[19] ?? 0) - (numbers[0] ?? 0)).toBeLessThanOrEqual(20);
  // The search and the name of each by the number that it got.
  for (const { number, search_text } of stored.slice(0, 3)) expect(search_text.split("\n")[1]).toBe(`t-${number}`);
});

test("who keeps losing gives up after a few tries, and nothing of it is stored", async () => {
  const { base, client, dana, id } = await aTicket();
  const { ctx, actor } = client(dana);
  let tries = 0;
  const batch: typeof ctx.db.batch = async (statements) => {
    tries += 1;
    await base.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${id}`);
    return ctx.db.batch(statements);
  };
  const losing = { ...ctx, db: { ...ctx.db, batch } };
  const reply = replyAsClient(losing, actor, { ticketId: id, text: "Again", nonce: nonce() });
  await expect(reply).rejects.toMatchObject({ outcome: "unavailable", retryAt: base.now() + 2_000 });
  expect(tries).toBe(24);
  expect(await textsOf(base, id)).toEqual([]);
  expect((await ticketRow(base, id)).version).toBe(25);
});
