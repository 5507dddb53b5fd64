import { and, eq, isNotNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import { listTicketEvents } from "~/features/conversation/messages.server";
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
import { findTicketForClient } from "~/features/tickets/queries.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { fail } from "~/lib/errors";
import { days } from "~/lib/time";
import { derive } from "../../support/context";
import { makeOrganization } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
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
